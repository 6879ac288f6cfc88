// Validates a header against its parent, its fork, and the results of executing its block. Pure functions.
import { nextBaseFeeOnChain, canComputeNextBaseFee } from '../../chain/base-fee.js';
import type { Header } from '../../chain/block/header.js';
import type { ForkRules, ChainRules } from '../../evm/reference/fork-rules.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import { toHex } from '../../lib/bytes/hex.js';

/** Lowest gas limit, and the divisor that bounds its change from block to block (yellow paper 4.4.4). */
const GAS_LIMIT_MIN = 5000n;
const GAS_LIMIT_DIVISOR = 1024n;

/** All header fields except `unknownItems`, which contains the fields that this program does not know. */
type ExecutedField = Exclude<keyof Header, 'unknownItems'>;
type Labels = readonly (readonly [name: ExecutedField, label: string])[];

/**
 * Header fields that are inputs of the execution. The environment of a pre-confirmed block does not come from its
 * header, so these are compared, too.
 */
const ENVIRONMENT: Labels = [
  ['number', 'number'],
  ['parentHash', 'parent hash'],
  ['timestamp', 'timestamp'],
  ['gasLimit', 'gas limit'],
  ['baseFeePerGas', 'base fee'],
  ['coinbase', 'fee recipient'],
  ['mixHash', 'prev randao'],
  ['difficulty', 'difficulty'],
  ['excessBlobGas', 'excess blob gas'],
  ['parentBeaconBlockRoot', 'parent beacon block root'],
  ['slotNumber', 'slot number'],
];

/** Header fields that result from the execution. The most informative field is compared first. */
const RESULTS: Labels = [
  ['gasUsed', 'gas used'],
  ['receiptsRoot', 'receipts root'],
  ['logsBloom', 'logs bloom'],
  ['requestsHash', 'requests hash'],
  ['blockAccessListHash', 'block access list hash'],
  ['blobGasUsed', 'blob gas used'],
  ['withdrawalsRoot', 'withdrawals root'],
];

/** Header fields that can only be computed with state tries. */
const STATE_RESULTS: Labels = [['stateRoot', 'state root']];

/** Header fields that forks have added since London. */
export const FORK_HEADER_FIELDS: readonly (readonly [name: keyof Header, eip: number, label: string])[] = [
  ['baseFeePerGas', 1559, 'base fee'],
  ['withdrawalsRoot', 4895, 'withdrawals root'],
  ['blobGasUsed', 4844, 'blob gas used'],
  ['excessBlobGas', 4844, 'excess blob gas'],
  ['parentBeaconBlockRoot', 4788, 'parent beacon block root'],
  ['requestsHash', 7685, 'requests hash'],
  ['blockAccessListHash', 7928, 'block access list hash'],
  ['slotNumber', 7843, 'slot number'],
];

/**
 * Compares the header computed for a block with the header that the block came with. Returns one line about the first
 * field that differs, or `null`. Used for blocks that are executed without tries. So the state root is not compared. On
 * the OP Stack from Isthmus on, the withdrawals root is not compared either, because it is a storage root.
 */
export function headerMismatchWithoutStateRoot(executed: Header, stated: Header, rules: ForkRules): string | null {
  const isRootOfState = rules.op?.has('isthmus') === true;
  const results = isRootOfState ? RESULTS.filter(([name]) => name !== 'withdrawalsRoot') : RESULTS;
  return firstDifference(executed, stated, [...ENVIRONMENT, ...results]);
}

/**
 * Compares the header computed for a block, which was executed with tries, with the header that the block came with.
 * Only results are compared, because the environment of the execution was read from the block's own header. Returns the
 * first difference, or `null`.
 */
export function headerMismatchWithStateRoot(executed: Header, stated: Header): string | null {
  return firstDifference(executed, stated, [...RESULTS, ...STATE_RESULTS]);
}

/**
 * Returns how a header contradicts its parent or its fork, by rules that hold on every chain; `null` if it does not.
 * For a live chain, two rules are relaxed, because they do not affect the state:
 * - A block may have its parent's timestamp, as on development nodes and on chains with several blocks per second.
 * - The base fee is not checked for the block after block 0, nor if the OP-Stack parent has no fee parameters in its
 *   extra data.
 */
