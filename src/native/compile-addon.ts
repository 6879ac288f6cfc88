// Compiles a folder with a binding.gyp to a Node-API addon with node-gyp, without downloading anything. Used by `npm
// run build`, by benchmarks, and by mutation tests.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** What to compile, and where the addon is written. */
export interface AddonSources {
  /** Target name in binding.gyp. The addon's file is NAME.node. */
  readonly name: string;
  readonly sources: string;
  /** Output folder. It must be inside the project, so that npm packages are found. */
  readonly target: string;
  /** Variables of binding.gyp. */
  readonly variables?: Readonly<Record<string, string>>;
  /**
   * Body of an async function that throws if `addon`, the loaded addon, does not work; `null` if it is not tested.
   */
  readonly proof: string | null;
}

const BUILD_MS_MAX = 1_200_000;

const require = createRequire(import.meta.url);

/** Compiles the addon; returns the reason if that fails. The complete file is renamed into place. */
export function compileAddon({ name, sources, target, variables = {}, proof }: AddonSources): string | null {
  const nodedir = headersFolder();
  if (nodedir === null) return 'no Node headers next to node; set npm_config_nodedir to their folder';
  mkdirSync(target, { recursive: true });
  const folder = mkdtempSync(join(target, 'build-'));
  try {
    cpSync(sources, folder, { recursive: true });
    const built = join(folder, 'build', 'Release', `${name}.node`);
    const problem =
      compile(folder, nodedir, variables, join(target, 'build.log')) ?? (proof === null ? null : failure(built, proof));
    if (problem === null) renameSync(built, join(target, `${name}.node`));
    return problem;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the folder that contains include/node/node_api.h. */
function headersFolder(): string | null {
  const candidates = [process.env['npm_config_nodedir'], dirname(dirname(process.execPath))];
  return candidates.find((folder) => folder && existsSync(join(folder, 'include/node/node_api.h'))) ?? null;
}

function compile(folder: string, nodedir: string, variables: AddonSources['variables'], log: string): string | null {
  const gyp = require.resolve('node-gyp/bin/node-gyp.js');
  const defined = Object.entries(variables!).map(([name, value]) => `-D${name}=${value}`);
  const { ok, output } = run([
    gyp,
    'rebuild',
    `--directory=${folder}`,
    `--nodedir=${nodedir}`,
    '--jobs=max',
    '--',
    ...defined,
  ]);
  writeFileSync(log, output);
  return ok ? null : `${firstError(output)}; see ${log}`;
}

/**
 * Loads the addon in a separate process, so that an addon that crashes is found now and not at run time. Returns why it
 * fails.
 */
function failure(built: string, proof: string): string | null {
  const script = `const addon = require(${JSON.stringify(built)}); (async () => { ${proof} })()`;
  return run(['-e', script]).ok ? null : 'it does not work';
}

function run(args: readonly string[]): { readonly ok: boolean; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: BUILD_MS_MAX,
    maxBuffer: 64 * 1024 * 1024,
  });
  return { ok: status === 0, output: `${stdout}${stderr}` };
}

/**
 * Returns the most useful line of node-gyp's output: a missing tool, or else the first error of the compiler or of
 * node-gyp.
 */
function firstError(output: string): string {
  const missing = /^make(?:\[\d+\])?: (.+(?:No such file or directory|not found))$/m.exec(output);
  const line = missing ?? /(?:error:|gyp ERR! stack Error:) *(.+)/.exec(output);
  return line?.[1] ?? 'node-gyp failed';
}
