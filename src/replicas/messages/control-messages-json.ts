// Encodes the records and messages that executors and replicas exchange as JSON: all except the stream and the
// snapshots. Pure.
//
// Each JSON string begins with a character that tells its type: text, bytes in base64, or a decimal integer.
import { z } from 'zod';
import { OP_FORK_NAMES, type OpFork } from '../../chain/forks.table.js';
import type { ChainDescription } from '../../chain/chain-description.js';
import type { AdoptedStateBase } from '../../feed/feed.js';
import type { PeerSubmission } from '../../feed/nonce-sharing-group.js';
import type { StateChanges } from '../../state/state-diff.js';
import type { MissingKeys } from '../../state/views/miss-recording-view.js';
import type { RpcErrorObject } from '../../upstream/upstream.js';

/** Record that describes the chain, for replicas that know nothing about it yet. */
export interface ChainRecord {
  readonly chain: ChainDescription;
  /** True if the chain accepts transactions, as the dev chain does. */
  readonly acceptsTransactions: boolean;
  /** The number of the newest stream epoch. */
  readonly epoch: number;
}

const SNAPSHOT = z.object({ name: z.string(), epoch: z.number(), version: z.number(), sequence: z.number() });

/** Record of a stored snapshot, with the sequence number of the message that contains its state version. */
export type StoredSnapshotReference = Readonly<z.infer<typeof SNAPSHOT>>;

const HEARTBEAT = z.object({
  epoch: z.number(),
  version: z.number(),
  /** Number of the leader's newest confirmed block. */
  head: z.number(),
  /** Sequence number of the newest message that is stored in the stream. */
  sequence: z.number(),
  /** Milliseconds for which the oldest unsent state version has been queued; 0 if all versions are sent. */
  lagMs: z.number(),
  /** Why the executor itself is not ready; `null` if it is. */
  trouble: z.string().nullable(),
  /** Why the chain's rules may be wrong; `null` if they are certain. */
  doubt: z.string().nullable(),
});

/** A heartbeat of the leader, sent several times a second, with its newest state version and its status. */
export type HeartbeatMessage = Readonly<z.infer<typeof HEARTBEAT>>;

/** The version whose state a snapshot contains. */
export interface SnapshotStateVersion extends Omit<AdoptedStateBase, 'block'> {
  readonly epoch: number;
}

/**
 * A request of a replica to the leader. The replies to the four kinds are `state`, `result`, `hash` and `done`, in this
 * order, or `refused`.
 */
export type LeaderRequest =
  /** Requests state after the block with this hash (32 bytes). */
  | { readonly kind: 'read'; readonly block: Uint8Array; readonly missing: MissingKeys }
  /** Requests any method of the executor's upstream node. */
  | {
      readonly kind: 'request';
      readonly method: string;
      readonly params: readonly unknown[];
      readonly timeoutMs: number;
    }
  /** Submits a raw transaction, if the chain accepts transactions. */
  | { readonly kind: 'transaction'; readonly raw: Uint8Array }
  /** Requests a new snapshot, because none is usable. */
  | { readonly kind: 'snapshot' };

export type LeaderReply =
  /** The values of the first requested keys, as many as fit a message. The rest has to be requested again. */
  | { readonly kind: 'state'; readonly state: StateChanges }
  /** The result as JSON text. */
  | { readonly kind: 'result'; readonly text: string }
  /** The transaction's hash (32 bytes), and the newest state version when it was accepted. */
  | { readonly kind: 'hash'; readonly hash: Uint8Array; readonly version: number }
  | { readonly kind: 'done' }
  /** `rpc` is the error that a node has returned; `null` if the error is the executor's own. */
  | { readonly kind: 'refused'; readonly message: string; readonly rpc: RpcErrorObject | null };

/**
 * A message between the members of a nonce-sharing group, which count each other's transactions in `pending` nonces.
 * Each message contains the name of its sender.
 */
export type NonceSharingGroupMessage =
  /** A heartbeat of a member. */
  | { readonly kind: 'alive'; readonly member: string }
  /**
   * A transaction that a node has accepted from a member of the group. The receiver acknowledges it once its `pending`
   * nonces count the transaction.
   */
  | { readonly kind: 'send'; readonly member: string; readonly id: number; readonly send: PeerSubmission }
  /** The acknowledgement of the message with this id, sent to the member from which the message came. */
  | { readonly kind: 'counted'; readonly member: string; readonly id: number };

export interface Records {
  readonly chain: ChainRecord;
  readonly snapshot: StoredSnapshotReference;
  readonly alive: HeartbeatMessage;
  readonly position: AdoptedStateBase['position'];
  readonly origin: SnapshotStateVersion;
  readonly request: LeaderRequest;
  readonly reply: LeaderReply;
  readonly group: NonceSharingGroupMessage;
}

const BYTES = z.instanceof(Uint8Array<ArrayBuffer>);
const ADDRESS = BYTES.refine((value) => value.length === 20);
const WORD = BYTES.refine((value) => value.length === 32);
const SECONDS = z.number().nullable();

