// The packed types are self-contained: a program in an empty folder compiles with them, with TypeScript's defaults and
// with strict options, without skipLibCheck.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { optionsDeclaration } from '../../deploy/types.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const COMPILER = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const PROGRAM = `
  import { createEngine, type EngineBlock, type EngineOptions, type RunningEngine } from 'prestate-rpc';
  const options: EngineOptions = { port: 0, devTraffic: 0, feed: ['ws://node'], kernel: 'on', revertErrorCode: 3 };
  const engine: RunningEngine = await createEngine(options);
  const key: string = engine.accounts[0]!.privateKey;
  const chainId: unknown = await engine.request({ method: 'eth_chainId' });
  const hash = await new Promise<string>((resolve) => {
    engine.on('block', (block: EngineBlock) => resolve(block.hash)).on('message', ({ data }) => data.subscription);
  });
  await engine.stop();
  // @ts-expect-error: no such event
  engine.on('blocks', () => undefined);
  // @ts-expect-error: no such option
  await createEngine({ devTrafic: 1 });
  // @ts-expect-error: no such kernel
  await createEngine({ kernel: 'of' });
  export { chainId, hash, key };
`;

const folder = temporaryFolder();

function compile(cwd: string, ...flags: string[]): string {
  try {
    return execFileSync(process.execPath, [COMPILER, ...flags], { cwd, encoding: 'utf8' });
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}

/** Declarations are emitted with `prepack`'s flags and packed as far as the package's `files` includes them. */
before(() => {
  const made = join(folder, 'made');
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: string[] };
  const [, names] = /^dist\/src\/\{(.*)\}\.d\.ts$/m.exec(files.join('\n'))!;
  // The build has already checked the types.
  const emitting = ['--noCheck', '--incremental', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', made];
  assert.equal(compile(ROOT, '-p', '.', ...emitting), '');
  const packed = join(folder, 'node_modules', 'prestate-rpc');
  mkdirSync(join(packed, 'dist', 'src'), { recursive: true });
  copyFileSync(join(ROOT, 'package.json'), join(packed, 'package.json'));
  for (const name of names!.split(','))
    copyFileSync(join(made, 'src', `${name}.d.ts`), join(packed, 'dist', 'src', `${name}.d.ts`));
  const options = join(packed, 'dist', 'src', 'engine-types.d.ts');
  writeFileSync(options, optionsDeclaration(readFileSync(options, 'utf8')));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'program.ts'), PROGRAM);
});

const STRICT = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck', 'false'];

for (const [name, flags] of [
  ["TypeScript's defaults", []],
  ['strict flags', [...STRICT, '--module', 'nodenext']],
  ['an older language', [...STRICT, '--target', 'es2022', '--module', 'nodenext']],
] as const) {
  test(`a program compiles with the packed types by ${name}`, () => {
    assert.equal(compile(folder, '--noEmit', ...flags, 'program.ts'), '');
  });
}

test('a pino logger is accepted as logger', () => {
  const at = join(folder, 'with-pino', 'node_modules');
  mkdirSync(at, { recursive: true });
  for (const name of ['pino', '@types', 'pino-std-serializers', 'sonic-boom', 'undici-types'])
    symlinkSync(join(ROOT, 'node_modules', name), join(at, name));
  const program = `import { pino } from 'pino';
    import type { EngineOptions } from 'prestate-rpc';
    export const options: EngineOptions = { logger: pino() };`;
  writeFileSync(join(dirname(at), 'program.ts'), program);
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', 'node'];
  assert.equal(compile(dirname(at), ...flags, 'program.ts'), '');
});

test('each option is documented in the words of its flag, with its default', () => {
  const reported = readFileSync(
    join(folder, 'node_modules', 'prestate-rpc', 'dist', 'src', 'engine-types.d.ts'),
    'utf8',
  );
  for (const [doc, member] of [
    ['Transactions per second that the dev chain makes by itself; 0 for none (5).', 'devTraffic?: number;'],
    ["osaka or amsterdam: the dev chain's rules from its first block on (osaka).", "devFork?: 'osaka' | 'amsterdam';"],
    ['Origins allowed by CORS, separated by commas, or *; none by default.', 'cors?: readonly string[];'],
    ['Estimator threads; by default as many as there are cores.', 'workers?: number;'],
  ])
    assert.ok(reported.includes(`  /** ${doc} */\n  readonly ${member}\n`), member);
  assert.match(reported, /^export interface DevChainSettings \{\n[^}]*devTraffic\?/m);
});
