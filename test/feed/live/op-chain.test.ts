// A small OP Stack chain built here, with a deposit and a few transactions in each block: followed by blocks and by
// increments, it has the hashes that it was built with, and balances that were computed by hand.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keccak256 } from '../../../src/lib/bytes/keccak-wasm.js';
import { BlockExecutor } from '../../../src/execution/block/block-executor.js';
import { encodeHeader, type Header } from '../../../src/chain/block/header.js';
import { TransactionExecutor } from '../../../src/execution/block/transaction-executor.js';
import { nextBaseFeeOnChain } from '../../../src/chain/base-fee.js';
import { BASE_FEE_VAULT_ADDRESS, L1_BLOCK_ADDRESS, L1_FEE_VAULT_ADDRESS } from '../../../src/chain/op/predeploys.js';
import { BEACON_ROOTS_ADDRESS } from '../../../src/chain/block-start-system-contracts.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import type { ExecutedTransaction } from '../../../src/state/complete-block.js';
import { COINBASE, SENDER, depositBytes, l1BlockStorage, opChainAt, signedBytes } from '../../execution/op/blocks.js';
import { assemble } from '../../support/assembler.js';
import { EXECUTOR } from '../../support/engine.js';
import { blockEnv } from '../../support/jobs.js';
import { MemoryView } from '../../support/memory-view.js';
import { temporaryFile } from '../../support/temporary-folder.js';
import type { NodeBlock, UpstreamNode } from '../../support/upstream-node.js';
import { LayeredView } from './chain-maker.js';
import { LiveRig } from './live-rig.js';
import { opFrames } from './op-frames.js';
import { TracedChain, type TracedBlock } from './traced-chain.js';

const CHAIN = opChainAt('holocene');
const RULES = createChainRules(CHAIN);
/** Holocene's version 0, denominator 250, elasticity 6. */
const EXTRA_DATA = fromHex('0x00000000fa00000006');
const FUNDS = 10n ** 18n;
const MINTED = 1000n;
const BASE_FEE = 7n;
const TIP = 2n;
/** L1 fee of a short transaction at the prices of `l1BlockStorage`: it counts as 100 bytes. */
const L1_FEE = 118n;
const TRANSFER_GAS = 21_000n;
const DEPOSITOR = `0x${'de'.repeat(20)}`;
const RECEIVER = `0x${'bb'.repeat(20)}`;
/** SSTORE(word 0 of the call data, NUMBER). */
const NOTER = `0x${'aa'.repeat(20)}`;
/** Transfers in each block. */
const TRANSFERS = 3n;
const BLOCKS = 4;

interface MadeOpBlock extends NodeBlock, TracedBlock {
  readonly number: number;
  readonly parsed: Header;
  readonly transactions: readonly ExecutedTransaction[];
}

function genesisState(): MemoryView {
  return new MemoryView()
    .put(SENDER, { balance: FUNDS })
    .put(NOTER, { nonce: 1n, code: assemble('NUMBER; PUSH 0; CALLDATALOAD; SSTORE') })
    .put(toHex(L1_BLOCK_ADDRESS), {
      nonce: 1n,
      code: assemble('STOP'),
      storage: l1BlockStorage({ scalar: 0n, constant: 0n }),
    });
}

/** A deposit that mints, transfers of 5 wei, and a call that stores its block's number. */
function transactionsOf(number: number, nonce: bigint): Uint8Array[] {
  const deposit = depositBytes({ from: DEPOSITOR, to: RECEIVER, mint: MINTED, value: BigInt(number) });
  const transfers = Array.from({ length: Number(TRANSFERS) }, (_, i) =>
    signedBytes(CHAIN, { to: RECEIVER, nonce: nonce + BigInt(i), value: 5n }),
  );
  const call = signedBytes(CHAIN, { to: NOTER, nonce: nonce + TRANSFERS, data: toBytes(BigInt(number), 32) });
  return [deposit, ...transfers, call];
}

