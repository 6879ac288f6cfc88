// Implements the bus with NATS JetStream. Only this file and nats-connection.ts load NATS clients, and only if a flag
// requires them.
import { randomInt } from 'node:crypto';
import { DeliverPolicy, DiscardPolicy, StorageType, type ConsumerMessages } from '@nats-io/jetstream';
import { Kvm, type KV } from '@nats-io/kv';
import { Objm, type ObjectStore } from '@nats-io/obj';
import { errors, nanos, type Msg } from '@nats-io/transport-node';
import { ReadableStream } from 'node:stream/web';
import { LIMITS } from '../../limits/index.js';
import { StartError } from '../../lib/start-error.js';
import type { Redactor } from '../../upstream/transport/redact-secrets.js';
import {
  BusUnavailableError,
  type BusRequestHandler,
  type ReceivedStreamMessage,
  type ChainBus,
  type OutgoingStreamMessage,
  type BusRecordName,
  type StoppableTask,
  type StreamPublishResult,
  type StreamSequenceRange,
} from './chain-bus.js';
import { StreamConsumers } from './stream-consumers.js';
import { NatsServerConnection, type ConnectedNatsServer } from './nats-connection.js';
import type { NatsOptions } from '../../feed/chain-source-options.js';
import { splitIntoFragments, Reassembler } from '../messages/fragments.js';

const PREFIX = 'prestate-';
const LEASE = 'lease';
const GROUP = 'sends';
/** JetStream's error code if the stream does not end with the expected sequence number. */
const WRONG_LAST_SEQUENCE = 10_071;
const STREAM_NOT_FOUND = 10_059;

/** A connection to the NATS server. It reconnects by itself until it is closed. */
export interface NatsBus {
  of(chainId: bigint): ChainBus;
  /**
   * Returns the ids of the chains that have a stream on the server. If the server's URL contains a chain id, returns
   * only that id. Rejects with the same errors as `ChainBus.prepare`.
   */
  chains(): Promise<readonly bigint[]>;
  close(): Promise<void>;
}

/**
 * Connects to the server. If the server is unreachable, keeps trying in the background and reports this to `progress`.
 * Rejects with the same errors as `NatsServerConnection.open`.
 */
export async function connectNats(options: NatsOptions, progress: (text: string) => void): Promise<NatsBus> {
  const to = await NatsServerConnection.open(options, progress);
  return {
    of: (chainId) => new NatsChainBus(chainId, to),
    chains: () => chainsOf(options, to),
    close: () => to.close(),
  };
}

async function chainsOf({ url }: NatsOptions, to: NatsServerConnection): Promise<readonly bigint[]> {
  const { pathname } = new URL(url);
  return available(to.redact, async () => {
    const { manager } = to.server;
    if (/^\/\d+$/.test(pathname)) return [BigInt(pathname.slice(1))];
    const chains: bigint[] = [];
    for await (const name of manager.streams.names()) {
      if (/^prestate-\d+$/.test(name)) chains.push(BigInt(name.slice(PREFIX.length)));
    }
    return chains;
  });
}

/**
 * Runs a step. Converts errors of the NATS client to `BusUnavailableError`, which means that the step may succeed
 * later. StartError is passed on.
 */
async function available<T>(redact: Redactor, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new BusUnavailableError(reasonOf(error, redact));
  }
}

/** Returns the error message without subject names, which would not help the operator. */
function reasonOf(error: unknown, redact: Redactor): string {
  return error instanceof errors.NoRespondersError ? 'nobody answers' : redact((error as Error).message);
}

/** The bus of one chain. Buckets are opened when they are first used. */
class NatsChainBus implements ChainBus {
  readonly #name: string;
  readonly #subject: string;
  readonly #to: NatsServerConnection;

  constructor(chainId: bigint, to: NatsServerConnection) {
    this.#name = `${PREFIX}${chainId}`;
    this.#subject = `prestate.${chainId}`;
    this.#to = to;
  }

  get isConnected(): boolean {
    return this.#to.isUp;
  }

  watch(change: (isConnected: boolean) => void): StoppableTask {
    return this.#to.link.watch(change);
  }

  /** Less than the largest payload that the server accepts, because a part also has headers. */
  get fragmentBytesMax(): number {
    const { max_payload: bytesMax = Infinity } = this.#to.server.connection.info ?? {};
    return Math.min(LIMITS.replicationFragmentBytes, Math.max(1024, bytesMax - 1024));
  }

