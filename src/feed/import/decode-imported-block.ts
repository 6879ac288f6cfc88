// Decodes a block of a chain file, and checks everything that can be checked without executing it. Pure.
import { encodeWithdrawal } from '../../chain/block/encode-block.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import {
  EMPTY_UNCLES_HASH,
  encodeHeader,
  headerFromRlpItems,
  hashUncles,
  type Header,
} from '../../chain/block/header.js';
import {
  fieldMismatchMessage,
  parentHeaderMismatch,
  headerFieldText,
} from '../../execution/block/header-validation.js';
import type { ForkRules, ChainRules } from '../../evm/reference/fork-rules.js';
import { listTrieRoot } from '../../chain/list-trie-root.js';
import { toHex } from '../../lib/bytes/hex.js';
import { encodeRlp } from '../../lib/bytes/encode-rlp.js';
import { decodeRlp, type DecodedRlpItem } from '../../lib/bytes/rlp-reader.js';
import { toBigInt } from '../../lib/bytes/big-endian.js';
import type { Withdrawal, CompleteBlock } from '../../state/complete-block.js';
import { nextDifficulty, unclesMismatch, type UncleAncestor } from './difficulty-and-uncles.js';

/** A decoded block of the chain file. `hash` is the Keccak-256 of its header. */
export interface ImportedBlock extends Pick<CompleteBlock, 'hash' | 'sizeBytes' | 'withdrawals'> {
  readonly header: Header;
  /** The EIP-2718 bytes of each transaction. */
  readonly transactions: readonly Uint8Array[];
  readonly uncles: readonly Header[];
}

/** Largest size of a header's extra data (yellow paper 4.4.4). */
const EXTRA_DATA_BYTES_MAX = 32;
/** The highest gas limit, which must fit into a signed integer of 64 bits (go-ethereum's `MaxGasLimit`). */
const GAS_LIMIT_MAX = 2n ** 63n - 1n;
/** Largest size of a block's RLP from the Osaka fork on (EIP-7934). */
const BLOCK_BYTES_MAX = 8 * 1024 * 1024;

/** Decodes the RLP of a block. Throws an error that says what is wrong if it is not a block. */
export function decodeImportedBlock(rlp: Uint8Array): ImportedBlock {
  const [header, transactions, uncles, withdrawals, ...rest] = listOf(decodeRlp(rlp), 'the block');
  if (rest.length > 0) throw new Error('the block has more than 4 parts');
  const decoded = headerFromRlpItems(listOf(header, 'the header'));
  return {
    header: decoded,
    hash: keccak256(encodeHeader(decoded)),
    sizeBytes: rlp.length,
    transactions: listOf(transactions, 'the list of transactions').map(transactionBytes),
    uncles: listOf(uncles, 'the list of uncles').map((uncle) => headerFromRlpItems(listOf(uncle, 'an uncle'))),
    withdrawals:
      withdrawals === undefined ? null : listOf(withdrawals, 'the list of withdrawals').map(decodeWithdrawal),
  };
}

/**
 * Returns how a block contradicts its ancestors, its fork or its own body as one line, or `null`. `ancestors` starts
 * with the parent, whose hash has already been checked, and contains as many earlier blocks as uncles need.
 */
export function importedBlockMismatch(
  block: ImportedBlock,
  ancestors: readonly UncleAncestor[],
  rules: ChainRules,
): string | null {
  const { header } = block;
  const fork = rules.at(header.number, header.timestamp);
  if (fork.common.isActivatedEIP(7934) && block.sizeBytes > BLOCK_BYTES_MAX)
    return `size ${block.sizeBytes} exceeds the ${BLOCK_BYTES_MAX} bytes that a block may have`;
  const found = headerMismatch(header, ancestors[0]!.header, rules) ?? bodyMismatch(block, fork);
  if (found !== null || isMerged(fork)) return found;
  return unclesMismatch(block, ancestors, (uncle, parent) => headerMismatch(uncle, parent, rules));
}

