// Validates a header against its parent, its fork, and the result of executing its block. Pure.
import { nextBaseFeeOnChain, hasBaseFeeParams } from '../../chain/base-fee.js';
import type { Header } from '../../chain/block/header.js';
import type { ForkRules, ChainRules } from '../../evm/reference/fork-rules.js';
import { keccak256 } from '../../lib/bytes/keccak.js';
import { toHex } from '../../lib/bytes/hex.js';

/** Lowest gas limit, and the divisor that bounds its change from block to block (yellow paper 4.4.4). */
const GAS_LIMIT_MIN = 5000n;
const GAS_LIMIT_DIVISOR = 1024n;

/** Fields that this program knows. */
type ExecutedField = Exclude<keyof Header, 'unknownItems'>;
type Labels = readonly (readonly [name: ExecutedField, label: string])[];

/** Fields that are inputs of the execution. For a pre-confirmed block they did not come from its header. */
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

/** Fields that result from the execution, the most informative one first. */
const RESULTS: Labels = [
  ['gasUsed', 'gas used'],
  ['receiptsRoot', 'receipts root'],
  ['logsBloom', 'logs bloom'],
  ['requestsHash', 'requests hash'],
  ['blockAccessListHash', 'block access list hash'],
  ['blobGasUsed', 'blob gas used'],
  ['withdrawalsRoot', 'withdrawals root'],
];

/** Results that can only be computed with tries of the state. */
const STATE_RESULTS: Labels = [['stateRoot', 'state root']];

/** Fields that a fork has added. */
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
 * The first field in which a header that was computed here differs from the block's header: one line, or `null`.
 * Without tries, the roots of the state are skipped: the state root, and the OP Stack's withdrawals root from Isthmus
 * on.
 */
export function executedHeaderMismatch(executed: Header, stated: Header, rules: ForkRules): string | null {
  const isRootOfState = rules.op?.has('isthmus') === true;
  const results = isRootOfState ? RESULTS.filter(([name]) => name !== 'withdrawalsRoot') : RESULTS;
  return firstDifference(executed, stated, [...ENVIRONMENT, ...results]);
}

/** How a block executed with tries, in its header's environment, differs from the header; `null` if it does not. */
export function sealedHeaderMismatch(executed: Header, stated: Header): string | null {
  return firstDifference(executed, stated, [...RESULTS, ...STATE_RESULTS]);
}

/**
 * How a header contradicts its parent or its fork, by rules that hold on every chain; `null` if it does not. For a live
 * chain, two rules without effect on the state are not checked: timestamps may not increase (development nodes, blocks
 * of less than a second), and the base fee may not follow from the parent (a development node's first block, an
 * OP-Stack parent without parameters in its extra data).
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

/** EIP-4844: excess blob gas of the block after `parent`, by the rules of that block. */
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
  const isChecked = !isLive || (parent.number > 0 && hasBaseFeeParams(chain, parent));
  if (isChecked && baseFee !== baseFeePerGas)
    return fieldMismatchMessage('base fee', headerFieldText(baseFee), headerFieldText(baseFeePerGas));
  const excess = excessBlobGas === null ? null : nextExcessBlobGas(parent, rules.at(number, timestamp));
  if (excess !== excessBlobGas)
    return fieldMismatchMessage('excess blob gas', headerFieldText(excess), headerFieldText(excessBlobGas));
  // The gas limit of an OP-Stack chain is set on L1.
  return chain.op === null ? gasLimitMismatch(header, parent) : null;
}

/** EIP-1559: the first block with a base fee may have twice the gas limit, so that its gas target is the old limit. */
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

/** A message that a field has one value but another one in the header. */
export function fieldMismatchMessage(
  label: string,
  is: string | number | bigint,
  inHeader: string | number | bigint,
): string {
  return `${label} is ${is}, header says ${inHeader}`;
}

/** A field as text for messages; a logs bloom is shown by its hash. */
export function headerFieldText(value: Header[ExecutedField]): string {
  if (value === null || value === undefined) return 'absent';
  if (!(value instanceof Uint8Array)) return value.toString();
  return value.length <= 32 ? toHex(value) : `a filter with hash ${toHex(keccak256(value))}`;
}