export function parentHeaderMismatch(header: Header, parent: Header, rules: ChainRules, isLive = false): string | null {
  return (
    fieldsMismatch(header, rules.at(header.number, header.timestamp)) ??
    successorMismatch(header, parent, rules, isLive)
  );
}

function successorMismatch(header: Header, parent: Header, rules: ChainRules, isLive: boolean): string | null {
  const { number, timestamp } = header;
  if (number !== parent.number + 1) return fieldMismatchMessage('number', parent.number + 1, number);
  if (isLive ? timestamp < parent.timestamp : timestamp <= parent.timestamp)
    return `timestamp ${timestamp} is not after the parent's ${parent.timestamp}`;
  return feesMismatch(header, parent, rules, isLive);
}

/** Returns the excess blob gas (EIP-4844) of the block after `parent`. `rules` are those of the new block. */
export function nextExcessBlobGas(parent: Header, rules: ForkRules): bigint {
  return rules.nextExcessBlobGas(parent.excessBlobGas ?? 0n, parent.blobGasUsed ?? 0n, parent.baseFeePerGas ?? 0n);
}

function fieldsMismatch(header: Header, rules: ForkRules): string | null {
  for (const [name, eip, label] of FORK_HEADER_FIELDS) {
    const expected = rules.common.isActivatedEIP(eip);
    if (((header[name] ?? null) !== null) !== expected)
      return `${label} is ${expected ? 'missing from' : 'not expected in'} a header of ${rules.fork}`;
  }
  if (header.unknownItems !== undefined)
    return `${header.unknownItems.length} fields behind those of a header of ${rules.fork} are not known here`;
  return header.gasUsed > header.gasLimit
    ? `gas used ${header.gasUsed} exceeds the gas limit ${header.gasLimit}`
    : null;
}

function feesMismatch(header: Header, parent: Header, rules: ChainRules, isLive: boolean): string | null {
  const { number, timestamp, baseFeePerGas, excessBlobGas } = header;
  const { chain } = rules;
  const baseFee = baseFeePerGas === null ? null : nextBaseFeeOnChain(chain, parent);
  const isChecked = !isLive || (parent.number > 0 && canComputeNextBaseFee(chain, parent));
  if (isChecked && baseFee !== baseFeePerGas)
    return fieldMismatchMessage('base fee', headerFieldText(baseFee), headerFieldText(baseFeePerGas));
  const excess = excessBlobGas === null ? null : nextExcessBlobGas(parent, rules.at(number, timestamp));
  if (excess !== excessBlobGas)
    return fieldMismatchMessage('excess blob gas', headerFieldText(excess), headerFieldText(excessBlobGas));
  // The gas limit of an OP-Stack chain is set on L1.
  return chain.op === null ? gasLimitMismatch(header, parent) : null;
}

/**
 * Returns how the gas limit contradicts the parent's. The first block with a base fee may double the gas limit, so that
 * its gas target is the old limit (EIP-1559).
 */
function gasLimitMismatch({ gasLimit, baseFeePerGas }: Header, parent: Header): string | null {
  const isFirst = parent.baseFeePerGas === null && baseFeePerGas !== null;
  const before = isFirst ? parent.gasLimit * 2n : parent.gasLimit;
  const step = gasLimit > before ? gasLimit - before : before - gasLimit;
  if (step < before / GAS_LIMIT_DIVISOR && gasLimit >= GAS_LIMIT_MIN) return null;
  return `gas limit ${gasLimit} is too far from the parent's ${before}`;
}

function firstDifference(executed: Header, stated: Header, labels: Labels): string | null {
  for (const [name, label] of labels) {
    const [is, inHeader] = [headerFieldText(executed[name]), headerFieldText(stated[name])];
    if (is !== inHeader) return fieldMismatchMessage(label, is, inHeader);
  }
  return null;
}

/** Formats the message that a computed field differs from the header's. */
export function fieldMismatchMessage(
  label: string,
  is: string | number | bigint,
  inHeader: string | number | bigint,
): string {
  return `${label} is ${is}, header says ${inHeader}`;
}

/** Formats a header field for messages. A logs bloom is shown by its hash. */
export function headerFieldText(value: Header[ExecutedField]): string {
  if (value === null || value === undefined) return 'absent';
  if (!(value instanceof Uint8Array)) return value.toString();
  return value.length <= 32 ? toHex(value) : `a filter with hash ${toHex(keccak256(value))}`;
}
