// Plain reads: what the addon leaves to the service, the marks of what was read, and an addon of another build.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toHex } from '../../../src/lib/hex.js';
import type { ReadsPart } from '../../../src/native/parts.js';
import { loadPlainReads, plainReadsOf } from '../../../src/rpc/plain-reads/plain-reads.js';
import { ENTRY, MARK } from '../../../src/state/table/layout.js';
import { PackedKey } from '../../../src/state/table/packed-key.js';
import { findAccount, openTable } from '../../../src/state/table/table.js';
import { TableWriter } from '../../../src/state/table/writer.js';
import { account, addressOf, diffOf, hashOf } from '../../state/diffs.js';

const { open, reason } = loadPlainReads(2);
const skip = reason === 'addon' ? false : reason;
const NONCE = { jsonrpc: '2.0', id: 1, method: 'eth_getTransactionCount', params: [toHex(addressOf(1)), 'latest'] };
const AT_ONE = { version: 1, record: { latestVersion: 1 } };

function tableOfOne(): TableWriter {
  const writer = TableWriter.create({ complete: true });
  writer.publish(diffOf({ block: 1, hash: hashOf(1), accounts: [account(1, 31n)] }));
  return writer;
}

function answer(writer: TableWriter, body: unknown): string | null {
  return answerText(writer, JSON.stringify(body));
}

function answerText(writer: TableWriter, body: string): string | null {
  const bytes = open(writer.buffer)!.answer(Buffer.from(body), AT_ONE);
  return bytes === null ? null : Buffer.from(bytes).toString();
}

void describe('plain reads', { skip }, () => {
  void it('a batch of more calls than are allowed is left to the service', () => {
    const writer = tableOfOne();
    const one = '{"jsonrpc":"2.0","id":1,"result":"0x1f"}';
    assert.equal(answer(writer, NONCE), one);
    assert.equal(answer(writer, [NONCE, NONCE]), `[${one},${one}]`);
    assert.equal(answer(writer, [NONCE, NONCE, NONCE]), null);
    assert.equal(answer(writer, []), null);
  });

  void it('white space between tokens, as Python writes it, is no reason to leave a body to the service', () => {
    const writer = tableOfOne();
    const python = JSON.stringify(NONCE).replaceAll(/[,:]/g, (mark) => `${mark} `);
    const one = '{"jsonrpc":"2.0","id":1,"result":"0x1f"}';
    assert.equal(answerText(writer, python), one);
    assert.equal(answerText(writer, JSON.stringify([NONCE, NONCE], null, 2)), `[${one},${one}]`);
    assert.equal(answerText(writer, `\n${python}\r\n\t`), one);
    assert.equal(answerText(writer, python.replace('": ', '":\f')), null);
    assert.equal(answerText(writer, `${python} {}`), null);
  });

  void it('balances of up to 128 bits are answered, wider ones are left to the service', () => {
    const writer = TableWriter.create({ complete: true });
    const accounts = [2n ** 128n - 1n, 2n ** 128n].map((balance, i) => account(i, 1n, balance));
    writer.publish(diffOf({ block: 1, hash: hashOf(1), accounts }));
    const [narrow, wide, absent] = [0, 1, 2].map((i) => ({
      ...NONCE,
      method: 'eth_getBalance',
      params: [toHex(addressOf(i)), 'latest'],
    }));
    assert.equal(answer(writer, narrow), `{"jsonrpc":"2.0","id":1,"result":"0x${'f'.repeat(32)}"}`);
    assert.equal(answer(writer, absent), '{"jsonrpc":"2.0","id":1,"result":"0x0"}');
    assert.equal(answer(writer, wide), null);
    assert.equal(answer(writer, [narrow, wide]), null);
  });

  void it('what is read is marked, so that it is not given up', () => {
    const writer = tableOfOne();
    const table = openTable(writer.buffer);
    const key = new PackedKey();
    key.setAddress(addressOf(1));
    const link = findAccount(table, key.words, 0) + ENTRY.link;
    Atomics.and(table.words, link, ~MARK);
    answer(writer, NONCE);
    assert.equal(Atomics.load(table.words, link) & MARK, MARK);
  });
});

void it('an addon that was built for another table is not used', () => {
  const addon = { layout: () => ({ layoutVersion: -1 }) } as unknown as ReadsPart;
  assert.throws(() => plainReadsOf(addon, 1), /built for another table: layoutVersion/);
});

void it('the addon that was built knows the layout of the table', () => {
  assert.doesNotMatch(reason, /another table/, 'src/rpc/plain-reads/table.h follows src/state/table/layout.ts');
});