async function makeBlock(parent: MadeOpBlock | null): Promise<MadeOpBlock> {
  const start = parent?.state ?? genesisState();
  const number = (parent?.number ?? 0) + 1;
  const env = blockEnv({
    number,
    timestamp: BigInt(1_700_000_000 + 2 * number),
    coinbase: fromHex(COINBASE),
    baseFeePerGas: parent === null ? BASE_FEE : nextBaseFeeOnChain(CHAIN, parent.parsed),
  });
  const parentHash = parent?.hash ?? new Uint8Array(32).fill(9);
  const plan = { env, parentHash, extraData: EXTRA_DATA, withdrawals: [], work: null };
  const executor = new TransactionExecutor(RULES, start, EXECUTOR);
  const blockExecutor = await BlockExecutor.open(plan, { executor, view: start, trie: null });
  const nonce = start.account(fromHex(SENDER))!.nonce;
  for (const raw of transactionsOf(number, nonce)) assert.equal((await blockExecutor.apply(raw)).kind, 'applied');
  const { block, header: parsed, changes } = await blockExecutor.seal();
  const header = encodeHeader(parsed);
  const hash = keccak256(header);
  const state = new LayeredView(start, changes, number, hash);
  const body = { number, header, transactions: block.transactions, withdrawals: [] };
  return { ...body, hash, parsed, state, env, block: body, parent: { hash: parentHash, state: start } };
}

async function blocksMade(count: number): Promise<MadeOpBlock[]> {
  const blocks: MadeOpBlock[] = [];
  while (blocks.length < count) blocks.push(await makeBlock(blocks.at(-1) ?? null));
  return blocks;
}

const balance = (rig: LiveRig, address: Uint8Array): bigint => rig.latest.account(address)?.balance ?? 0n;

for (const hasFeed of [false, true]) {
  describe(`an OP-Stack chain of our own, ${hasFeed ? 'in increments' : 'whole'}`, () => {
    let blocks: MadeOpBlock[];
    let rig: LiveRig;
    before(async () => {
      blocks = await blocksMade(BLOCKS + 1);
      rig = await LiveRig.start({ blocks: blocks.slice(0, 1), hasFeed, rules: RULES });
    });
    after(() => rig.stop());

    test('has the gas, receipts and hashes that it was made with', async () => {
      for (const block of blocks.slice(1)) {
        if (hasFeed) {
          const frames = opFrames(block, 2);
          rig.send(...frames);
          await rig.until(() => {
            const { block: number, index } = rig.newest.coordinates;
            return number === block.number && index === frames.length - 1;
          }, `increments of block ${block.number}`);
        }
        await rig.confirm(block);
      }
      const { counts } = rig.status;
      assert.equal(counts.mismatches, 0, rig.notes.join('; '));
      assert.equal(rig.epochs, 1, rig.notes.join('; '));
      assert.equal(hasFeed ? counts.blocksPromoted : counts.blocksExecuted, BLOCKS);
    });

    test('mints the value of deposits, and pays fees to the vaults', async () => {
      const all = BigInt(blocks.length);
      const accounts = [DEPOSITOR, RECEIVER, SENDER, COINBASE].map(fromHex);
      assert.equal(
        await rig.fetch({ accounts: [...accounts, BASE_FEE_VAULT_ADDRESS, L1_FEE_VAULT_ADDRESS], slots: [] }),
        null,
      );
      const [depositor, receiver, sender, coinbase] = accounts.map((address) => balance(rig, address));
      // Deposit number n forwards n wei of what it mints.
      const handedOn = (all * (all + 1n)) / 2n;
      assert.equal(depositor, all * MINTED - handedOn);
      assert.equal(receiver, handedOn + all * TRANSFERS * 5n);
      const signed = blocks.flatMap(({ transactions }) => transactions.filter(({ raw }) => raw[0] === 2));
      const gas = signed.reduce((sum, { receipt }) => sum + receipt.gasUsed, 0n);
      assert.ok(gas > all * TRANSFERS * TRANSFER_GAS);
      assert.equal(balance(rig, BASE_FEE_VAULT_ADDRESS), gas * BASE_FEE);
      assert.equal(coinbase, gas * TIP);
      const l1Fees = balance(rig, L1_FEE_VAULT_ADDRESS);
      assert.equal(l1Fees, BigInt(signed.length) * L1_FEE);
      assert.equal(sender, FUNDS - gas * (BASE_FEE + TIP) - l1Fees - all * TRANSFERS * 5n);
    });

    test('keeps the storage that its contracts write', async () => {
      const noter = fromHex(NOTER);
      const slots = blocks.map(({ number }) => ({ address: noter, slot: toBytes(BigInt(number), 32) }));
      assert.equal(await rig.fetch({ accounts: [noter], slots }), null);
      for (const { address, slot } of slots) assert.deepEqual(rig.latest.storage(address, slot), slot);
    });
  });
}

