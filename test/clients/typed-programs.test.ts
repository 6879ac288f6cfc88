// Programs in statically typed languages, built beforehand from `clients` beside the shared data: they recompute what
// they receive and count errors. TYPED_GO and TYPED_RUST name the built programs, TYPED_PYTHON an interpreter that has
// web3.py, TYPED_JAVA a script that runs web3j's with its arguments and the contract's file after them; HEAVY=1 runs
// them.
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

/** A program and its argument lists, in which URL and SOCKET stand for the server's addresses. */
interface Program {
  readonly variable: string;
  /** Nothing in these hangs on `latest` being behind a receipt, which is this server's own. */
  readonly modes: readonly string[];
  /** With --dev-tools: whole flows. */
  readonly flows: readonly string[];
  /** Members that it counts as wrong and that are not, by name, and why. */
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

/** Faults that a program finds: its last line counts, lines with a dash name and count. */
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
