// A chain that anvil builds from random transactions, once executed and once applied as diffs from its tracers: equal
// key by key after every block, and equal to the node's whole state.
import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { after, before, test } from 'node:test';
import { concat, JsonRpcProvider, type TransactionRequest, type Wallet } from 'ethers';
import * as fc from 'fast-check';
import { decodeHeader, blockEnvOfHeader } from '../../src/chain/block/header.js';
import { createChainRules } from '../../src/evm/reference/fork-rules.js';
import { BlockExecutor, type BlockPlan, type SealedBlock } from '../../src/execution/block/block-executor.js';
import { parseGenesis } from '../../src/execution/block/genesis.js';
import { TransactionExecutor } from '../../src/execution/block/transaction-executor.js';
import { newLiveFeedCounters } from '../../src/feed/live-feed-counters.js';
import { changesFromBlockDiff } from '../../src/feed/diffs/apply-block-diff.js';
import { UpstreamDiffReader } from '../../src/feed/diffs/diff-reader.js';
import { fromHex, toHex } from '../../src/lib/bytes/hex.js';
import { toBytes } from '../../src/lib/bytes/big-endian.js';
import type { MissingKeys } from '../../src/state/views/miss-recording-view.js';
import { createUpstream } from '../../src/upstream/create-upstream.js';
import type { Upstream, UpstreamBlock } from '../../src/upstream/upstream.js';
import { WholeState, type Alloc } from '../feed/diffs/whole-state.js';
import { EXECUTOR } from '../support/engine.js';
import { temporaryFile } from '../support/temporary-folder.js';
import { ABSENT, bareGenesisText, CHAIN_ID, CONTRACTS, MODEST, POOR, WALLETS, word } from './genesis.js';
import { Peer } from './peer.js';

const SEED = Number(process.env['DIFFERENTIAL_SEED'] ?? 20_261_121);
const BLOCKS = Number(process.env['DIFFERENTIAL_BLOCKS'] ?? 12);
const BLOCK_GAS = 30_000_000;
const GAS = 400_000;
const GWEI = 10n ** 9n;
/** More nonces than any account here has used. */
const NONCES = 3;

/**
 * Init codes: deploy code, write storage, do nothing; self-destruct at once, to another account or to itself; create a
 * child of each kind.
 */
const SHORT = ['600160005560026001556160015f526002601ef3', '60ff5f55', '33ff', '30ff', '5f5ffd', 'fe'];
const INITS = [...SHORT, ...SHORT.map(parentOf)];

/** Init code that creates a contract from other init code, and deploys nothing itself. */
function parentOf(init: string): string {
  const length = init.length / 2;
  return `${(0x5f + length).toString(16)}${init}5f52${pushed(length)}${pushed(32 - length)}6007f0`;
}

function pushed(value: number): string {
  return `60${value.toString(16).padStart(2, '0')}`;
}

/** Action of a transaction; `target` and `salt` select accounts and words. */
const action = fc.record({
  kind: fc.constantFrom('transfer', 'call', 'call', 'call', 'create', 'create', 'delegate'),
  target: fc.nat(1000),
  salt: fc.nat(4),
});
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

const genesis = bareGenesisText();
let anvil: Peer;
let node: Upstream;
let provider: JsonRpcProvider;

before(async () => {
  anvil = await Peer.start(temporaryFile('genesis.json', genesis), CHAIN_ID, BLOCK_GAS);
  node = createUpstream({ url: anvil.url, wsUrl: null, pollMs: 1000 });
  provider = new JsonRpcProvider(anvil.url, CHAIN_ID, { staticNetwork: true, cacheTimeout: -1 });
});

after(async () => {
  provider?.destroy();
  await node?.close();
  await anvil?.stop();
});

