// Every header field of a live block is verified: a block that contradicts its parent or its execution causes a resync;
// one that was pre-confirmed in a different environment is executed again, and the field is reported.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { decodeHeader, type Header } from '../../../src/chain/block/header.js';
import { toHex, toQuantity } from '../../../src/lib/bytes/hex.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import { ACCOUNTS, WRITER, altered, framesOf, genesis, makeBlock, type MadeBlock, write } from './chain-maker.js';
import { LiveRig, assertSameState } from './live-rig.js';

const FILLED = new Uint8Array(32).fill(0x13);

let rig: LiveRig;
let root: MadeBlock;
let tip: MadeBlock;

beforeEach(async () => {
  root = genesis();
  tip = await makeBlock(root, [write(1n, 1n)]);
});
afterEach(() => rig.stop());

/** Balances of all senders and receivers, and the written slots. */
async function assertState(expected: MadeBlock): Promise<void> {
  const { coinbase } = decodeHeader(expected.header);
  const slots = [1n, 2n, 3n].map((slot) => ({ address: WRITER, slot: toBytes(slot, 32) }));
  const keys = { accounts: [coinbase, ...ACCOUNTS], slots };
  assert.equal(await rig.fetch(keys), null);
  assertSameState(rig.latest, expected.state, keys, `block ${expected.number}`);
}

const reported = (text: string): string[] => rig.notes.filter((note) => note.includes(text));

/** The reported difference, and the changed header field. */
const MEMBERS: readonly (readonly [text: string, change: (header: Header) => Partial<Header>])[] = [
  ['base fee is ', ({ baseFeePerGas }) => ({ baseFeePerGas: baseFeePerGas! + 1n })],
  ['excess blob gas is 0, header says 131072', () => ({ excessBlobGas: 131_072n })],
  ['gas limit 60000000 is too far', ({ gasLimit }) => ({ gasLimit: gasLimit * 2n })],
  ["is not after the parent's ", ({ timestamp }) => ({ timestamp: timestamp - 3n })],
  ['blob gas used is 0, header says 131072', () => ({ blobGasUsed: 131_072n })],
  ['requests hash is ', () => ({ requestsHash: FILLED })],
  ['logs bloom is ', () => ({ logsBloom: new Uint8Array(256).fill(1) })],
  ['receipts root is ', () => ({ receiptsRoot: FILLED })],
  ['withdrawals root is ', () => ({ withdrawalsRoot: FILLED })],
  ['requests hash is missing', () => ({ requestsHash: null })],
];

describe('a block whose header differs from its execution', () => {
  for (const [text, change] of MEMBERS) {
    test(`causes a resync: ${text}…`, async () => {
      rig = await LiveRig.start({ blocks: [root, tip] });
      const block = await makeBlock(tip, [write(2n, 5n)]);
      const other = altered(block, change(decodeHeader(block.header)));
      await rig.confirm(other);
      assert.equal(reported(text).length, 1, rig.notes.join('; '));
      assert.equal(rig.status.counts.mismatches, 1);
      assert.equal(rig.epochs, 2);
    });
  }
});

/** A field of the feed's base, a wrong value, and the name under which it is reported. */
const WRONG_FIELDS: readonly (readonly [member: string, wrong: (header: Header) => string, label: string])[] = [
  ['timestamp', ({ timestamp }) => toQuantity(timestamp + 1n), 'timestamp'],
  ['prev_randao', () => toHex(FILLED), 'prev randao'],
  ['gas_limit', ({ gasLimit }) => toQuantity(gasLimit + 1n), 'gas limit'],
  ['fee_recipient', () => `0x${'13'.repeat(20)}`, 'fee recipient'],
  ['parent_beacon_block_root', () => toHex(FILLED), 'parent beacon block root'],
];

const withField = (frames: readonly string[], member: string, value: string): string[] =>
  frames.map((frame) => frame.replace(new RegExp(`"${member}":"0x[0-9a-f]+"`), `"${member}":"${value}"`));

describe('a block that was pre-confirmed with a different environment', () => {
  beforeEach(async () => {
    rig = await LiveRig.start({ blocks: [root, tip], hasFeed: true });
  });

  for (const [member, wrong, label] of WRONG_FIELDS) {
    test(`is executed, and the differing field is reported: ${member}`, async () => {
      const block = await makeBlock(tip, [write(2n, 5n), write(3n, 6n, 1)]);
      rig.send(...withField(framesOf(block, 1), member, wrong(decodeHeader(block.header))));
      await rig.until(rig.isAt(block, 2), 'increments');
      await rig.confirm(block);
      assert.equal(
        reported(`block ${block.number} as it was pre-confirmed: ${label} is `).length,
        1,
        rig.notes.join('; '),
      );
      const { mismatches, blocksExecuted, blocksPromoted } = rig.status.counts;
      assert.deepEqual(
        { mismatches, blocksExecuted, blocksPromoted, epochs: rig.epochs },
        {
          mismatches: 1,
          blocksExecuted: 1,
          blocksPromoted: 0,
          epochs: 1,
        },
      );
      await assertState(block);
    });
  }

  test('has the blocks above it executed again on top of it', async () => {
    const block = await makeBlock(tip, [write(2n, 5n)]);
    const next = await makeBlock(block, [write(3n, 6n, 1)]);
    rig.send(...withField(framesOf(block, 1), 'prev_randao', toHex(FILLED)), ...framesOf(next, 1));
    await rig.until(rig.isAt(next, 1), 'increments');
    await rig.confirm(block);
    await rig.until(rig.isAt(next, 1), 'built again');
    assert.equal(rig.status.counts.mismatches, 1, rig.notes.join('; '));
    await rig.confirm(next);
    assert.equal(rig.status.counts.blocksPromoted, 1);
    await assertState(next);
  });

  test('an increment whose receipts root differs from that of the feed is not published', async () => {
    const block = await makeBlock(tip, [write(2n, 5n), write(3n, 6n, 1)]);
    const [opening, first, second] = framesOf(block, 1);
    rig.send(opening!, first!, ...withField([second!], 'receipts_root', toHex(FILLED)));
    await rig.until(() => rig.status.counts.mismatches === 1, 'mismatch');
    assert.equal(reported('receipts root is ').length, 1, rig.notes.join('; '));
    await rig.until(() => rig.newest.version === rig.newest.latestVersion, 'back to latest');
    await rig.confirm(block);
    await assertState(block);
  });
});
