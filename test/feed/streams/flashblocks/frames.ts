// Made-up increments and canonical blocks for tests: as events, as messages, as series of blocks.
import { keccak256 } from '../../../../src/lib/bytes/keccak-wasm.js';
import type { CanonicalBlock, ReportedIncrement } from '../../../../src/feed/pre-confirmation-stream-events.js';
import { fromHex } from '../../../../src/lib/bytes/hex.js';

/** 32 bytes of one hex digit. */
export function repeated(digit: string): string {
  return `0x${digit.repeat(64)}`;
}

/** The `base` of a first message, as a server sends it. */
export const OPENING_BASE = {
  parent_beacon_block_root: repeated('1'),
  parent_hash: repeated('2'),
  fee_recipient: `0x${'3'.repeat(40)}`,
  prev_randao: repeated('4'),
  block_number: '0x10',
  gas_limit: '0x1c9c380',
  timestamp: '0x65',
  extra_data: '0x0102',
  base_fee_per_gas: '0x7',
};

/** 32 bytes as the hash of a block, determined by its number and branch. */
export function blockHash(number: number, branch = 0): Uint8Array {
  return fromHex(`${branch.toString(16).padStart(2, '0')}${number.toString(16).padStart(62, '0')}`);
}

/** Bytes as a transaction, different at each position. */
export function transactionAt(block: number, index: number, branch = 0): Uint8Array {
  return Uint8Array.of(2, branch, block, index);
}

export interface FrameFields {
  readonly block: number;
  readonly index: number;
  readonly payload?: number;
  /** Branch of the parent. */
  readonly branch?: number;
  readonly transactions?: readonly Uint8Array[];
  readonly postExec?: Uint8Array;
}

/** The id of a build attempt. */
export function payloadId(payload: number): string {
  return `0x${payload.toString(16).padStart(16, '0')}`;
}

export function frame(fields: FrameFields): ReportedIncrement {
  const { block, index, payload = 0, branch = 0 } = fields;
  const reported = { block, attempt: payloadId(payload) };
  const increment = {
    index,
    transactions: fields.transactions ?? [transactionAt(block, index, payload)],
    gasUsed: 21_000n * BigInt(index + 1),
    receiptsRoot: null,
    ending: fields.postExec ?? null,
    outcome: null,
  };
  if (index > 0) return { kind: 'append', ...reported, increment };
  const base = {
    parentHash: blockHash(block - 1, branch),
    extraData: new Uint8Array(0),
    env: {
      number: block,
      timestamp: BigInt(1_700_000_000 + 2 * block),
      gasLimit: 30_000_000n,
      baseFeePerGas: 7n,
      coinbase: new Uint8Array(20).fill(3),
      prevRandao: new Uint8Array(32).fill(4),
      difficulty: 0n,
      parentBeaconBlockRoot: new Uint8Array(32).fill(5),
    },
  };
  return { kind: 'open', ...reported, increment, base };
}

/** The frames of one attempt, from index 0 on. */
export function attempt(block: number, count: number, payload = 0): ReportedIncrement[] {
  return Array.from({ length: count }, (_, index) => frame({ block, index, payload }));
}

/** The canonical block with the transactions of these frames. */
export function canonical(
  number: number,
  frames: readonly ReportedIncrement[],
  branch = 0,
  parentBranch = 0,
): CanonicalBlock {
  return {
    number,
    hash: blockHash(number, branch),
    parentHash: blockHash(number - 1, parentBranch),
    transactionHashes: frames.flatMap(({ increment }) => increment.transactions.map((raw) => keccak256(raw))),
  };
}
