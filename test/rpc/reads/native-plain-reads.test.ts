// Plain reads: which bodies the addon leaves to the service, how read entries are marked as used, and addons of another
// build.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { loadNativeModule } from '../../../src/native/load-addon.js';
import type { PlainReadsModule } from '../../../src/native/addon-types.js';
import { SubmittedNonceAddresses } from '../../../src/rpc/reads/submitted-nonce-addresses.js';
import { type DefaultBlockTag, loadPlainReads, createPlainReads } from '../../../src/rpc/reads/native-plain-reads.js';
import { HASH_KEY_WORDS } from '../../../src/state/table/layout/key-hash.js';
import { BLOCK_RING_RECORDS, ENTRY_FIELDS, CLOCK_MARK_BIT } from '../../../src/state/table/layout/table-layout.js';
import { TableReader } from '../../../src/state/table/read/table-reader-and-snapshot.js';
import { PackedKey } from '../../../src/state/table/layout/packed-key.js';
import { findAccount, openTable } from '../../../src/state/table/layout/table.js';
import { TableWriter } from '../../../src/state/table/writer.js';
import { headsOf } from './find-difference.js';
import { Random } from '../../support/programs/random.js';
import { account, addressOf, diffOf, hashOf, slot } from '../../state/diffs.js';

const { open, reason } = loadPlainReads(2);
const skip = reason === 'addon' ? false : reason;
const NONCE = { jsonrpc: '2.0', id: 1, method: 'eth_getTransactionCount', params: [toHex(addressOf(1)), 'latest'] };
const AT_ONE = headsOf(1, 1);

function tableOfOne(): TableWriter {
  const writer = TableWriter.create({ complete: true });
  writer.publish(diffOf({ block: 1, hash: hashOf(1), accounts: [account(1, 31n)] }));
  return writer;
}

function answer(writer: TableWriter, body: unknown): string | null {
  return answerText(writer, JSON.stringify(body));
}

function answerText(writer: TableWriter, body: string): string | null {
  const bytes = open(writer.buffer)!.answer(Buffer.from(body), 0, AT_ONE);
  return bytes === null ? null : Buffer.from(bytes).toString();
}

