// Base after Denim, as its node tells it: five blocks share a timestamp, each begins with the deposits of L1 and of BaseTime, and the
// node's eth_config names precompiles of its own. Every block costs the node one question, and nothing begins anew.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { encodeHeader, type Header } from '../../../src/chain/block/header.js';
import { knownChain } from '../../../src/chain/known.js';
import { baseFeeAfter } from '../../../src/chain/op/base-fee.js';
import { timestampMsOf } from '../../../src/chain/op/base-time.js';
import { BASE_TIME, DEPOSITOR, L1_BLOCK } from '../../../src/chain/op/predeploys.js';
import { BLOCK_HASHES, blockHashSlot } from '../../../src/chain/system-contracts.js';
import { createRules } from '../../../src/evm/reference/fork-rules.js';
import { BlockExecutor } from '../../../src/execution/block/executor.js';
import { TransactionExecutor } from '../../../src/execution/block/transaction-executor.js';
import { fromHex, toHex, toQuantity } from '../../../src/lib/bytes/hex.js';
import { keccak256 } from '../../../src/lib/bytes/keccak.js';
import { toBytes } from '../../../src/lib/bytes/words.js';
import type { ConfirmedTransaction } from '../../../src/state/block.js';
import { COINBASE, depositBytes, l1BlockStorage, SENDER, signedBytes } from '../../execution/op/blocks.js';
import { assemble } from '../../support/assembler.js';
import { EXECUTOR } from '../../support/engine.js';
import { blockEnv } from '../../support/jobs.js';
import { MemoryView } from '../../support/memory-view.js';
import type { NodeBlock } from '../../support/upstream-node.js';
import { LayeredView } from './chain-maker.js';
import { LiveRig } from './live-rig.js';

const CHAIN = knownChain(8453n)!;
const RULES = createRules(CHAIN);
const DENIM = 1_793_901_600;
const BLOCK_MS = 200;
/** Jovian's version 1, denominator 250, elasticity 6, no least base fee. */
const EXTRA_DATA = fromHex(`0x01000000fa00000006${'00'.repeat(8)}`);
const RECEIVER = `0x${'bb'.repeat(20)}`;
/** SSTORE(word 0 of the call data, TIMESTAMP). */
const NOTER = `0x${'aa'.repeat(20)}`;
const BLOCKS = 15;
/** Like BaseTime's contract: the argument of its setter in slot 0. */
const BASE_TIME_CODE = assemble('PUSH 4; CALLDATALOAD; PUSH 0; SSTORE');

interface BaseBlock extends NodeBlock {
  readonly number: number;
  readonly hash: Uint8Array;
  readonly parsed: Header;
  readonly transactions: readonly ConfirmedTransaction[];
}

function genesisState(): MemoryView {
  return new MemoryView()
    .put(SENDER, { balance: 10n ** 18n })
    .put(NOTER, { nonce: 1n, code: assemble('TIMESTAMP; PUSH 0; CALLDATALOAD; SSTORE') })
    .put(toHex(BASE_TIME), { nonce: 1n, code: BASE_TIME_CODE })
    .put(toHex(L1_BLOCK), { nonce: 1n, code: assemble('STOP'), storage: l1BlockStorage({ scalar: 0n, constant: 0n }) });
}

/** Milliseconds of a block's time since Denim. */
const sinceDenimMs = (number: number): number => number * BLOCK_MS;

function transactionsOf(number: number, nonce: bigint): Uint8Array[] {
  const from = toHex(DEPOSITOR);
  const millis = toBytes(BigInt(sinceDenimMs(number) % 1000), 32);
  const told = new Uint8Array(Buffer.concat([fromHex('0x86bdf394'), millis]));
  return [
    depositBytes({ from, to: toHex(L1_BLOCK) }),
    depositBytes({ from, to: toHex(BASE_TIME), data: told }),
    signedBytes(CHAIN, { to: RECEIVER, nonce, value: 5n }),
    signedBytes(CHAIN, { to: NOTER, nonce: nonce + 1n, data: toBytes(BigInt(number), 32) }),
  ];
}

async function makeBlock(parent: BaseBlock | null): Promise<BaseBlock> {
  const start = parent?.state ?? genesisState();
  const number = (parent?.number ?? 0) + 1;
  const env = blockEnv({
    number,
    timestamp: BigInt(DENIM + Math.floor(sinceDenimMs(number) / 1000)),
    coinbase: fromHex(COINBASE),
    baseFeePerGas: parent === null ? 7n : baseFeeAfter(CHAIN, parent.parsed),
  });
  const parentHash = parent?.hash ?? new Uint8Array(32).fill(9);
  const plan = { env, parentHash, extraData: EXTRA_DATA, withdrawals: [], work: null };
  const executor = new TransactionExecutor(RULES, start, EXECUTOR);
  const blockExecutor = await BlockExecutor.open(plan, { executor, view: start, trie: null });
  const { nonce } = start.account(fromHex(SENDER))!;
  for (const raw of transactionsOf(number, nonce)) assert.equal((await blockExecutor.apply(raw)).kind, 'applied');
  const { block, header: parsed, changes } = await blockExecutor.seal();
  const header = encodeHeader(parsed);
  const hash = keccak256(header);
  const state = new LayeredView(start, changes, number, hash);
  return { number, hash, parsed, header, transactions: block.transactions, withdrawals: [], state };
}

