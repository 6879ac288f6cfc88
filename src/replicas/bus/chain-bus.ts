// The interface to the message system that connects executors and replicas. nats-bus.ts implements it with NATS
// JetStream.

/**
 * The result of publishing a message to the stream. `outOfOrder`: the stream does not end with the expected sequence
 * number.
 */
export type StreamPublishResult =
  | { readonly kind: 'stored'; readonly sequence: number }
  | { readonly kind: 'outOfOrder' }
  | { readonly kind: 'unavailable'; readonly reason: string };

export interface OutgoingStreamMessage {
  readonly epoch: number;
  readonly bytes: Uint8Array;
  /** Id of the message. A message that is sent twice with the same id is stored once. */
  readonly id: string;
  /**
   * Sequence number of the message that must be the last one in the stream before this one (JetStream's expected last
   * sequence).
   */
  readonly after: number;
}

/** The first and last sequence numbers of the stream. `last` stays the same when messages expire. */
export interface StreamSequenceRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Names of the records that the leader stores for all executors and replicas: `chain` describes the chain, `snapshot`
 * names the newest snapshot.
 */
export type BusRecordName = 'chain' | 'snapshot';

/** A subscription or background task that runs until it is stopped. */
export interface StoppableTask {
  stop(): void;
}

/** A message received from the stream. */
export interface ReceivedStreamMessage {
  readonly bytes: Uint8Array;
  readonly sequence: number;
}

/** Answers a request. Request and response are bytes. */
export type BusRequestHandler = (question: Uint8Array) => Promise<Uint8Array>;

/** Thrown while the server does not respond. The error message contains no part of the server's address. */
export class BusUnavailableError extends Error {
  override readonly name = 'BusUnavailableError';
}

/**
 * The stream, buckets and subjects of one chain. Every promise rejects with `BusUnavailableError`; or with `StartError`
 * if the server could not be reached at first and has then refused the login.
 */
export interface ChainBus {
  /** True while the connection is up. */
  readonly isConnected: boolean;
  /** Calls `change` whenever the connection is lost or established again. */
  watch(change: (isConnected: boolean) => void): StoppableTask;
  /** Largest size in bytes of one part (fragment) of a message or response. */
  readonly fragmentBytesMax: number;
  /** Creates the stream and the buckets if they do not exist. */
  prepare(): Promise<void>;
  store(message: OutgoingStreamMessage): Promise<StreamPublishResult>;
  /** Returns the first and last sequence numbers of the stream; `null` if it does not exist. */
  ends(): Promise<StreamSequenceRange | null>;
  /** Calls `take` with each message of the stream from sequence number `from` on. Continues after a lost connection. */
  follow(from: number, take: (message: ReceivedStreamMessage) => Promise<void>): StoppableTask;
  /**
   * Acquires the lease, which makes an executor the leader, and returns its revision; `null` if another executor holds
   * it.
   */
  takeLease(holder: string): Promise<number | null>;
  /** Renews the lease and returns its new revision; `null` if the lease is lost. */
  renewLease(holder: string, revision: number): Promise<number | null>;
  /** Returns the holder and the revision of the lease; `null` if nobody holds it. */
  readLease(): Promise<{ readonly holder: string; readonly revision: number } | null>;
  releaseLease(revision: number): Promise<void>;
  writeRecord(name: BusRecordName, text: string): Promise<void>;
  readRecord(name: BusRecordName): Promise<string | null>;
  /** Stores an object from its pieces, as they are yielded. */
  putObject(name: string, pieces: AsyncGenerator<Uint8Array, void>): Promise<void>;
  /** Returns the pieces of an object; `null` if it does not exist. */
  getObject(name: string): Promise<AsyncIterable<Uint8Array> | null>;
  /** Deletes all objects except the ones with these names. */
  keepObjects(names: readonly string[]): Promise<void>;
  /** Sends a message to the current subscribers. It is not stored. */
  publish(bytes: Uint8Array): void;
  /** Receives the messages of `publish`. Throws if the server has not been reached yet; so does `answer`. */
  listen(take: (bytes: Uint8Array) => void): StoppableTask;
  /**
   * Sends a message to all members of the nonce-sharing group, or only to the member `to`. Nothing is sent while the
   * connection is lost.
   */
  publishToGroup(bytes: Uint8Array, to: string | null): void;
  /** Receives the messages of `publishToGroup`. Throws if the server has not been reached yet. */
  listenGroup(member: string, take: (bytes: Uint8Array) => void): StoppableTask;
  /** Sends a request to the leader. Resolves when every part of the response has arrived. */
  request(question: Uint8Array, timeoutMs: number): Promise<Uint8Array>;
  answer(answering: BusRequestHandler): StoppableTask;
}
