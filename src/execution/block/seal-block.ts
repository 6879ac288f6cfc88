// Seals a block: makes its header from the execution results, and computes its hash.
import { logsBloom } from '../../lib/bytes/bloom.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import { blockSizeBytes, encodeWithdrawal } from '../../chain/block/encode-block.js';
import { buildHeader } from '../../chain/block/build-header.js';
import { EMPTY_REQUESTS_HASH } from '../../chain/block/execution-requests.js';
import { blockEnvOfHeader, encodeHeader, hashUncles, type Header } from '../../chain/block/header.js';
import { MESSAGE_PASSER_ADDRESS } from '../../chain/op/predeploys.js';
import { listTrieRoot } from '../../chain/list-trie-root.js';
import type { StateTrie } from '../../chain/state-root.js';
import type { ForkRules } from '../../evm/reference/fork-rules.js';
import type { CompleteBlock, ExecutedTransaction, Withdrawal } from '../../state/complete-block.js';
import type { BlockEnv } from '../../state/state-diff.js';
import { ZERO_WORD } from '../../lib/bytes/big-endian.js';

/** Everything about a block that is known before its transactions are executed. */
export interface BlockPlan {
  readonly env: BlockEnv;
  readonly parentHash: Uint8Array;
  readonly extraData: Uint8Array;
  /** Withdrawals (EIP-4895); `null` before Shanghai. */
  readonly withdrawals: readonly Withdrawal[] | null;
  /** Proof-of-work fields; `null` from the merge on. */
  readonly work: ProofOfWorkFields | null;
  /** Transactions root, if the transactions were already checked against it. */
  readonly transactionsRoot?: Uint8Array;
  /** State roots from the block's header, used if there are no tries from which to compute them. */
  readonly roots?: Pick<Header, 'stateRoot' | 'withdrawalsRoot'>;
}

export interface ProofOfWorkFields {
  readonly mixHash: Uint8Array;
  readonly nonce: Uint8Array;
  readonly uncles: readonly Header[];
}

/**
 * Returns the plan for executing the block with this header and body. It contains the header's transactions root, so
 * the block's transactions must have been checked against it.
 */
export function blockPlanOf(
  header: Header,
  { withdrawals, uncles = [] }: Pick<BlockPlan, 'withdrawals'> & { readonly uncles?: readonly Header[] },
  { common }: ForkRules,
): BlockPlan {
  const { parentHash, extraData, mixHash, nonce, transactionsRoot } = header;
  const work = common.gteHardfork('paris') ? null : { mixHash, nonce, uncles };
  return { env: blockEnvOfHeader(header), parentHash, extraData, transactionsRoot, withdrawals, work };
}

/** Results of executing a block. */
export interface BlockResults {
  readonly transactions: readonly ExecutedTransaction[];
  readonly receiptsRoot: Uint8Array;
  readonly gasUsed: bigint;
  /** Blob gas used; on the OP Stack from Jovian on, the data footprint. */
  readonly blobGasUsed: bigint;
  /** Hash of the requests (EIP-7685); `null` before Prague. */
  readonly requests: Uint8Array | null;
  /** RLP of the access list (EIP-7928); `null` before Amsterdam. */
  readonly accessList: Uint8Array | null;
}

/**
 * Seals a block that was executed by `plan`. `trie` has the tries of the block's state. If it is `null`, the header
 * takes its roots from `plan.roots`, or zero if those are missing.
 */
export function sealBlock(
  plan: BlockPlan,
  rules: ForkRules,
  trie: StateTrie | null,
  results: BlockResults,
): { readonly block: CompleteBlock; readonly header: Header } {
  const header = sealedHeader(plan, rules, trie, results);
  const { withdrawals, work } = plan;
  const { transactions, accessList } = results;
  const encoded = encodeHeader(header);
  const raws = transactions.map(({ raw }) => raw);
  const uncles = (work?.uncles ?? []).map(encodeHeader);
  const block = {
    number: header.number,
    hash: keccak256(encoded),
    header: encoded,
    sizeBytes: blockSizeBytes({ header: encoded, transactions: raws, uncles, withdrawals }),
    transactions,
    withdrawals,
    ...(uncles.length === 0 ? {} : { uncles }),
    ...(accessList === null ? {} : { accessList }),
  };
  return { block, header };
}

/** Returns the block's header, with the fields that its fork has. */
function sealedHeader(plan: BlockPlan, rules: ForkRules, trie: StateTrie | null, results: BlockResults): Header {
  const { env, parentHash, extraData, work, roots } = plan;
  const { transactions, receiptsRoot, gasUsed, blobGasUsed, requests, accessList } = results;
  return buildHeader(env, rules.common, {
    parentHash,
    extraData,
    ...(work === null ? {} : { work: { ...work, unclesHash: hashUncles(work.uncles) } }),
    stateRoot: trie?.root() ?? roots?.stateRoot ?? ZERO_WORD,
    transactionsRoot: plan.transactionsRoot ?? listTrieRoot(transactions.map(({ raw }) => raw)),
    receiptsRoot,
    logsBloom: logsBloom(transactions.flatMap(({ receipt }) => receipt.logs)),
    gasUsed,
    blobGasUsed,
    withdrawalsRoot: withdrawalsRoot(plan, rules, trie),
    requestsHash: requests ?? EMPTY_REQUESTS_HASH,
    blockAccessListHash: accessList === null ? ZERO_WORD : keccak256(accessList),
  });
}

/**
 * Returns the withdrawals root. On the OP Stack from Isthmus on, this is the storage root of a predeployed contract.
 */
function withdrawalsRoot(plan: BlockPlan, rules: ForkRules, trie: StateTrie | null): Uint8Array {
  if (rules.op?.has('isthmus') !== true) return listTrieRoot((plan.withdrawals ?? []).map(encodeWithdrawal));
  return trie?.storageRootOf(MESSAGE_PASSER_ADDRESS) ?? plan.roots?.withdrawalsRoot ?? ZERO_WORD;
}
