// Programs in languages with strict types, built beforehand from `clients` beside the shared data: they recompute what they are told and
// count what is wrong. TYPED_GO and TYPED_RUST name the built programs, TYPED_PYTHON an interpreter that has web3.py; HEAVY=1 runs them.
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
  readonly modes: readonly string[];
}

/** Modes in which nothing hangs on `latest` being behind a receipt, which is this server's own. */
const PROGRAMS: readonly Program[] = [
  { variable: 'TYPED_GO', modes: ['chain URL', 'reads URL', 'reads SOCKET', 'push SOCKET', 'after URL'] },
  { variable: 'TYPED_RUST', modes: ['types URL 4', 'subs SOCKET'] },
  { variable: 'TYPED_PYTHON', modes: [`${SOURCES}/python/aio.py URL SOCKET`] },
];

function skipOf(variable: string): string | false {
  if (process.env['HEAVY'] === undefined) return 'takes minutes; HEAVY=1 runs it';
  if (!existsSync(SOURCES)) return 'needs clients beside the shared test data (set SHARED_DATA)';
  return process.env[variable] === undefined ? `${variable} names no program` : false;
}

describe('programs in languages with strict types', () => {
  let server: Server;
  before(async () => {
    server = await Server.start('--dev-traffic', '5', '--revert-error-code', '3');
  });
  after(() => server.stop());

  for (const { variable, modes } of PROGRAMS) {
    for (const mode of modes) {
      test(`${variable} ${mode.replace(SOURCES, '')}`, { skip: skipOf(variable) }, async () => {
        const args = mode.replace('URL', server.url).replace('SOCKET', server.url.replace('http', 'ws')).split(' ');
        const { stdout } = await run(process.env[variable]!, args, { timeout: PROGRAM_MS_MAX, maxBuffer: 1e8 });
        const last = stdout.trimEnd().split('\n').at(-1)!;
        assert.match(last, /\b[1-9][0-9]* right, 0 wrong/, stdout);
      });
    }
  }
});
