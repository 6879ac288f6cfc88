// Records that the leader writes down for all: the chain with its newest epoch, and where the newest snapshot is. JSON text, bytes as hex,
// big integers as decimals. Pure. Runs on the publisher.
import type { ChainDescription } from '../../chain/spec.js';
import { fromHex, toHex } from '../../lib/bytes/hex.js';

/** The chain, for replicas that know nothing of it. */
export interface ChainRecord {
  readonly chain: ChainDescription;
  /** True if it takes transactions: a dev chain does. */
  readonly acceptsTransactions: boolean;
  /** The newest epoch. */
  readonly epoch: number;
}

/** A snapshot, and the sequence of the message whose version it has. */
export interface SnapshotRecord {
  readonly name: string;
  readonly epoch: number;
  readonly version: number;
  readonly sequence: number;
}

/** A word of the leader, told several times a second: where its newest version is. */
export interface AliveWord {
  readonly epoch: number;
  readonly version: number;
  /** Newest confirmed block of the leader. */
  readonly head: number;
  /** The newest message that is stored. */
  readonly sequence: number;
  /** Milliseconds for which the oldest version has waited that is not stored; 0: all are. */
  readonly lagMs: number;
  /** Reason for which the executor itself would not be ready; `null`: it is. */
  readonly trouble: string | null;
  /** Reason for which the rules of the chain are not known to be right; `null`: they are. */
  readonly doubt: string | null;
}

/** Records by name. */
export interface Records {
  readonly chain: ChainRecord;
  readonly snapshot: SnapshotRecord;
  readonly alive: AliveWord;
}

/** Text of a record. */
export function encodeRecord<Name extends keyof Records>(_name: Name, record: Records[Name]): string {
  return JSON.stringify(record, (_field, value: unknown) => {
    if (typeof value === 'bigint') return { integer: value.toString() };
    return value instanceof Uint8Array ? { bytes: toHex(value) } : value;
  });
}

/** The reverse of `encodeRecord`; `null`: there is none, or none that can be read. */
export function decodeRecord<Name extends keyof Records>(_name: Name, text: string | null): Records[Name] | null {
  if (text === null) return null;
  try {
    return JSON.parse(text, revived) as Records[Name];
  } catch {
    return null;
  }
}

function revived(_field: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('integer' in value) return BigInt(value.integer as string);
  return 'bytes' in value ? fromHex(value.bytes as string) : value;
}