/** Returns how a header contradicts its parent or its fork as one line, or `null`. */
function headerMismatch(header: Header, parent: Header, rules: ChainRules): string | null {
  const fork = rules.at(header.number, header.timestamp);
  return (
    boundsMismatch(header, fork) ?? parentHeaderMismatch(header, parent, rules) ?? workMismatch(header, parent, fork)
  );
}

function boundsMismatch(header: Header, rules: ForkRules): string | null {
  if (header.extraData.length > EXTRA_DATA_BYTES_MAX)
    return `extra data is ${header.extraData.length} bytes long, at most ${EXTRA_DATA_BYTES_MAX} are allowed`;
  if (header.gasLimit > GAS_LIMIT_MAX) return `gas limit ${header.gasLimit} exceeds ${GAS_LIMIT_MAX}`;
  return isMerged(rules) ? stakeMismatch(header) : null;
}

function workMismatch(header: Header, parent: Header, rules: ForkRules): string | null {
  if (isMerged(rules)) return null;
  const difficulty = nextDifficulty(parent, header.timestamp, rules);
  return header.difficulty === difficulty ? null : fieldMismatchMessage('difficulty', difficulty, header.difficulty);
}

/** Checks the header fields that are constant after the merge (EIP-3675). */
function stakeMismatch(header: Header): string | null {
  if (header.difficulty !== 0n) return fieldMismatchMessage('difficulty', '0 from the merge on', header.difficulty);
  if (header.nonce.some((byte) => byte !== 0))
    return fieldMismatchMessage('nonce', '0 from the merge on', toHex(header.nonce));
  const uncles = toHex(EMPTY_UNCLES_HASH);
  return toHex(header.unclesHash) === uncles
    ? null
    : fieldMismatchMessage('uncles hash', uncles, toHex(header.unclesHash));
}

function bodyMismatch({ header, transactions, uncles, withdrawals }: ImportedBlock, rules: ForkRules): string | null {
  const root = toHex(listTrieRoot(transactions));
  if (root !== toHex(header.transactionsRoot))
    return fieldMismatchMessage('transactions root', root, toHex(header.transactionsRoot));
  const unclesHash = toHex(hashUncles(uncles));
  if (unclesHash !== toHex(header.unclesHash))
    return fieldMismatchMessage('uncles hash', unclesHash, toHex(header.unclesHash));
  // From Isthmus on `withdrawalsRoot` is a storage root instead, which is checked when the block is executed.
  if (rules.op?.has('isthmus') === true) return null;
  const withdrawalsRoot = withdrawals === null ? null : listTrieRoot(withdrawals.map(encodeWithdrawal));
  if (headerFieldText(withdrawalsRoot) === headerFieldText(header.withdrawalsRoot)) return null;
  return fieldMismatchMessage(
    'withdrawals root',
    headerFieldText(withdrawalsRoot),
    headerFieldText(header.withdrawalsRoot),
  );
}

function isMerged(rules: ForkRules): boolean {
  return rules.common.gteHardfork('paris');
}

/**
 * Returns a transaction's EIP-2718 bytes. In the block's RLP, a legacy transaction is a list, a typed one a byte
 * string.
 */
function transactionBytes(item: DecodedRlpItem): Uint8Array {
  return item instanceof Uint8Array ? item.slice() : encodeRlp(item);
}

function decodeWithdrawal(item: DecodedRlpItem): Withdrawal {
  const [index, validatorIndex, address, amount, ...rest] = listOf(item, 'a withdrawal').map((field) => {
    if (!(field instanceof Uint8Array)) throw new Error('a withdrawal has a list for a field');
    return field;
  });
  if (index === undefined || validatorIndex === undefined || address?.length !== 20 || amount === undefined)
    throw new Error('a withdrawal needs an index, a validator index, an address and an amount');
  if (rest.length > 0) throw new Error('a withdrawal has more than 4 fields');
  return {
    index: toBigInt(index),
    validatorIndex: toBigInt(validatorIndex),
    address: address.slice(),
    amount: toBigInt(amount),
  };
}

function listOf(item: DecodedRlpItem | undefined, what: string): readonly DecodedRlpItem[] {
  if (item === undefined || item instanceof Uint8Array) throw new Error(`${what} is not a list`);
  return item;
}