const CHAIN = z.object({
  chainId: z.bigint(),
  forks: z.array(z.object({ name: z.string(), block: z.number().nullable(), timestamp: SECONDS })),
  blobSchedule: z.record(
    z.string(),
    z.object({ target: z.number(), max: z.number(), baseFeeUpdateFraction: z.number() }),
  ),
  depositContract: ADDRESS.nullable(),
  transactionGasCap: z.boolean(),
  op: z
    .object({
      elasticity: z.number(),
      denominator: z.number(),
      ...(Object.fromEntries(OP_FORK_NAMES.map((fork) => [fork, SECONDS])) as Record<OpFork, typeof SECONDS>),
    })
    .nullable(),
  foreign: z.array(z.object({ prefix: BYTES, kind: z.enum(['account', 'precompile', 'token']) })).exactOptional(),
});

const POSITION = z.object({
  coordinates: z.object({ block: z.number(), index: z.number(), hash: WORD.nullable(), parentHash: WORD }),
  env: z.object({
    number: z.number(),
    timestamp: z.bigint(),
    gasLimit: z.bigint(),
    baseFeePerGas: z.bigint(),
    coinbase: ADDRESS,
    prevRandao: WORD,
    difficulty: z.bigint(),
    excessBlobGas: z.bigint(),
    parentBeaconBlockRoot: WORD,
    slotNumber: z.bigint().exactOptional(),
  }),
  heads: z.object({ latest: z.number(), safe: z.number().nullable(), finalized: z.number().nullable() }),
});

const KEYS = z.object({ accounts: z.array(ADDRESS), slots: z.array(z.object({ address: ADDRESS, slot: WORD })) });
const ACCOUNT = z.object({ nonce: z.bigint(), balance: z.bigint(), codeHash: WORD });
const CHANGES = z.object({
  accounts: z.array(z.object({ address: ADDRESS, account: ACCOUNT.nullable() })),
  slots: z.array(z.object({ address: ADDRESS, slot: WORD, value: WORD })),
  codes: z.array(z.object({ hash: WORD, bytes: BYTES })),
});
const RPC_ERROR = z.object({ code: z.number(), message: z.string(), data: z.string().exactOptional() });
const SEND = z.object({
  raw: BYTES,
  from: ADDRESS,
  nonce: z.bigint(),
  client: z.string().optional(),
  ageMs: z.number(),
});

/** The required shape of each record. A peer may have sent anything: it may be another build, or not one of ours. */
const SCHEMAS: { readonly [Name in keyof Records]: z.ZodType<Records[Name]> } = {
  chain: z.object({ chain: CHAIN, acceptsTransactions: z.boolean(), epoch: z.number() }),
  snapshot: SNAPSHOT,
  alive: HEARTBEAT,
  position: POSITION,
  origin: z.object({
    epoch: z.number(),
    version: z.number(),
    isComplete: z.boolean(),
    position: POSITION,
    ancestors: z.array(z.object({ number: z.number(), hash: WORD, parentHash: WORD })),
  }),
  request: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('read'), block: WORD, missing: KEYS }),
    z.object({
      kind: z.literal('request'),
      method: z.string(),
      params: z.array(z.unknown()),
      timeoutMs: z.number(),
    }),
    z.object({ kind: z.literal('transaction'), raw: BYTES }),
    z.object({ kind: z.literal('snapshot') }),
  ]),
  reply: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('state'), state: CHANGES }),
    z.object({ kind: z.literal('result'), text: z.string() }),
    z.object({ kind: z.literal('hash'), hash: WORD, version: z.number() }),
    z.object({ kind: z.literal('done') }),
    z.object({ kind: z.literal('refused'), message: z.string(), rpc: RPC_ERROR.nullable() }),
  ]),
  group: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('alive'), member: z.string() }),
    z.object({ kind: z.literal('send'), member: z.string(), id: z.number(), send: SEND }),
    z.object({ kind: z.literal('counted'), member: z.string(), id: z.number() }),
  ]),
};

export function encodeRecord<Name extends keyof Records>(_name: Name, record: Records[Name]): string {
  return JSON.stringify(record, tagged);
}

/** Encodes a record as bytes. */
export function recordBytes<Name extends keyof Records>(name: Name, record: Records[Name]): Uint8Array {
  return Buffer.from(encodeRecord(name, record));
}

/** Decodes a record; returns `null` if it does not exist, is malformed or has the shape of another record. */
export function decodeRecord<Name extends keyof Records>(
  name: Name,
  record: string | Uint8Array | null,
): Records[Name] | null {
  if (record === null) return null;
  try {
    const text = typeof record === 'string' ? record : Buffer.from(record).toString();
    return SCHEMAS[name].safeParse(JSON.parse(text, untagged)).data ?? null;
  } catch {
    return null;
  }
}

/**
 * Tags a value with its type. Bytes are read from the member itself, because a Buffer's own `toJSON` has already
 * converted `value`.
 */
function tagged(this: Readonly<Record<string, unknown>>, name: string, value: unknown): unknown {
  if (typeof value === 'string') return `s${value}`;
  if (typeof value === 'bigint') return `n${value}`;
  const bytes = this[name];
  if (!(bytes instanceof Uint8Array)) return value;
  return `b${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`;
}

function untagged(_name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.slice(1);
  if (value.startsWith('s')) return text;
  return value.startsWith('n') ? BigInt(text) : new Uint8Array(Buffer.from(text, 'base64'));
}
