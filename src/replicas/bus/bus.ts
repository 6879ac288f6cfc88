// The engine between executors and replicas, as far as they need it; nats.ts has it from NATS JetStream. Runs on the publisher.

/** The fate of bytes for the stream. `outOfOrder`: it ends elsewhere than the writer thought. */
export type Stored =
  | { readonly kind: 'stored'; readonly sequence: number }
  | { readonly kind: 'outOfOrder' }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Bytes for the end of the stream. */
export interface ForStream {
  readonly epoch: number;
  readonly bytes: Uint8Array;
  /** Bytes sent twice under one id are stored once. */
  readonly id: string;
  /** Sequence of the last message before. */
  readonly after: number;
}

/** The first and last sequence that the stream holds; `last` is kept when messages go. */
export interface StreamEnds {
  readonly first: number;
  readonly last: number;
}

/** Records that the leader has written down for all: on which chain, and where its snapshot is. */
export type RecordName = 'chain' | 'snapshot';

/** Something that goes on until it is stopped. */
export interface Running {
  stop(): void;
}

/** A message of the stream. */
export interface Arrived {
  readonly bytes: Uint8Array;
  readonly sequence: number;
}

/** Answers a question with bytes. */
export type Answering = (question: Uint8Array) => Promise<Uint8Array>;

/** Thrown by whatever needs the server while it does not answer. The text holds nothing of the address. */
export class BusUnavailable extends Error {
  override readonly name = 'BusUnavailable';
}

/** The names of one chain. Every promise rejects with BusUnavailable; with StartError where the server was away, and then refused the login. */
export interface ChainBus {
  /** The connection stands. */
  readonly isConnected: boolean;
  /** Calls `change` whenever the connection is lost, and when it stands again. */
  watch(change: (isConnected: boolean) => void): Running;
  /** Bytes of one part of a message or answer at the most. */
  readonly partBytesMax: number;
  /** Makes the stream and the buckets where they are not there. */
  prepare(): Promise<void>;
  store(message: ForStream): Promise<Stored>;
  /** `null`: there is no stream. */
  ends(): Promise<StreamEnds | null>;
  /** Calls `take` with every message from sequence `from` on, one after the other. Goes on after a lost connection. */
  follow(from: number, take: (message: Arrived) => Promise<void>): Running;
  /** Takes the lease; `null`: another one holds it. Answers its revision. */
  takeLease(holder: string): Promise<number | null>;
  /** Renews it; `null`: it is lost. */
  renewLease(holder: string, revision: number): Promise<number | null>;
  /** The holder, and the revision; `null`: nobody. */
  readLease(): Promise<{ readonly holder: string; readonly revision: number } | null>;
  releaseLease(revision: number): Promise<void>;
  writeRecord(name: RecordName, text: string): Promise<void>;
  readRecord(name: RecordName): Promise<string | null>;
  /** Stores an object, in pieces as they come. */
  putObject(name: string, pieces: AsyncGenerator<Uint8Array, void>): Promise<void>;
  /** `null`: there is none. */
  getObject(name: string): Promise<AsyncIterable<Uint8Array> | null>;
  /** Removes all objects but these. */
  keepObjects(names: readonly string[]): Promise<void>;
  /** Told to whoever listens now; nothing is kept of it. */
  tell(bytes: Uint8Array): void;
  /** Throws before the server has been reached, as `answer` does. */
  listen(take: (bytes: Uint8Array) => void): Running;
  /**
   * Sends to the members of the group that listen now: to all, or to the one named `to`. Does nothing while the
   * connection is lost.
   */
  tellGroup(bytes: Uint8Array, to: string | null): void;
  /** Throws as `listen` does. */
  listenGroup(member: string, take: (bytes: Uint8Array) => void): Running;
  /** Asks whoever answers. Of an answer in parts all have come by then. */
  ask(question: Uint8Array, timeoutMs: number): Promise<Uint8Array>;
  answer(answering: Answering): Running;
}
