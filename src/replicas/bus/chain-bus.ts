// The interface to the message system between executors and replicas. nats.ts implements it with NATS JetStream.

/** The outcome of publishing to the stream. `outOfOrder`: its last sequence number is not the expected one. */
export type StreamPublishResult =
  | { readonly kind: 'stored'; readonly sequence: number }
  | { readonly kind: 'outOfOrder' }
  | { readonly kind: 'unavailable'; readonly reason: string };

export interface OutgoingStreamMessage {
  readonly epoch: number;
  readonly bytes: Uint8Array;
  /** Id of the message: if it is sent twice under the same id, it is stored once. */
  readonly id: string;
  /** The sequence number with which the stream must end before it (JetStream's expected last sequence). */
  readonly after: number;
}

/** The first and last sequence numbers of the stream. `last` does not change when messages expire. */
export interface StreamSequenceRange {
  readonly first: number;
  readonly last: number;
}

/** Records that the leader stores for all: `chain` says which chain, `snapshot` which is the newest. */
export type BusRecordName = 'chain' | 'snapshot';

/** A subscription or task that runs until it is stopped. */
export interface StoppableTask {
  stop(): void;
}

/** A message received from the stream. */
export interface ReceivedStreamMessage {
  readonly bytes: Uint8Array;
  readonly sequence: number;
}

/** Responds to a request. Both are bytes. */
export type BusRequestHandler = (question: Uint8Array) => Promise<Uint8Array>;

/** Thrown while the server does not respond. The message has no part of the server's address. */
export class BusUnavailableError extends Error {
  override readonly name = 'BusUnavailable';
}

/**
 * The stream, buckets and subjects of one chain. Every promise rejects with `BusUnavailableError`, or with `StartError`
 * if the server first did not respond and then refused the login.
 */
export interface ChainBus {
  /** True while the connection is up. */
  readonly isConnected: boolean;
  /** Calls `change` whenever the connection is lost or established again. */
  watch(change: (isConnected: boolean) => void): StoppableTask;
  /** Most bytes of one part of a message or response. */
  readonly fragmentBytesMax: number;
  /** Creates the stream and the buckets if they do not exist. */
  prepare(): Promise<void>;
  store(message: OutgoingStreamMessage): Promise<StreamPublishResult>;
  /** The ends of the stream; `null` if it does not exist. */
  ends(): Promise<StreamSequenceRange | null>;
  /** Calls `take` with each message from sequence number `from` on. Continues after a lost connection. */
  follow(from: number, take: (message: ReceivedStreamMessage) => Promise<void>): StoppableTask;
  /** Acquires the lease and returns its revision; `null` if another executor holds it. */
  takeLease(holder: string): Promise<number | null>;
  /** Renews the lease and returns its revision; `null` if it is lost. */
  renewLease(holder: string, revision: number): Promise<number | null>;
  /** The holder and the revision of the lease; `null` if nobody holds it. */
  readLease(): Promise<{ readonly holder: string; readonly revision: number } | null>;
  releaseLease(revision: number): Promise<void>;
  writeRecord(name: BusRecordName, text: string): Promise<void>;
  readRecord(name: BusRecordName): Promise<string | null>;
  /** Stores an object piece by piece as the pieces are yielded. */
  putObject(name: string, pieces: AsyncGenerator<Uint8Array, void>): Promise<void>;
  /** The pieces of an object; `null` if it does not exist. */
  getObject(name: string): Promise<AsyncIterable<Uint8Array> | null>;
  /** Deletes all objects except these. */
  keepObjects(names: readonly string[]): Promise<void>;
  /** Publishes to the current subscribers, without storing anything. */
  publish(bytes: Uint8Array): void;
  /** Subscribes to `publish`. Throws before the server has been reached, like `answer`. */
  listen(take: (bytes: Uint8Array) => void): StoppableTask;
  /** Publishes to the subscribed group members, or the one named `to`; nothing while the connection is lost. */
  publishToGroup(bytes: Uint8Array, to: string | null): void;
  /** Subscribes to `publishToGroup`. Throws like `listen`. */
  listenGroup(member: string, take: (bytes: Uint8Array) => void): StoppableTask;
  /** Sends a request. Resolves when every part of the response has arrived. */
  request(question: Uint8Array, timeoutMs: number): Promise<Uint8Array>;
  answer(answering: BusRequestHandler): StoppableTask;
}
