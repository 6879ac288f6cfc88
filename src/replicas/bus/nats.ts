// The door to NATS JetStream: the only file that loads its clients, and it is loaded only where a flag asks for it. Runs on the
// publisher.
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DeliverPolicy, DiscardPolicy, StorageType, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { ConsumerMessages, JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import { Kvm, type KV } from '@nats-io/kv';
import { Objm, type ObjectStore } from '@nats-io/obj';
import {
  connect,
  credsAuthenticator,
  errors,
  nanos,
  type ConnectionOptions,
  type Msg,
  type NatsConnection,
} from '@nats-io/transport-node';
import { isIP } from 'node:net';
import { ReadableStream } from 'node:stream/web';
import { LIMITS } from '../../limits/index.js';
import { StartError } from '../../start-error.js';
import { redactor, type Redact } from '../../upstream/transport/redact.js';
import {
  BusUnavailable,
  type Answering,
  type Arrived,
  type ChainBus,
  type ForStream,
  type RecordName,
  type Running,
  type Stored,
  type StreamEnds,
} from './bus.js';
import { Following } from './following.js';
import { Link } from './link.js';
import type { BusOptions } from '../../feed/options.js';
import { cut, Joiner, type PartOf } from '../messages/parts.js';

const PREFIX = 'prestate-';
const LEASE = 'lease';
/** JetStream's code for a message that expects another last sequence. */
const WRONG_LAST_SEQUENCE = 10_071;
const STREAM_NOT_FOUND = 10_059;

/** A connection, until it is closed. It comes back by itself as often as it is lost. */
export interface NatsBus {
  /** The names of a chain. */
  of(chainId: bigint): ChainBus;
  /** Chains that the server has a stream of; where the address names one, that one alone. Rejects with BusUnavailable. */
  chains(): Promise<readonly bigint[]>;
  close(): Promise<void>;
}

/** Parts that everything here works with. */
interface Parts {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  readonly redact: Redact;
  readonly link: Link;
}

/** Connects. Rejects with StartError where the server cannot be reached, refuses the login or has no JetStream. */
export async function connectNats(options: BusOptions): Promise<NatsBus> {
  const redact = redactor(options.url);
  const asked = connectionOptions(options);
  try {
    const connection = await connect(asked);
    const manager = await jetstreamManager(connection);
    const parts = { connection, manager, redact, link: watched(connection) };
    return {
      of: (chainId) => new NatsChainBus(chainId, parts),
      chains: () => chainsOf(options, parts),
      close: () => connection.close(),
    };
  } catch (error) {
    throw new StartError(`the NATS server cannot be used: ${redact((error as Error).message)}`, 1);
  }
}

/** Link as the client tells of it. */
function watched(connection: NatsConnection): Link {
  const link = new Link();
  const watch = async (): Promise<void> => {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect' || type === 'reconnect') link.turn(type === 'reconnect');
    }
  };
  void watch();
  return link;
}

function connectionOptions({ url, credsFile, caFile }: BusOptions): ConnectionOptions {
  const { protocol, host, hostname, username, password } = new URL(url);
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
  const login = pass === '' ? { token: user } : { user, pass };
  const authority = caFile === null ? {} : { ca: fileOf(caFile).toString() };
  // Without it the client would look for `localhost` in the certificate of a server that is named by an IP address.
  const address = hostname.replace(/^\[|\]$/g, '');
  const checked = isIP(address) === 0 ? {} : { host: address };
  return {
    servers: [host],
    name: 'prestate',
    maxReconnectAttempts: -1,
    reconnectTimeWait: LIMITS.replicationRetryMs,
    pingInterval: LIMITS.replicationPingMs,
    maxPingOut: 2,
    timeout: LIMITS.replicationAnswerMsMax,
    ...(user === '' ? {} : login),
    ...(credsFile === null ? {} : { authenticator: credsAuthenticator(fileOf(credsFile)) }),
    ...(caFile === null && protocol !== 'tls:' ? {} : { tls: { ...authority, ...checked } }),
  };
}

function fileOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${(error as Error).message}`, 2);
  }
}

async function chainsOf({ url }: BusOptions, { manager, redact }: Parts): Promise<readonly bigint[]> {
  const { pathname } = new URL(url);
  if (/^\/\d+$/.test(pathname)) return [BigInt(pathname.slice(1))];
  return available(redact, async () => {
    const chains: bigint[] = [];
    for await (const name of manager.streams.names()) {
      if (/^prestate-\d+$/.test(name)) chains.push(BigInt(name.slice(PREFIX.length)));
    }
    return chains;
  });
}

/** Whatever the client throws means one thing here: the server does not do it now. */
async function available<T>(redact: Redact, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw new BusUnavailable(reasonOf(error, redact));
  }
}

/** Without the names of subjects, which tell nobody anything. */
function reasonOf(error: unknown, redact: Redact): string {
  return error instanceof errors.NoRespondersError ? 'nobody answers' : redact((error as Error).message);
}

/** Buckets are opened at their first use. */
class NatsChainBus implements ChainBus {
  readonly #name: string;
  readonly #subject: string;
  readonly #parts: Parts;
  readonly #stream: JetStreamClient;

  constructor(chainId: bigint, parts: Parts) {
    this.#name = `${PREFIX}${chainId}`;
    this.#subject = `prestate.${chainId}`;
    this.#parts = parts;
    this.#stream = jetstream(parts.connection, { timeout: LIMITS.replicationAnswerMsMax });
  }

  get isConnected(): boolean {
    const { connection } = this.#parts;
    return this.#parts.link.isUp && !connection.isClosed();
  }

  watch(change: (isConnected: boolean) => void): Running {
    return this.#parts.link.watch(change);
  }

  /** Less than the server takes: a part has headers. */
  get partBytesMax(): number {
    const { max_payload: bytesMax = Infinity } = this.#parts.connection.info ?? {};
    return Math.min(LIMITS.replicationPartBytes, Math.max(1024, bytesMax - 1024));
  }

  async prepare(): Promise<void> {
    await this.#try(async () => {
      const { manager } = this.#parts;
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

  async store({ epoch, bytes, id, after }: ForStream): Promise<Stored> {
    try {
      const subject = `${this.#subject}.versions.${epoch}`;
      const options = { msgID: id, expect: { lastSequence: after } };
      const { seq } = await this.#parts.link.whileUp(() => this.#stream.publish(subject, bytes, options));
      return { kind: 'stored', sequence: seq };
    } catch (error) {
      if (isApiError(error, WRONG_LAST_SEQUENCE)) return { kind: 'outOfOrder' };
      return { kind: 'unavailable', reason: reasonOf(error, this.#parts.redact) };
    }
  }

  ends(): Promise<StreamEnds | null> {
    return this.#try(async () => {
      try {
        const { state } = await this.#parts.manager.streams.info(this.#name);
        return { first: state.first_seq, last: state.last_seq };
      } catch (error) {
        if (isApiError(error, STREAM_NOT_FOUND)) return null;
        throw error;
      }
    });
  }

  follow(from: number, take: (message: Arrived) => Promise<void>): Running {
    const { connection, link } = this.#parts;
    const open = async (next: number): Promise<ConsumerMessages> => {
      const wanted = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: next };
      const consumer = await link.whileUp(() => this.#stream.consumers.get(this.#name, wanted));
      return consumer.consume({ max_messages: LIMITS.replicationFetchMessages });
    };
    const following = new Following({ open, take, link, isClosed: () => connection.isClosed() });
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

  async writeRecord(name: RecordName, text: string): Promise<void> {
    await this.#try(async () => (await this.#records()).put(name, text));
  }

  readRecord(name: RecordName): Promise<string | null> {
    return this.#try(async () => (await (await this.#records()).get(name))?.string() ?? null);
  }

  async putObject(name: string, pieces: AsyncGenerator<Uint8Array, void>): Promise<void> {
    await available(this.#parts.redact, async () => {
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

  tell(bytes: Uint8Array): void {
    // The client would keep it, and send it when the connection is back.
    if (this.isConnected) this.#parts.connection.publish(`${this.#subject}.alive`, bytes);
  }

  listen(take: (bytes: Uint8Array) => void): Running {
    const callback = (_: Error | null, { data }: { readonly data: Uint8Array }): void => take(data);
    const subscription = this.#parts.connection.subscribe(`${this.#subject}.alive`, { callback });
    return { stop: () => subscription.unsubscribe() };
  }

  ask(question: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    const { connection } = this.#parts;
    const asked = { strategy: 'timer', maxWait: Math.max(1, timeoutMs) } as const;
    return this.#try(async () => whole(await connection.requestMany(`${this.#subject}.ask`, question, asked)));
  }

  answer(answering: Answering): Running {
    const subscription = this.#parts.connection.subscribe(`${this.#subject}.ask`, {
      callback: (_, message) => void answering(message.data).then((bytes) => this.#respond(message, bytes)),
    });
    return { stop: () => subscription.unsubscribe() };
  }

  /** In as many parts as it takes, each once the server has the one before: the stream goes between them. */
  async #respond(message: Msg, bytes: Uint8Array): Promise<void> {
    const { connection } = this.#parts;
    for (const [index, part] of cut(anAnswer(), bytes, this.partBytesMax).entries()) {
      if (index > 0) await connection.flush().catch(() => undefined);
      if (connection.isClosed()) return;
      message.respond(part);
    }
  }

  async *#pieces(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    const reader = stream.getReader();
    for (;;) {
      const piece = await available(this.#parts.redact, () => inTime(reader.read()));
      if (piece.done) return;
      yield piece.value;
    }
  }

  #records(): Promise<KV> {
    return new Kvm(this.#stream).create(this.#name, { history: 1 });
  }

  #leases(): Promise<KV> {
    return new Kvm(this.#stream).create(`${this.#name}-lease`, { history: 1, ttl: LIMITS.replicationLeaseMs });
  }

  #objects(): Promise<ObjectStore> {
    return new Objm(this.#stream).create(this.#name, {});
  }

  #try<T>(step: () => Promise<T>): Promise<T> {
    const { redact, link } = this.#parts;
    return available(redact, () => link.whileUp(step));
  }
}

/** Parts of two answers to one question, of two that both think that they lead, are never joined. */
function anAnswer(): PartOf {
  return { epoch: randomInt(2 ** 32), version: 0 };
}

/** The parts of an answer, joined. Rejects where one is damaged, or does not come in time. */
async function whole(parts: AsyncIterable<Msg>): Promise<Uint8Array> {
  const joiner = new Joiner();
  for await (const { data } of parts) {
    const joined = joiner.add(data);
    if (joined.kind === 'whole') return joined.bytes;
    if (joined.kind === 'damaged') throw new Error(joined.reason);
  }
  throw new Error('timeout');
}

/** A server that dies while it sends an object leaves its reader waiting. */
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

/** `null`: another one has it. */
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
