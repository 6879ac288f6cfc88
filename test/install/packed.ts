// The packed program, installed as a user does: into an empty folder, without dev dependencies, compilers or install
// scripts.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { probe, environmentOf, saidAtStart, type Probe } from './program.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** A test suite as somebody else might have it, in short. */
const SUITE = `
  import { createEngine } from 'prestate-rpc';
  const [first, second] = await Promise.all([createEngine(), createEngine({ devTraffic: 0 })]);
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}';
  for (const { url } of [first, second]) {
    const answer = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    if ((await answer.json()).result !== '0x7a69') throw new Error('a wrong answer');
  }
  await first.stop();
  await second.stop();
  console.log('ok');
`;

/** The end of a process: its exit code, or the signal that ended it. */
type End = number | NodeJS.Signals;

/** A row of the table. */
export interface PackedRow extends Probe {
  readonly node: string;
  readonly version: string;
  /** Size of all files in node_modules, in MB. */
  readonly installed: number;
  readonly backend: string;
  readonly decoder: string;
  readonly SIGTERM: End;
  readonly SIGINT: End;
  /** How npx ended after SIGTERM; by then the program below it has ended. */
  readonly npx: End;
  readonly api: string;
  readonly stderr: string;
}

/** Packs the project into `folder`, as a release does; returns the files' paths. */
export function pack(folder: string): string[] {
  execFileSync('npm', ['run', 'release', '--', '--dry-run', '--to', folder], { cwd: ROOT, stdio: 'ignore' });
  const files = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  return files.map((name) => join(folder, name));
}

/** Installs `files` into the new folder `app` and runs the program there with that Node.js. */
export async function tryPacked(node: string, files: readonly string[], app: string): Promise<PackedRow> {
  mkdirSync(app);
  const options = { cwd: app, env: environmentOf(node) };
  const run = (command: string, ...args: string[]): string =>
    execFileSync(command, args, { ...options, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  run('npm', 'install', '--prefix', app, '--omit=dev', '--ignore-scripts', ...files);
  const program = join(app, 'node_modules', '.bin', 'prestate');
  const start = (command: string, ...args: string[]): ChildProcess =>
    spawn(command, [...args, '--port', '0', '--log-level', 'debug', '--ipc', join(app, 'prestate.ipc')], {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  writeFileSync(join(app, 'suite.mjs'), SUITE);
  const terminated = await ended(start(program), 'SIGTERM');
  return {
    node: run('node', '--version'),
    version: run('npx', 'prestate', '--version'),
    installed: Math.round(bytesBelow(join(app, 'node_modules')) / 1e6),
    backend: terminated.said['backend'] ?? '',
    decoder: terminated.said['decoder'] ?? '',
    ...terminated.asked,
    SIGTERM: terminated.end,
    SIGINT: (await ended(start(program), 'SIGINT')).end,
    npx: (await ended(start('npx', 'prestate'), 'SIGTERM')).end,
    api: run('node', 'suite.mjs'),
    stderr: terminated.stderr,
  };
}

/** Queries a program as it starts, and stops it: returns its log, and how it ended. Its children end with it. */
async function ended(child: ChildProcess, signal: NodeJS.Signals) {
  let stderr = '';
  child.stderr!.on('data', (text: Buffer) => (stderr += text.toString()));
  const closed = once(child, 'close') as Promise<[number, null] | [null, NodeJS.Signals]>;
  const said = await saidAtStart(child);
  const probed = await probe(said);
  child.kill(signal);
  const [code, by] = await closed;
  return { said, asked: probed, stderr, end: code ?? by };
}

function bytesBelow(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.reduce((sum, name) => sum + lstatSync(join(folder, name)).size, 0);
}
