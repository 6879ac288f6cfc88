// A damaged archive: reads of the damaged record fail, everything else is served, and the next start reports the
// damage.
import assert from 'node:assert/strict';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fromHex } from '../../src/lib/bytes/hex.js';
import { accountKey } from '../../src/state/archive/format/keys-and-values.js';
import { assemble } from '../support/assembler.js';
import { Server, metric } from '../support/server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { SENDER, makeLongChain } from './long-chain.js';
import { runToEnd } from './program.js';

/** Returns the balance of SENDER. */
const READ_BALANCE = assemble(`PUSH ${SENDER}; BALANCE; PUSH 0; MSTORE; PUSH 32; PUSH 0; RETURN`);
const READER = `0x${'b4'.repeat(20)}`;
const INTERNAL = { code: -32_603, message: 'internal error' };

const quantity = (value: number): string => `0x${value.toString(16)}`;

/** Flips a bit after every occurrence of the key in the file; LMDB's memory map shows the change at once. */
function damage(file: string, key: Buffer): void {
  const bytes = readFileSync(file);
  for (let at = bytes.indexOf(key); at >= 0; at = bytes.indexOf(key, at + 1)) bytes[at + key.length + 2]! ^= 0x10;
  writeFileSync(file, bytes, { flag: 'r+' });
}

describe('a damaged archive', () => {
  const dataDir = temporaryFolder();
  const file = join(dataDir, 'data.mdb');
  let server: Server;
  let block: number;

  before(async () => {
    const past = await makeLongChain(dataDir, 12);
    block = past[4]!.number;
    server = await Server.start('--data-dir', dataDir, '--dev-traffic', '0', '--workers', '1');
  });
  after(() => server.stop('SIGKILL'));

  test('reads of a damaged record get an error, and the log reports it once', async () => {
    const balance = (at: number): ReturnType<Server['query']> => server.query('eth_getBalance', [SENDER, quantity(at)]);
    const sound = await balance(block - 1);
    damage(file, accountKey(fromHex(SENDER), block));
    assert.deepEqual((await balance(block)).error, INTERNAL);
    const call = [{ to: READER }, quantity(block), { [READER]: { code: READ_BALANCE } }];
    assert.deepEqual((await server.query('eth_call', call)).error, INTERNAL);
    assert.deepEqual((await balance(block - 1)).result, sound.result);
    assert.match((await server.query('eth_getBalance', [SENDER, 'latest'])).result as string, /^0x/);
    assert.equal(await metric(server, 'archive_damaged_records_total'), 1);
    const { ready, reason } = await server.readiness();
    assert.ok(ready);
    assert.match(reason, /; damaged records of the archive: 1$/);
    assert.equal(server.log.filter((line) => line.includes('is not what was written')).length, 1);
    assert.equal(await server.stop(), 0);
  });

  test('a damaged archive is refused at the next start with a one-line error', async () => {
    const { code, stdout, stderr } = await runToEnd(['--port', '0', '--data-dir', dataDir, '--dev-traffic', '0']);
    assert.match(stderr, /^prestate: the archive in [^\n]* is damaged: record accounts [0-9a-f]+ [^\n]+\n$/);
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
  });

  test('an archive that has lost its file is not created anew', async () => {
    truncateSync(file, 0);
    const { code, stderr } = await runToEnd(['--port', '0', '--data-dir', dataDir, '--dev-traffic', '0']);
    assert.match(stderr, /^prestate: [^\n]*its data file is empty\n$/);
    assert.equal(code, 2);
  });
});
