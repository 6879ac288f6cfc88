// Programs in statically typed languages, built beforehand from `clients` next to the shared data: they recompute what
// they receive and count errors. TYPED_GO and TYPED_RUST name the built programs, TYPED_PYTHON an interpreter with
// web3.py, TYPED_JAVA a script that runs web3j's with its arguments followed by the contract's file; HEAVY=1 runs them.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Server } from '../support/server.js';
import { sharedData } from '../support/shared-data.js';

const run = promisify(execFile);
const PROGRAM_MS_MAX = 300_000;
const SOURCES = sharedData('../clients');

/** A program and its argument lists, in which URL and SOCKET are replaced by the server's addresses. */
interface Program {
  readonly variable: string;
  /** Modes that do not depend on `latest` lagging behind a receipt, which is specific to this server. */
  readonly modes: readonly string[];
  /** Complete flows, with --dev-tools. */
  readonly flows: readonly string[];
  /** Members that it counts as errors although they are not, by name, with the reason. */
  readonly apart?: Readonly<Record<string, string>>;
}

const WEB3J = {
  'Transfer.sendFunds': 'is signed without a chain id, which go-ethereum refuses, too',
  'all members of a block': 'takes no null, which go-ethereum has, too, for the hash of a pending block',
  receipt: 'is asked for of pending transactions, and comes with the block',
  'logs once each': 'counts those of the block before the filter, too, where that has some',
};

const PROGRAMS: readonly Program[] = [
  {
    variable: 'TYPED_GO',
    modes: ['chain URL', 'reads URL', 'reads SOCKET', 'push SOCKET', 'after URL'],
    flows: ['flow URL 1', 'errors URL URL'],
  },
  { variable: 'TYPED_RUST', modes: ['types URL 4', 'subs SOCKET'], flows: ['flow URL 5'] },
  {
    variable: 'TYPED_PYTHON',
    modes: [`${SOURCES}/python/aio.py URL SOCKET`],
    flows: [`${SOURCES}/python/sync.py URL 3`],
  },
  { variable: 'TYPED_JAVA', modes: [], flows: ['URL SOCKET 9'], apart: WEB3J },
];

function skipOf(variable: string): string | false {
  if (process.env['HEAVY'] === undefined) return 'takes minutes; HEAVY=1 runs it';
  if (!existsSync(SOURCES)) return 'needs clients beside the shared test data (set SHARED_DATA)';
  return process.env[variable] === undefined ? `${variable} names no program` : false;
}

/** Errors that a program finds: its last line is the count, lines with a dash have a name and its count. */
async function faultsOf({ variable, apart = {} }: Program, mode: string, server: Server): Promise<readonly string[]> {
  const args = mode.replaceAll('URL', server.url).replace('SOCKET', server.url.replace('http', 'ws')).split(' ');
  const cwd = variable === 'TYPED_PYTHON' ? `${SOURCES}/python` : undefined;
  const { stdout } = await run(process.env[variable]!, args, { timeout: PROGRAM_MS_MAX, maxBuffer: 1e8, cwd });
  const lines = stdout.trimEnd().split('\n');
  assert.match(lines.at(-1)!, /\b[1-9][0-9]* right, \d+ wrong/, stdout);
  if (lines.at(-1)!.includes(' 0 wrong')) return [];
  const named = lines.flatMap((line) => /^- (.*): \d+ right, \d+ wrong$/.exec(line)?.[1] ?? []);
  return (named.length === 0 ? [stdout] : named).filter((name) => !(name in apart));
}

for (const [flags, modesOf] of [
  ['--revert-error-code 3', ({ modes }: Program) => modes],
  ['--dev-tools', ({ flows }: Program) => flows],
] as const) {
  describe(`programs in statically typed languages find no error, ${flags}`, () => {
    let server: Server;
    before(async () => {
      server = await Server.start('--dev-traffic', '5', ...flags.split(' '));
    });
    after(() => server.stop());

    for (const program of PROGRAMS) {
      for (const mode of modesOf(program)) {
        const name = `${program.variable} ${mode.replace(SOURCES, '')}`;
        test(name, { skip: skipOf(program.variable) }, async () => {
          assert.deepEqual(await faultsOf(program, mode, server), []);
        });
      }
    }
  });
}
