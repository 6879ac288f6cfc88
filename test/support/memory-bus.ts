// An in-memory stand-in for the NATS server between executors and replicas. A test can delay or refuse any reply.
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
} from '../../src/replicas/bus/chain-bus.js';
import { ConnectionState } from '../../src/replicas/bus/connection-state.js';

/** A paused reply; `requestSeen` resolves once the request has arrived. */
export interface PausedRequest {
  readonly requestSeen: Promise<void>;
  release(): void;
}

type Named =
  | 'prepare'
  | 'store'
  | 'ends'
  | 'takeLease'
  | 'renewLease'
  | 'releaseLease'
  | 'readRecord'
  | 'getObject'
  | 'putObject';

export class MemoryBus implements ChainBus {
  readonly fragmentBytesMax = 512 * 1024;
  readonly messages: OutgoingStreamMessage[] = [];
  readonly records = new Map<BusRecordName, string>();
  readonly objects = new Map<string, Uint8Array[]>();
  /** Messages that leaders have sent. */
  readonly leaderMessages: Uint8Array[] = [];
  /** Listening members of the group. */
  readonly group = new Map<string, (bytes: Uint8Array) => void>();
  /** Sequences from which consumers have started to follow the stream. */
  readonly follows: number[] = [];
  lease: { readonly holder: string; readonly revision: number } | null = null;
  /** The server has no space for a stream. */
  isFull = false;
  /** How often the lease was requested or renewed. */
  leaseRequests = 0;
  readonly #paused = new Map<Named, PausedRequest & { readonly wait: () => Promise<void> }>();
  readonly #link = new ConnectionState();
  readonly #listeners = new Set<(bytes: Uint8Array) => void>();
  #revision = 0;

  get isConnected(): boolean {
    return this.#link.isUp;
  }

  /** If true, every request fails. */
  get isDown(): boolean {
    return !this.#link.isUp;
  }

  set isDown(isDown: boolean) {
    this.#link.set(!isDown);
  }

  watch(change: (isConnected: boolean) => void): StoppableTask {
    return this.#link.watch(change);
  }

  /** Pauses the next request of this kind; it is carried out when it is released. */
  pause(name: Named): PausedRequest {
    let [requestArrived, release] = [(): void => {}, (): void => {}];
    const requestSeen = new Promise<void>((resolve) => (requestArrived = resolve));
    const released = new Promise<void>((resolve) => (release = resolve));
    const wait = (): Promise<void> => {
      requestArrived();
      return released;
    };
    const paused = { requestSeen, release: (): void => release(), wait };
    this.#paused.set(name, paused);
    return paused;
  }

  async prepare(): Promise<void> {
    await this.#reach('prepare');
    if (this.isFull) throw new BusUnavailableError('no room');
  }

  async store(message: OutgoingStreamMessage): Promise<StreamPublishResult> {
    try {
      await this.#reach('store');
    } catch {
      return { kind: 'unavailable', reason: 'down' };
    }
    if (message.after !== this.messages.length) return { kind: 'outOfOrder' };
    this.messages.push({ ...message, bytes: message.bytes.slice() });
    return { kind: 'stored', sequence: this.messages.length };
  }

  async ends(): Promise<StreamSequenceRange | null> {
    await this.#reach('ends');
    return { first: 1, last: this.messages.length };
  }

  follow(from: number, take: (message: ReceivedStreamMessage) => Promise<void>): StoppableTask {
    this.follows.push(from);
    const reading = { isStopped: false };
    const run = async (): Promise<void> => {
      for (let sequence = from; !reading.isStopped;) {
        const message = this.messages[sequence - 1];
        if (message === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
        else await take({ bytes: message.bytes, sequence: sequence++ });
      }
    };
    void run();
    return { stop: () => (reading.isStopped = true) };
  }

  async takeLease(holder: string): Promise<number | null> {
    this.leaseRequests++;
    await this.#reach('takeLease');
    return this.lease === null ? this.#lease(holder) : null;
  }

  async renewLease(holder: string, revision: number): Promise<number | null> {
    this.leaseRequests++;
    await this.#reach('renewLease');
    return this.lease?.revision === revision ? this.#lease(holder) : null;
  }

  async readLease(): Promise<{ readonly holder: string; readonly revision: number } | null> {
    return this.lease;
  }

  async releaseLease(revision: number): Promise<void> {
    await this.#reach('releaseLease');
    if (this.lease?.revision === revision) this.lease = null;
  }

  async writeRecord(name: BusRecordName, text: string): Promise<void> {
    this.records.set(name, text);
  }

  async readRecord(name: BusRecordName): Promise<string | null> {
    await this.#reach('readRecord');
    return this.records.get(name) ?? null;
  }

  async putObject(name: string, pieces: AsyncGenerator<Uint8Array, void>): Promise<void> {
    await this.#reach('putObject');
    const object: Uint8Array[] = [];
    for await (const piece of pieces) object.push(piece);
    this.objects.set(name, object);
  }

  async getObject(name: string): Promise<AsyncIterable<Uint8Array> | null> {
    await this.#reach('getObject');
    const object = this.objects.get(name);
    return object === undefined ? null : piecesOf(object);
  }

  async keepObjects(names: readonly string[]): Promise<void> {
    for (const name of this.objects.keys()) if (!names.includes(name)) this.objects.delete(name);
  }

  publish(bytes: Uint8Array): void {
    this.leaderMessages.push(bytes);
    for (const listener of this.#listeners) listener(bytes);
  }

  listen(take: (bytes: Uint8Array) => void): StoppableTask {
    this.#listeners.add(take);
    return { stop: () => this.#listeners.delete(take) };
  }

  publishToGroup(bytes: Uint8Array, to: string | null): void {
    if (this.isDown) return;
    const members = to === null ? [...this.group.keys()] : [to];
    for (const member of members) this.group.get(member)?.(bytes);
  }

  listenGroup(member: string, take: (bytes: Uint8Array) => void): StoppableTask {
    this.group.set(member, take);
    return { stop: () => this.group.delete(member) };
  }

  async request(): Promise<Uint8Array> {
    return Promise.reject(new BusUnavailableError('nobody answers'));
  }

  answer(_answering: BusRequestHandler): StoppableTask {
    return { stop: () => {} };
  }

  async #reach(name: Named): Promise<void> {
    const paused = this.#paused.get(name);
    this.#paused.delete(name);
    await paused?.wait();
    if (this.isDown) throw new BusUnavailableError('down');
  }

  #lease(holder: string): number {
    this.lease = { holder, revision: ++this.#revision };
    return this.#revision;
  }
}

async function* piecesOf(object: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  yield* object;
}