  async prepare(): Promise<void> {
    await this.#try(async ({ manager }) => {
      const wanted = {
        name: this.#name,
        subjects: [`${this.#subject}.versions.*`],
        storage: StorageType.File,
        discard: DiscardPolicy.Old,
        max_age: nanos(LIMITS.replicationStreamMs),
        max_bytes: LIMITS.replicationStreamBytes,
        duplicate_window: nanos(LIMITS.replicationDuplicateMs),
      };
      const known = await this.ends();
      if (known === null) await manager.streams.add(wanted);
      await Promise.all([this.#records(), this.#leases(), this.#objects()]);
    });
  }

  async store({ epoch, bytes, id, after }: OutgoingStreamMessage): Promise<StreamPublishResult> {
    try {
      const subject = `${this.#subject}.versions.${epoch}`;
      const options = { msgID: id, expect: { lastSequence: after } };
      const { seq } = await this.#to.link.whileUp(() => this.#to.server.stream.publish(subject, bytes, options));
      return { kind: 'stored', sequence: seq };
    } catch (error) {
      if (isApiError(error, WRONG_LAST_SEQUENCE)) return { kind: 'outOfOrder' };
      return { kind: 'unavailable', reason: reasonOf(error, this.#to.redact) };
    }
  }

  ends(): Promise<StreamSequenceRange | null> {
    return this.#try(async ({ manager }) => {
      try {
        const { state } = await manager.streams.info(this.#name);
        return { first: state.first_seq, last: state.last_seq };
      } catch (error) {
        if (isApiError(error, STREAM_NOT_FOUND)) return null;
        throw error;
      }
    });
  }

  follow(from: number, take: (message: ReceivedStreamMessage) => Promise<void>): StoppableTask {
    const { link } = this.#to;
    const open = async (next: number): Promise<ConsumerMessages> => {
      const wanted = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: next };
      const consumer = await link.whileUp(() => this.#to.server.stream.consumers.get(this.#name, wanted));
      return consumer.consume({ max_messages: LIMITS.replicationFetchMessages });
    };
    const following = new StreamConsumers({ open, take, link, isClosed: () => this.#to.isClosed });
    void following.run(from);
    return following;
  }

  takeLease(holder: string): Promise<number | null> {
    return this.#try(async () => onlyMine(async () => (await this.#leases()).create(LEASE, holder)));
  }

  renewLease(holder: string, revision: number): Promise<number | null> {
    return this.#try(async () => onlyMine(async () => (await this.#leases()).update(LEASE, holder, revision)));
  }

  readLease(): Promise<{ readonly holder: string; readonly revision: number } | null> {
    return this.#try(async () => {
      const entry = await (await this.#leases()).get(LEASE);
      return entry?.operation === 'PUT' ? { holder: entry.string(), revision: entry.revision } : null;
    });
  }

  releaseLease(revision: number): Promise<void> {
    return this.#try(async () => (await this.#leases()).delete(LEASE, { previousSeq: revision }));
  }

  async writeRecord(name: BusRecordName, text: string): Promise<void> {
    await this.#try(async () => (await this.#records()).put(name, text));
  }

  readRecord(name: BusRecordName): Promise<string | null> {
    return this.#try(async () => (await (await this.#records()).get(name))?.string() ?? null);
  }

  async putObject(name: string, pieces: AsyncGenerator<Uint8Array, void>): Promise<void> {
    await available(this.#to.redact, async () => {
      const stream = ReadableStream.from<Uint8Array>(pieces);
      await (await this.#objects()).put({ name }, stream, { timeout: LIMITS.replicationPieceMsMax });
    });
  }

  getObject(name: string): Promise<AsyncIterable<Uint8Array> | null> {
    return this.#try(async () => {
      const found = await (await this.#objects()).get(name);
      return found === null ? null : this.#pieces(found.data);
    });
  }

  async keepObjects(names: readonly string[]): Promise<void> {
    await this.#try(async () => {
      const objects = await this.#objects();
      const old = (await objects.list()).filter(({ name, deleted }) => !deleted && !names.includes(name));
      for (const { name } of old) await objects.delete(name);
    });
  }

  publish(bytes: Uint8Array): void {
    this.#publish('alive', bytes);
  }

  listen(take: (bytes: Uint8Array) => void): StoppableTask {
    return this.#subscribe('alive', take);
  }

  publishToGroup(bytes: Uint8Array, to: string | null): void {
    this.#publish(to === null ? GROUP : `${GROUP}.${to}`, bytes);
  }

  listenGroup(member: string, take: (bytes: Uint8Array) => void): StoppableTask {
    const both = [GROUP, `${GROUP}.${member}`].map((topic) => this.#subscribe(topic, take));
    return { stop: () => both.forEach((each) => each.stop()) };
  }

  request(question: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    const options = { strategy: 'timer', maxWait: Math.max(1, timeoutMs) } as const;
    const subject = `${this.#subject}.ask`;
    return this.#try(async ({ connection }) => whole(await connection.requestMany(subject, question, options)));
  }

  answer(answering: BusRequestHandler): StoppableTask {
    const subscription = this.#to.server.connection.subscribe(`${this.#subject}.ask`, {
      callback: (_, message) => void answering(message.data).then((bytes) => this.#respond(message, bytes)),
    });
    return { stop: () => subscription.unsubscribe() };
  }

  /**
   * Responds in parts. Each part is sent when the server has received the previous one, so that messages of the stream
   * can be sent in between.
   */
  async #respond(message: Msg, bytes: Uint8Array): Promise<void> {
    const { connection } = this.#to.server;
    // The id is random, so that parts of two executors' responses to the same request are never joined.
    const of = { epoch: randomInt(2 ** 32), version: 0 };
    for (const [index, fragment] of splitIntoFragments(of, bytes, this.fragmentBytesMax).entries()) {
      if (index > 0) await connection.flush().catch(() => undefined);
      if (connection.isClosed()) return;
      message.respond(fragment);
    }
  }

  async *#pieces(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    const reader = stream.getReader();
    for (;;) {
      const piece = await available(this.#to.redact, () => inTime(reader.read()));
      if (piece.done) return;
      yield piece.value;
    }
  }

  #publish(topic: string, bytes: Uint8Array): void {
    // Nothing is sent while disconnected, because the client would buffer the message and send it after reconnecting.
    if (this.isConnected) this.#to.server.connection.publish(`${this.#subject}.${topic}`, bytes);
  }

  #subscribe(topic: string, take: (bytes: Uint8Array) => void): StoppableTask {
    const callback = (_: Error | null, { data }: { readonly data: Uint8Array }): void => take(data);
    const subscription = this.#to.server.connection.subscribe(`${this.#subject}.${topic}`, { callback });
    return { stop: () => subscription.unsubscribe() };
  }

  #records(): Promise<KV> {
    return new Kvm(this.#to.server.stream).create(this.#name, { history: 1 });
  }

  #leases(): Promise<KV> {
    const options = { history: 1, ttl: LIMITS.replicationLeaseMs };
    return new Kvm(this.#to.server.stream).create(`${this.#name}-lease`, options);
  }

  #objects(): Promise<ObjectStore> {
    return new Objm(this.#to.server.stream).create(this.#name, {});
  }

  #try<T>(step: (server: ConnectedNatsServer) => Promise<T>): Promise<T> {
    const to = this.#to;
    return available(to.redact, async () => {
      const { server } = to;
      return to.link.whileUp(() => step(server));
    });
  }
}

/** Joins the parts of a response. Rejects if a part is damaged or does not arrive in time. */
async function whole(fragments: AsyncIterable<Msg>): Promise<Uint8Array> {
  const joiner = new Reassembler();
  for await (const { data } of fragments) {
    const joined = joiner.add(data);
    if (joined.kind === 'whole') return joined.bytes;
    if (joined.kind === 'damaged') throw new Error(joined.reason);
  }
  throw new Error('timeout');
}

/**
 * Adds a timeout to a read. Otherwise a server that dies while it sends an object would leave its reader waiting
 * forever.
 */
async function inTime<T>(reading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error('the next piece of an object does not come')),
      LIMITS.replicationPieceMsMax,
    );
  });
  return Promise.race([reading, late]).finally(() => clearTimeout(timer));
}

/** Runs a step that needs the lease. Returns `null` if another executor holds it. */
async function onlyMine(step: () => Promise<number>): Promise<number | null> {
  try {
    return await step();
  } catch (error) {
    if (isApiError(error, WRONG_LAST_SEQUENCE)) return null;
    throw error;
  }
}

function isApiError(error: unknown, code: number): boolean {
  return (error as { readonly code?: unknown }).code === code;
}