const B20_FACTORY = `0xb20f${'0'.repeat(36)}`;
const FORK = {
  activationTime: DENIM,
  blobSchedule: null,
  precompiles: { P256VERIFY: `0x${'100'.padStart(40, '0')}`, B20_FACTORY },
  systemContracts: {},
};
const ACCOUNTS = [SENDER, RECEIVER, NOTER, COINBASE, toHex(BASE_TIME)].map((address) => fromHex(address));

/** The node's state after a block is ours. */
function assertSame(rig: LiveRig, { state, number }: BaseBlock): void {
  for (const address of ACCOUNTS)
    assert.deepEqual(rig.latest.account(address), state.account(address), `${toHex(address)} after block ${number}`);
  const [noter, slot] = [fromHex(NOTER), toBytes(BigInt(number), 32)];
  assert.deepEqual(rig.latest.storage(noter, slot), state.storage(noter, slot));
  assert.deepEqual(
    rig.latest.storage(BASE_TIME, new Uint8Array(32)),
    toBytes(BigInt(sinceDenimMs(number) % 1000), 32),
    `milliseconds of block ${number}`,
  );
}

describe('Base after Denim', () => {
  const blocks: BaseBlock[] = [];
  let rig: LiveRig;
  let config: { current: typeof FORK; next: typeof FORK | null; last: typeof FORK | null } = {
    current: FORK,
    next: null,
    last: null,
  };
  before(async () => {
    for (let count = 0; count <= BLOCKS; count++) blocks.push(await makeBlock(blocks.at(-1) ?? null));
    rig = await LiveRig.start({
      blocks: blocks.slice(0, 1),
      rules: RULES,
      asksRules: true,
      prepare: (node) => {
        node.methods.set('eth_config', () => config);
        // Its node shows milliseconds that no header has.
        node.bend = (json) => {
          const ms = timestampMsOf(
            BigInt(json['timestamp'] as string),
            blocks[Number(json['number']) - 1]!.transactions,
          );
          return { ...json, timestampMs: toQuantity(ms!) };
        };
      },
    });
  });
  after(() => rig.stop());

  test('precompiles of the node are named, and cast no doubt on what is executed', () => {
    assert.equal(rig.status.doubt, null);
    assert.equal(rig.status.notice, null);
    assert.deepEqual(rig.status.strangers, [{ kind: 'precompile', name: `B20_FACTORY (${B20_FACTORY})` }]);
    assert.deepEqual(rig.warnings, [`not known here: precompile B20_FACTORY (${B20_FACTORY})`]);
  });

  test('blocks that share a timestamp follow each other, each read equal, at one question and no more', async () => {
    assert.equal(new Set(blocks.map(({ parsed }) => parsed.timestamp)).size, Math.ceil((BLOCKS + 2) / 5));
    assert.equal(await rig.hold({ accounts: ACCOUNTS, slots: [] }), null);
    for (const block of blocks.slice(1)) {
      const slots = [
        { address: fromHex(NOTER), slot: toBytes(BigInt(block.number), 32) },
        { address: BASE_TIME, slot: new Uint8Array(32) },
      ];
      assert.equal(await rig.hold({ accounts: [], slots }), null);
      const known = { ...rig.node.counts.byMethod };
      rig.node.push(block);
      await rig.atHead(block);
      const asked = Object.entries(rig.node.counts.byMethod).filter(([method, count]) => count !== known[method]);
      // Looks at the tags come at a pace of their own.
      const ofBlock = asked.filter(([method]) => method !== 'eth_getBlockByNumber');
      if (block.number > 2) assert.deepEqual(ofBlock, [['eth_getBlockByHash', (known['eth_getBlockByHash'] ?? 0) + 1]]);
      assertSame(rig, block);
      // System calls write slots that no block before has: those of blocks to come are read beside the first one.
      const slot = blockHashSlot(BLOCKS + 2);
      const coming = { accounts: [], slots: [{ address: BLOCK_HASHES, slot }] };
      if (block.number === 2) await rig.until(() => rig.lacked(coming).slots.length === 0, 'read ahead');
    }
    const { mismatches, restarts, blocksExecuted } = rig.status.counts;
    assert.deepEqual({ mismatches, restarts, blocksExecuted }, { mismatches: 0, restarts: 0, blocksExecuted: BLOCKS });
    assert.equal(rig.epochs, 1, rig.notes.join('; '));
  });

  test('a fork that the node names while it is followed is told, and doubted only when it comes', async () => {
    const zenith = { ...FORK, activationTime: DENIM + 10_000 };
    config = { current: FORK, next: zenith, last: zenith };
    await rig.node.kill();
    await rig.until(() => rig.status.upstreamSilentSinceMs !== null, 'the node is missed');
    await rig.node.restart();
    const block = await makeBlock(blocks.at(-1)!);
    blocks.push(block);
    rig.node.push(block);
    await rig.atHead(block);
    assert.match(rig.status.notice ?? '', new RegExp(`not known here, from timestamp ${DENIM + 10_000} on`));
    assert.deepEqual(rig.status.strangers.at(-1), { kind: 'fork', name: `at ${DENIM + 10_000}` });
    assert.equal(rig.status.doubt, null);
    assert.equal(rig.status.counts.blocksExecuted, BLOCKS + 1);
  });
});
