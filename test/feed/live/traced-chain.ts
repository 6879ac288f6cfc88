// Diffs and receipts of built blocks as a node with prestateTracer returns them, by executing their transactions once
// more.
import { BlockExecutor } from '../../../src/execution/block/block-executor.js';
import { TransactionExecutor } from '../../../src/execution/block/transaction-executor.js';
import type { ChainRules } from '../../../src/evm/reference/fork-rules.js';
import { decodeHeader } from '../../../src/chain/block/header.js';
import { toHex, toQuantity } from '../../../src/lib/bytes/hex.js';
import type { StateChanges } from '../../../src/state/state-diff.js';
import { EMPTY_CODE_HASH, type StateView } from '../../../src/state/views/state-view.js';
import { EXECUTOR } from '../../support/engine.js';
import { NodeError, type UpstreamNode } from '../../support/upstream-node.js';
import { transactionJson, type Json } from '../../support/node-json.js';
import { LayeredView, RULES, type MadeBlock } from './chain-maker.js';

type Account = Record<string, Json>;
type Side = Record<string, Account>;

/** The parts of a block that its traces depend on. */
export type TracedBlock = Pick<MadeBlock, 'hash' | 'env'> & {
  readonly block: Pick<MadeBlock['block'], 'number' | 'header' | 'transactions' | 'withdrawals'>;
  readonly parent: Pick<MadeBlock, 'hash' | 'state'> | null;
};

/** A node's blocks with debug_traceBlockByHash and eth_getBlockReceipts, built by `rules`. */
export class TracedChain {
  readonly #blocks = new Map<string, TracedBlock>();
  readonly #rules: ChainRules;
  /** Changes diffs before they are sent. */
  bend: (diffs: Json[]) => Json[] = (diffs) => diffs;

  constructor(blocks: readonly TracedBlock[], rules: ChainRules = RULES) {
    this.#rules = rules;
    for (const block of blocks) this.add(block);
  }

  add(block: TracedBlock): void {
    this.#blocks.set(toHex(block.hash), block);
  }

  serveOn(node: UpstreamNode): void {
    node.methods.set('debug_traceBlockByHash', async ([hash]) => this.bend(await this.#traces(this.#block(hash))));
    node.methods.set('eth_getBlockReceipts', ([hash]) => receiptsOf(this.#block(hash)));
    node.methods.set('debug_traceTransaction', () => ({ type: 'CALL', calls: [] }));
  }

  #block(hash: unknown): TracedBlock {
    const block = this.#blocks.get(String(hash));
    if (block === undefined) throw new NodeError(-32000, 'block not found');
    return block;
  }

  /** The system calls before and after the transactions are left out, as tracers do. */
  async #traces({ block, env, parent }: TracedBlock): Promise<Json[]> {
    const { state, hash } = parent!;
    const { extraData } = decodeHeader(block.header);
    const executor = new TransactionExecutor(this.#rules, state, EXECUTOR);
    const plan = { env, parentHash: hash, extraData, withdrawals: block.withdrawals, work: null };
    const blockExecutor = await BlockExecutor.open(plan, { executor, view: state, trie: null });
    let before: StateView = new LayeredView(state, blockExecutor.cut(), -1, hash);
    const diffs: Json[] = [];
    for (const { raw, hash: txHash } of block.transactions) {
      const applied = await blockExecutor.apply(raw);
      if (applied.kind === 'refused') throw new Error(applied.message);
      const changes = blockExecutor.cut();
      const after = new LayeredView(before, changes, -1, hash);
      diffs.push({ txHash: toHex(txHash), result: diffOf(changes, before, after) });
      before = after;
    }
    return diffs;
  }
}

export function diffOf(changes: StateChanges, before: StateView, after: StateView): Json {
  const pre: Side = {};
  const post: Side = {};
  const names = [...changes.accounts, ...changes.slots].map(({ address }) => address);
  for (const address of new Map(names.map((each) => [toHex(each), each])).values()) {
    const [old, now] = [before.account(address), after.account(address)];
    const name = toHex(address);
    const slots = changes.slots.filter((slot) => toHex(slot.address) === name);
    if (old !== null) pre[name] = { ...wholeOf(old, before), storage: wordsOf(before, slots) };
    if (now === null) continue;
    post[name] = {
      ...(now.nonce === old?.nonce ? {} : { nonce: Number(now.nonce) }),
      ...(now.balance === old?.balance ? {} : { balance: toQuantity(now.balance) }),
      ...(toHex(now.codeHash) === toHex(old?.codeHash ?? EMPTY_CODE_HASH)
        ? {}
        : { code: toHex(after.code(now.codeHash)) }),
      storage: wordsOf(after, slots),
    };
  }
  return { pre, post };
}

function wholeOf(
  { nonce, balance, codeHash }: NonNullable<ReturnType<StateView['account']>>,
  view: StateView,
): Account {
  const code = view.code(codeHash);
  return {
    balance: toQuantity(balance),
    ...(nonce === 0n ? {} : { nonce: Number(nonce) }),
    ...(code.length === 0 ? {} : { code: toHex(code) }),
  };
}

/** Zero slots are left out. */
function wordsOf(view: StateView, slots: StateChanges['slots']): Account {
  const words = slots.map(({ address, slot }) => [toHex(slot), toHex(view.storage(address, slot))] as const);
  return Object.fromEntries(words.filter(([, word]) => BigInt(word) !== 0n));
}

export function receiptsOf({ block, hash: blockHash }: Pick<TracedBlock, 'block' | 'hash'>): Json {
  return block.transactions.map(({ hash, from, raw, receipt }) => ({
    transactionHash: toHex(hash),
    blockHash: toHex(blockHash),
    blockNumber: toQuantity(block.number),
    from: toHex(from),
    to: transactionJson(raw, from)['to']!,
    type: toQuantity(receipt.type),
    status: toQuantity(receipt.status ?? 0),
    gasUsed: toQuantity(receipt.gasUsed),
    cumulativeGasUsed: toQuantity(receipt.cumulativeGasUsed),
    effectiveGasPrice: toQuantity(receipt.effectiveGasPrice),
    contractAddress: receipt.contractAddress === null ? null : toHex(receipt.contractAddress),
    ...(receipt.depositNonce === undefined
      ? {}
      : { depositNonce: toQuantity(receipt.depositNonce), depositReceiptVersion: '0x1' }),
    logs: receipt.logs.map(({ address, topics, data }) => ({
      address: toHex(address),
      topics: topics.map(toHex),
      data: toHex(data),
    })),
  }));
}