void describe('plain reads', { skip }, () => {
  void it('a batch over the call limit is left to the service', () => {
    const writer = tableOfOne();
    const one = '{"jsonrpc":"2.0","id":1,"result":"0x1f"}';
    assert.equal(answer(writer, NONCE), one);
    assert.equal(answer(writer, [NONCE, NONCE]), `[${one},${one}]`);
    assert.equal(answer(writer, [NONCE, NONCE, NONCE]), null);
    assert.equal(answer(writer, []), null);
  });

  void it('white space between tokens, as Python writes it, does not make a body go to the service', () => {
    const writer = tableOfOne();
    const python = JSON.stringify(NONCE).replaceAll(/[,:]/g, (mark) => `${mark} `);
    const one = '{"jsonrpc":"2.0","id":1,"result":"0x1f"}';
    assert.equal(answerText(writer, python), one);
    assert.equal(answerText(writer, JSON.stringify([NONCE, NONCE], null, 2)), `[${one},${one}]`);
    assert.equal(answerText(writer, `\n${python}\r\n\t`), one);
    assert.equal(answerText(writer, python.replace('": ', '":\f')), null);
    assert.equal(answerText(writer, `${python} {}`), null);
  });

  void it('nonces at `pending` of accounts with submitted transactions are left to the service, at no other tag', () => {
    const writer = tableOfOne();
    writer.publish(diffOf({ block: 2, hash: hashOf(2), accounts: [account(2, 32n), account(3, 33n)] }));
    const guarded = new SubmittedNonceAddresses(3);
    const reads = loadPlainReads(4, 'pending', guarded).open(writer.buffer)!;
    const query = (...calls: readonly (readonly [at: number, block?: string | null, method?: string])[]): unknown => {
      const body = calls.map(([at, block, method = 'eth_getTransactionCount']) => {
        return {
          jsonrpc: '2.0',
          id: 1,
          method,
          params: [toHex(addressOf(at)), ...(block === undefined ? [] : [block])],
        };
      });
      const bytes = reads.answer(Buffer.from(JSON.stringify(body)), 0, headsOf(2, 2));
      const answers = bytes === null ? null : (JSON.parse(Buffer.from(bytes).toString()) as { result: string }[]);
      return answers?.map(({ result }) => result) ?? null;
    };
    assert.deepEqual(query([1, 'pending'], [2, 'pending'], [3, 'pending']), ['0x1f', '0x20', '0x21']);
    for (const at of [2, 3, 2]) guarded.add(addressOf(at));
    assert.equal(guarded.size, 2);
    for (const at of [2, 3]) {
      assert.equal(query([at, 'pending']), null);
      assert.equal(query([at]), null);
      assert.equal(query([at, null]), null);
      assert.equal(query([1, 'pending'], [at, 'pending']), null);
      assert.deepEqual(query([at, 'latest'], [at, '0x2'], [1, 'pending']), [`0x2${at - 2}`, `0x2${at - 2}`, '0x1f']);
      assert.notEqual(query([at, 'pending', 'eth_getBalance']), null);
    }
    const batch = JSON.stringify([1, 2, 1].map((at) => ({ ...NONCE, params: [toHex(addressOf(at)), 'pending'] })));
    const run = reads.answer(Buffer.from(batch), 1, headsOf(2, 2));
    assert.equal(Buffer.from(run!).toString(), '{"jsonrpc":"2.0","id":1,"result":"0x1f"}');
    guarded.delete(addressOf(2));
    guarded.delete(addressOf(1));
    assert.deepEqual(query([2, 'pending']), ['0x20']);
    assert.equal(query([3, 'pending']), null);
    guarded.delete(addressOf(3));
    assert.deepEqual(query([3, 'pending']), ['0x21']);
    for (const at of [1, 2, 3]) guarded.add(addressOf(at));
    assert.throws(() => guarded.add(addressOf(4)), /more accounts are guarded/);
  });

  void it('the set of guarded accounts is the same here and in the addon, whatever is added and removed', () => {
    const count = 40;
    const all = Array.from({ length: count }, (_, at) => addressOf(at * 7919));
    const writer = TableWriter.create({ complete: true });
    writer.publish(diffOf({ block: 1, hash: hashOf(1), accounts: all.map((_, at) => account(at * 7919, 1n)) }));
    const guarded = new SubmittedNonceAddresses(count);
    const reads = loadPlainReads(1, 'latest', guarded).open(writer.buffer)!;
    const isLeft = (address: Uint8Array): boolean => {
      const body = JSON.stringify({ ...NONCE, params: [toHex(address), 'pending'] });
      return reads.answer(Buffer.from(body), 0, AT_ONE) === null;
    };
    const model = new Set<Uint8Array>();
    const random = new Random(5);
    for (let step = 0; step < 1000; step++) {
      const address = random.pick(all);
      if (random.below(2) === 0) {
        guarded.add(address);
        model.add(address);
      } else {
        guarded.delete(address);
        model.delete(address);
      }
      assert.equal(guarded.size, model.size);
      for (const each of all) assert.equal(isLeft(each), model.has(each), `step ${step}`);
    }
  });

  void it('balances of up to 128 bits are read, wider ones are left to the service', () => {
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

  void it('a block can be named by number, `safe` and `finalized`', () => {
    const writer = TableWriter.create({ complete: true });
    const publish = (block: number, nonce: bigint, fork = 0): void => {
      writer.publish(
        diffOf({
          block,
          hash: hashOf(block, fork),
          parentHash: hashOf(block - 1, block > 2 ? fork : 0),
          accounts: [account(1, nonce)],
        }),
      );
    };
    for (const block of [1, 2, 3]) publish(block, BigInt(block * 16));
    const reader = new TableReader(writer.buffer);
    const plain = open(writer.buffer)!;
    const at = (...block: readonly string[]): string | null => {
      const version = reader.newest();
      const record = reader.record(version);
      const heads = { ...record.heads, safe: 2, finalized: 1 };
      const params = [toHex(addressOf(1)), ...block];
      const bytes = plain.answer(Buffer.from(JSON.stringify({ ...NONCE, params })), 0, {
        version,
        record: { ...record, heads },
      });
      return bytes === null ? null : (JSON.parse(Buffer.from(bytes).toString()) as { result: string }).result;
    };
    assert.deepEqual([at('0x3'), at('0x2'), at('safe'), at('finalized')], ['0x30', '0x20', '0x20', '0x10']);
    assert.deepEqual([at('0x4'), at('0x0'), at('0x02'), at('earliest')], [null, null, null, null]);
    assert.equal(at('0x2'), '0x20');
    publish(2, 33n, 1);
    assert.deepEqual([at('0x2'), at('0x1'), at('0x3')], ['0x21', '0x10', null]);
    publish(3, 49n, 1);
    assert.deepEqual([at('0x2'), at('0x3')], ['0x21', '0x31']);
    writer.publish(diffOf({ block: 4, parentHash: hashOf(3, 1), accounts: [account(1, 64n)] }));
    assert.deepEqual([at('0x4'), at('pending'), at('latest')], ['0x40', '0x40', '0x31']);
  });

  void it('a missing or null block is the configured default block', () => {
    const writer = tableOfOne();
    writer.publish(diffOf({ block: 2, parentHash: hashOf(1), accounts: [account(1, 32n)], slots: [slot(1, 0, 7)] }));
    const address = toHex(addressOf(1));
    const result = (defaultBlock: DefaultBlockTag, method: string, ...params: unknown[]): unknown => {
      const body = Buffer.from(JSON.stringify({ ...NONCE, method, params }));
      const bytes = loadPlainReads(2, defaultBlock).open(writer.buffer)!.answer(body, 0, headsOf(2, 1));
      return bytes === null ? null : BigInt((JSON.parse(Buffer.from(bytes).toString()) as { result: string }).result);
    };
    for (const none of [[], [null]]) {
      assert.equal(result('latest', 'eth_getTransactionCount', address, ...none), 31n);
      assert.equal(result('pending', 'eth_getTransactionCount', address, ...none), 32n);
      assert.equal(result('latest', 'eth_getStorageAt', address, '0x0', ...none), 0n);
      assert.equal(result('pending', 'eth_getStorageAt', address, '0x0', ...none), 7n);
    }
    assert.equal(result('latest', 'eth_getStorageAt', address), null);
    assert.equal(result('latest', 'eth_getStorageAt', address, null), null);
    assert.equal(result('latest', 'eth_getBalance', null), null);
  });

  void it('of a mixed batch the plain reads before the first other call are answered by the addon', () => {
    const writer = tableOfOne();
    const run = (calls: readonly unknown[], from: number): string | null => {
      const bytes = open(writer.buffer)!.answer(Buffer.from(JSON.stringify(calls)), from, AT_ONE);
      return bytes === null ? null : Buffer.from(bytes).toString();
    };
    const one = '{"jsonrpc":"2.0","id":1,"result":"0x1f"}';
    const other = { ...NONCE, method: 'eth_chainId', params: [] };
    assert.equal(run([NONCE, NONCE, other, NONCE], 1), `${one},${one}`);
    assert.equal(run([other, NONCE], 1), null);
    assert.equal(run([other, NONCE], JSON.stringify(other).length + 2), one);
    assert.equal(run([NONCE, { ...NONCE, params: [toHex(addressOf(1)), '0x7'] }], 1), one);
  });

  void it('entries that are read are marked, so that they are not evicted', () => {
    const writer = tableOfOne();
    const table = openTable(writer.buffer);
    const key = new PackedKey();
    key.setAddress(addressOf(1));
    const link = findAccount(table, key.words, 0) + ENTRY_FIELDS.link;
    Atomics.and(table.words, link, ~CLOCK_MARK_BIT);
    answer(writer, NONCE);
    assert.equal(Atomics.load(table.words, link) & CLOCK_MARK_BIT, CLOCK_MARK_BIT);
  });
});

void it('an addon built for another table layout is not used', () => {
  const addon = { layout: () => ({ layoutVersion: -1 }) } as unknown as PlainReadsModule;
  assert.throws(() => createPlainReads(addon, 1), /built for another table: layoutVersion/);
});

void it('the addon that was built has the layout of the table', () => {
  assert.doesNotMatch(
    reason,
    /another table/,
    'src/native/reads/table-reader.h follows src/state/table/layout/table-layout.ts',
  );
});

void it('a geometry that does not belong to the table is refused', { skip }, () => {
  const { part } = loadNativeModule('reads');
  const { words, regions, accountMask, slotMask, olderMask } = openTable(tableOfOne().buffer);
  const places = [regions.accounts, accountMask, regions.slots, slotMask, regions.older, olderMask, regions.blocks];
  const geometry = Uint32Array.from([
    ...places,
    BLOCK_RING_RECORDS - 1,
    1,
    8,
    ...Array.from({ length: HASH_KEY_WORDS }, () => 1),
  ]);
  const create = (of: Int32Array, at: Uint32Array): unknown =>
    part!.create(of, new Uint8Array(256), new Uint32Array(3), new Uint32Array(12), Uint32Array.of(0), at, 1);
  assert.equal(typeof create(words, geometry), 'function');
  for (const region of [0, 2, 4, 6]) {
    for (const at of [region, region + 1]) {
      const beyond = geometry.slice();
      beyond[at] = words.length;
      assert.throws(() => create(words, beyond), /not of a table of so many words/);
    }
  }
  assert.throws(() => create(words.subarray(0, 16), geometry), /not of a table of so many words/);
});
