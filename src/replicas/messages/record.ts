// Records that the leader stores for all members: the chain with its newest epoch, and which snapshot is the newest.
// JSON text, bytes as hex, big integers as decimals. Pure.
import type { ChainDescription } from '../../chain/spec.js';
import { fromHex, toHex } from '../../lib/bytes/hex.js';

/** The chain, for replicas that know nothing of it yet. */
export interface ChainRecord {
  readonly chain: ChainDescription;
  /** True if the chain accepts transactions, as a dev chain does. */
  readonly acceptsTransactions: boolean;
  /** The newest epoch. */
  readonly epoch: number;
}

/** A snapshot, and the sequence of the message whose version it contains. */
export interface SnapshotRecord {
  readonly name: string;
  readonly epoch: number;
  readonly version: number;
  readonly sequence: number;
}

/** A heartbeat of the leader, several times a second: its newest version and status. */
export interface AliveWord {
  readonly epoch: number;
  readonly version: number;
  /** Newest confirmed block of the leader. */
  readonly head: number;
  /** Sequence of the newest stored message. */
  readonly sequence: number;
  /** How long the oldest unsent version has been queued, in milliseconds; 0: all are sent. */
  readonly lagMs: number;
  /** Why the executor itself would not be ready; `null`: it is. */
  readonly trouble: string | null;
  /** Why the chain's rules are not known to be right; `null`: they are. */
  readonly doubt: string | null;
}

/** Records by name. */
export interface Records {
  readonly chain: ChainRecord;
  readonly snapshot: SnapshotRecord;
  readonly alive: AliveWord;
}

/** Encodes a record. */
export function encodeRecord<Name extends keyof Records>(_name: Name, record: Records[Name]): string {
  return JSON.stringify(record, (_field, value: unknown) => {
    if (typeof value === 'bigint') return { integer: value.toString() };
    return value instanceof Uint8Array ? { bytes: toHex(value) } : value;
  });
}

/** Decodes a record; `null` if it does not exist or is malformed. */
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