test('blocks before Ecotone cause resyncs, which is reported once', async () => {
  const op = { ...CHAIN.op!, ecotone: 4_000_000_000, fjord: null, granite: null, holocene: null };
  const blocks = await blocksMade(3);
  const rig = await LiveRig.start({ blocks: blocks.slice(0, 1), rules: createChainRules({ ...CHAIN, op }) });
  try {
    await rig.confirm(...blocks.slice(1));
    assert.equal(rig.epochs, blocks.length);
    assert.equal(rig.status.counts.mismatches, 0);
    assert.deepEqual(rig.warnings, [rig.status.notice]);
    assert.match(rig.warnings[0]!, /executed from Ecotone on/);
    assert.equal(rig.notes.filter((note) => note.startsWith('following from')).length, 1, rig.notes.join('; '));
  } finally {
    await rig.stop();
  }
});

/** The forks as a node of this chain reports them: Ethereum's names, nothing about the OP Stack. */
const ETH_CONFIG = {
  current: {
    activationTime: 0,
    blobSchedule: null,
    precompiles: { KZG_POINT_EVALUATION: toHex(toBytes(10n, 20)), P256VERIFY: toHex(toBytes(256n, 20)) },
    systemContracts: { BEACON_ROOTS_ADDRESS: toHex(BEACON_ROOTS_ADDRESS) },
  },
  next: null,
  last: null,
};
const ROLLUP = { l2_chain_id: 901, canyon_time: 0, ecotone_time: 0, fjord_time: 0, granite_time: 0, holocene_time: 0 };
const DEPOSITS = 'blocks have deposits of the OP Stack, whose forks eth_config does not tell: --genesis does';

for (const [known, config, file, doubt] of [
  ['by eth_config alone', ETH_CONFIG, null, DEPOSITS],
  ['not at all', null, null, /^no rules are known for the chain with id 901, and the upstream has no eth_config/],
  ['by a rollup file beside eth_config', ETH_CONFIG, ROLLUP, null],
  ['by a rollup file whose last fork is none that is known here', null, { ...ROLLUP, lagoon_time: 9 }, /lagoon_time/],
] as const) {
  test(`an OP-Stack chain that is in no table, described ${known}, is executed only where its forks are known`, async () => {
    const blocks = await blocksMade(4);
    const prepare = (node: UpstreamNode): void => {
      node.methods.set('eth_config', () => config);
      new TracedChain(blocks, RULES).serveOn(node);
    };
    const named = file === null ? {} : { genesisFile: temporaryFile('rollup.json', JSON.stringify(file)) };
    const rig = await LiveRig.start({
      blocks: blocks.slice(0, 1),
      rules: RULES,
      queriesRules: true,
      prepare,
      ...named,
    });
    try {
      const accounts = [DEPOSITOR, RECEIVER, SENDER, COINBASE]
        .map(fromHex)
        .concat(BASE_FEE_VAULT_ADDRESS, L1_FEE_VAULT_ADDRESS);
      for (const block of blocks) {
        if (block !== blocks[0]) await rig.confirm(block);
        if (doubt === null || typeof doubt === 'string') assert.equal(rig.status.doubt, doubt);
        else assert.match(rig.status.doubt ?? '', doubt);
        assert.equal(await rig.fetch({ accounts, slots: [] }), null);
        for (const address of accounts)
          assert.deepEqual(rig.latest.account(address), block.state.account(address), `${block.number}`);
      }
      const { blocksExecuted, blocksByPrestate, mismatches, unknownRules } = rig.status.counts;
      assert.deepEqual(
        { blocksExecuted, blocksByPrestate, mismatches, unknownRules, epochs: rig.epochs },
        doubt === null
          ? { blocksExecuted: 3, blocksByPrestate: 0, mismatches: 0, unknownRules: 0, epochs: 1 }
          : { blocksExecuted: 0, blocksByPrestate: 3, mismatches: 0, unknownRules: 1, epochs: 1 },
        rig.notes.join('; '),
      );
    } finally {
      await rig.stop();
    }
  });
}
