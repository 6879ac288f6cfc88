// Executes a whole block of the upstream node on state that may not be held, and compares the result with its header.
// Runs on the publisher.
import { sameBytes } from '../../evm/byte-map.js';
import { BlockExecution, type BlockPlan, type SealedBlock } from '../../evm/execute.js';
import { decodeHeader, envOfHeader, type Header } from '../../evm/header.js';
import type { Machine } from '../../evm/machine.js';
import type { ForkRules } from '../../evm/rules.js';
import { decodeBlockTransaction, recipientOf, type BlockTransaction } from '../../evm/transaction.js';
import { toHex } from '../../lib/hex.js';
import type { Wants } from '../../state/recording-view.js';
import type { StateView } from '../../state/view.js';
import type { UpstreamBlock } from '../../upstream/upstream.js';
import { settled, type SettledParts } from './settled.js';

/** What executing a block came to; `mismatch` says in which respect it is not what the chain says. */
export type BlockRun =
  | { readonly kind: 'fits'; readonly sealed: SealedBlock }
  | { readonly kind: 'mismatch'; readonly reason: string };

/** Executes `block` on the state of its parent. Rejects with UpstreamError. */
export async function runBlock(
  block: UpstreamBlock,
  view: () => StateView,
  machine: Machine,
  parts: SettledParts,
): Promise<BlockRun> {
  const header = decodeHeader(block.header);
  const rules = machine.rules.at(header.number, header.timestamp);
  const prepared = prepare(
    block.transactions.map(({ raw }) => raw),
    rules,
  );
  if (typeof prepared === 'string') return mismatch(prepared);
  await parts.filler.fill(wantsOf(prepared, [header.coinbase]));
  const plan = planOf(block, header, rules.common.gteHardfork('paris'));
  return settled<BlockRun>(view, (state) => pass(plan, prepared, machine, state, header), parts);
}

/** Decodes transactions by the rules of their block; a text says which one is malformed. */
export function prepare(transactions: readonly Uint8Array[], rules: ForkRules): BlockTransaction[] | string {
  const prepared: BlockTransaction[] = [];
  for (const [index, raw] of transactions.entries()) {
    const transaction = decodeBlockTransaction(raw, rules);
    if (typeof transaction === 'string') return `transaction ${index}: ${transaction}`;
    prepared.push(transaction);
  }
  return prepared;
}

/**
 * What the transactions read whatever happens: fetched before the first pass, which then gets into their code.
 * `others`: further accounts.
 */
export function wantsOf(transactions: readonly BlockTransaction[], others: readonly Uint8Array[]): Wants {
  const called = transactions.map(recipientOf).filter((address) => address !== null);
  return { accounts: [...others, ...transactions.map(({ from }) => from), ...called], slots: [] };
}

async function pass(
  plan: BlockPlan,
  transactions: readonly BlockTransaction[],
  machine: Machine,
  view: StateView,
  header: Header,
): Promise<{ result: BlockRun; changes: SealedBlock['changes'] | null }> {
  const execution = await BlockExecution.open(plan, { machine, view, trie: null });
  let refused: string | null = null;
  for (const [index, transaction] of transactions.entries()) {
    const applied = await execution.apply(transaction);
    if (applied.kind === 'refused') refused ??= `transaction ${index} is invalid: ${applied.message}`;
  }
  if (refused !== null) return { result: mismatch(refused), changes: null };
  const sealed = await execution.seal();
  const reason = misfit(sealed.header, header);
  if (reason !== null) return { result: mismatch(reason), changes: null };
  return { result: { kind: 'fits', sealed }, changes: sealed.changes };
}

/** Where a result differs from the header: gas and receipts. The state has no root here, but shows in both. */
export function misfit(executed: Header, stated: Header): string | null {
  if (executed.gasUsed !== stated.gasUsed) return `gas used is ${executed.gasUsed}, the header says ${stated.gasUsed}`;
  if (sameBytes(executed.receiptsRoot, stated.receiptsRoot)) return null;
  return `receipts root is ${toHex(executed.receiptsRoot)}, the header says ${toHex(stated.receiptsRoot)}`;
}

function planOf({ withdrawals }: UpstreamBlock, header: Header, isMerged: boolean): BlockPlan {
  const { parentHash, extraData, mixHash, nonce } = header;
  const work = isMerged ? null : { mixHash, nonce, uncles: [] };
  return { env: envOfHeader(header), parentHash, extraData, withdrawals, work };
}

function mismatch(reason: string): BlockRun {
  return { kind: 'mismatch', reason };
}
