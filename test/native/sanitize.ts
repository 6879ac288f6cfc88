// Builds the addon with AddressSanitizer and UndefinedBehaviorSanitizer, and runs the tests that compare its functions
// with their portable forms, and those that parse whole requests: `npm run sanitize`. C files are not instrumented,
// because libsecp256k1's assembly does not compile with sanitizers. A sanitizer's report ends its test file.
import { spawnSync } from 'node:child_process';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileAddon } from '../../src/native/compile-addon.js';
import { ADDON_MODULES, type ModuleName, modulesForPlatform } from '../../src/native/functions.table.js';
import { SANITIZED } from './sanitized-addon.js';

const SOURCES = fileURLToPath(new URL('../../../src/native/', import.meta.url));
const TESTS = fileURLToPath(new URL('../run.js', import.meta.url));
const PRELOAD = new URL('./sanitized-addon.js', import.meta.url).href;
const LIBRARIES = ['libasan.so', 'libubsan.so'];
/** Tests of whole requests, of out-of-memory conditions, and of invalid arguments. */
const OTHERS = ['http/framing', 'fronts.fuzz', 'test/native/'];
const FLAGS = '-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all';

/** Exits with 1 if a test would not load the addon built here. */
const PROOF = `
  await import(${JSON.stringify(new URL('../../src/native/load-addon.js', import.meta.url).href)});
  const { sharedObjects } = process.report.getReport();
  const isLoaded = sharedObjects.some((file) => file.startsWith(${JSON.stringify(SANITIZED)}));
  process.exitCode = isLoaded ? 0 : 1;`;

const libraries = LIBRARIES.map(libraryOf);
if (libraries.includes(null)) console.log(`sanitize: skipped, the compiler has no ${LIBRARIES.join(' and ')}`);
else sanitize(libraries.join(' '));

/** Path of one of the compiler's libraries; `null` if it has none. */
function libraryOf(name: string): string | null {
  const { stdout } = spawnSync(process.env['CXX'] ?? 'c++', [`-print-file-name=${name}`], { encoding: 'utf8' });
  const path = stdout?.trim() ?? '';
  return isAbsolute(path) ? path : null;
}

/** Runs the tests and exits with their exit code. */
function sanitize(preloaded: string): void {
  const parts = modulesForPlatform(process.platform);
  build(parts);
  const env = {
    ...process.env,
    LD_PRELOAD: preloaded,
    NODE_OPTIONS: `--import ${PRELOAD}`,
    // V8 handles SIGSEGV itself and pairs allocation functions in its own way. A test has a process killed by SIGBUS.
    ASAN_OPTIONS: 'detect_leaks=0:handle_segv=0:handle_sigbus=0:allow_user_segv_handler=1:alloc_dealloc_mismatch=0',
    UBSAN_OPTIONS: 'print_stacktrace=1',
  };
  const run = (args: readonly string[]): number =>
    spawnSync(process.execPath, args, { stdio: 'inherit', env }).status ?? 1;
  if (run(['--input-type=module', '--eval', PROOF]) !== 0)
    throw new Error('tests do not load the addon with sanitizers');
  const judges = parts.flatMap((part) => Object.values(ADDON_MODULES[part].functions).map(({ test: judge }) => judge));
  process.exitCode = run([TESTS, ...new Set(judges), ...OTHERS]);
}

function build(parts: readonly ModuleName[]): void {
  const flags = { CXXFLAGS: FLAGS, LDFLAGS: FLAGS };
  Object.assign(process.env, flags);
  const problem = compileAddon({
    name: 'native',
    sources: SOURCES,
    target: SANITIZED,
    variables: { parts: parts.join(' ') },
    proof: null,
  });
  for (const name of Object.keys(flags)) delete process.env[name];
  if (problem !== null) throw new Error(problem);
}