void test('blocks of anvil are the same executed and as diffs of both tracers', async () => {
  const rules = createChainRules(parseGenesis('genesis.json', genesis).chain);
  let state = WholeState.of((JSON.parse(genesis) as { alloc: Alloc }).alloc);
  const executor = new TransactionExecutor(rules, state, EXECUTOR);
  const reader = new UpstreamDiffReader(node);
  const actions = fc.sample(fc.array(action, { minLength: 4, maxLength: 12 }), { seed: SEED, numRuns: BLOCKS });
  for (const some of actions) {
    const block = await mined(some);
    const sealed = await executedBlock(block, executor, state);
    const executed = state.copy();
    executed.apply(sealed.changes);
    const { transactions } = sealed.block;
    const byDiffs = state.copy();
    const missed = byDiffs.missOnce();
    const fetch = async ({ accounts, slots }: MissingKeys): Promise<void> => {
      for (const address of accounts) missed.add(toHex(address));
      for (const { address, slot } of slots) missed.add(toHex(address) + toHex(slot));
    };
    const how = {
      reader,
      upstream: node,
      know: ignore,
      fetch,
      residentSlots: () => [],
      executor,
      share: 0.2,
      counts: newLiveFeedCounters(),
    };
    const task = {
      source: 'prestate' as const,
      block,
      plan: planOf(block),
      queues: [],
      showsNodeReceipts: false,
    };
    const run = await changesFromBlockDiff(task, byDiffs, how);
    assert.ok(run.kind === 'fits', run.kind === 'fits' ? '' : run.reason);
    assert.deepEqual(run.transactions, transactions);
    for (const { address } of run.changes.accounts) assert.ok(missed.has(toHex(address)));
    byDiffs.apply(run.changes);
    assert.deepEqual(byDiffs.differences(executed), [], `block ${block.number} by diffs`);
    assert.deepEqual(executed.differences(await dumped()), [], `block ${block.number} at the node`);
    state = executed;
  }
});

/** Nothing is missing: everything is cached. */
function ignore(): void {}

/** The node's whole state, except empty accounts: those do not exist (EIP-161), although they are in its root. */
async function dumped(): Promise<WholeState> {
  const dump = (await node.request('anvil_dumpState', [])) as string;
  const { accounts } = JSON.parse(gunzipSync(fromHex(dump)).toString()) as { accounts: Alloc };
  const all = Object.entries(accounts).filter(([, { balance, nonce, code }]) => {
    return BigInt(balance) > 0n || BigInt(nonce ?? 0) > 0n || (code ?? '0x') !== '0x';
  });
  return WholeState.of(Object.fromEntries(all));
}

async function executedBlock(
  block: UpstreamBlock,
  executor: TransactionExecutor,
  view: WholeState,
): Promise<SealedBlock> {
  const blockExecutor = await BlockExecutor.open(planOf(block), { executor, view, trie: null });
  for (const { raw } of block.transactions) {
    const applied = await blockExecutor.apply(raw);
    assert.equal(applied.kind, 'applied');
  }
  return blockExecutor.seal();
}

function planOf({ header, withdrawals }: UpstreamBlock): BlockPlan {
  const { parentHash, extraData, ...rest } = decodeHeader(header);
  return { env: blockEnvOfHeader({ parentHash, extraData, ...rest }), parentHash, extraData, withdrawals, work: null };
}

async function mined(actions: readonly Action[]): Promise<UpstreamBlock> {
  // For an authority that does not exist, anvil refunds as if it did (EIP-7702).
  const [rich, ...others] = WALLETS.slice(0, -1) as [Wallet, ...Wallet[]];
  let nonce = await provider.getTransactionCount(rich.address);
  for (const each of actions) {
    const request = await requestOf(each, others);
    const common = {
      chainId: CHAIN_ID,
      gasLimit: GAS,
      nonce: nonce++,
      maxFeePerGas: 100n * GWEI,
      maxPriorityFeePerGas: GWEI,
    };
    await provider.send('eth_sendRawTransaction', [await rich.signTransaction({ type: 2, ...common, ...request })]);
  }
  await provider.send('evm_mine', []);
  const block = await node.block(await provider.getBlockNumber());
  assert.equal(block!.transactions.length, actions.length);
  return block!;
}

async function requestOf({ kind, target, salt }: Action, others: readonly Wallet[]): Promise<TransactionRequest> {
  switch (kind) {
    case 'transfer': {
      const to = [MODEST, POOR, ABSENT, toHex(toBytes(BigInt(0x5eed_0000 + target), 20))];
      return { to: to[target % to.length]!, value: BigInt(salt) };
    }
    case 'call':
      return {
        to: CONTRACTS[target % CONTRACTS.length]!,
        value: BigInt(salt % 2),
        data: concat([word(salt), word(target)]),
      };
    case 'create':
      return { data: `0x${INITS[target % INITS.length]!}`, value: BigInt(7 + salt) };
    default: {
      const wallet = others[target % others.length]!;
      const nonce = (await provider.getTransactionCount(wallet.address)) + (salt === 0 ? NONCES : 0);
      const address = salt % 2 === 0 ? CONTRACTS[target % CONTRACTS.length]! : toHex(new Uint8Array(20));
      return { type: 4, to: MODEST, authorizationList: [wallet.authorizeSync({ address, nonce, chainId: CHAIN_ID })] };
    }
  }
}
