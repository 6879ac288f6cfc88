// A scriptable node for tests: serves blocks and plain state reads over HTTP and WebSocket on 127.0.0.1, counts
// requests, and injects every fault that a test selects.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { WebSocketServer, type WebSocket } from 'ws';
import { fromHex, toHex, toQuantity } from '../../src/lib/bytes/hex.js';
import { toBytes } from '../../src/lib/bytes/big-endian.js';
import { EMPTY_CODE_HASH, type StateView } from '../../src/state/views/state-view.js';
import { blockJson, headerJson, type Json, type JsonObject, type RawBlock } from './node-json.js';

/** A block with the state after it. A sink's `CompleteBlock` plus a view will do. */
export interface NodeBlock extends RawBlock {
  /** Must not change. */
  readonly state: StateView;
}

/** Fault of one HTTP request; each request takes the first one of `faults.next`. */
export type NodeFault =
  | { readonly kind: 'none' }
  /** The connection is closed without a response. */
  | { readonly kind: 'drop' }
  /** The connection is closed in the middle of the response. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string }
  /** Responds with this body and status 200. */
  | { readonly kind: 'body'; readonly body: string }
  /** Correct responses under wrong ids. */
  | { readonly kind: 'wrongIds' }
  /** The last response of the batch is missing. */
  | { readonly kind: 'missing' }
  /** Responses in reverse order, which JSON-RPC allows. */
  | { readonly kind: 'reversed' }
  /** Every request gets this error. */
  | { readonly kind: 'error'; readonly code: number; readonly message: string; readonly data?: Json };

/** Faults, which may be changed at any time. */
export interface NodeFaults {
  /** Faults of the next HTTP requests, one each; later requests succeed. */
  next: NodeFault[];
  /** Delay before every HTTP response. */
  latencyMs: number;
  /** HTTP requests are accepted but not answered until this is false again. */
  stalled: boolean;
  /** Methods that fail with -32601. */
  readonly refused: Set<string>;
  /** Blocks (hash, `0x` hex) whose state has been pruned. */
  readonly pruned: Set<string>;
  /**
   * Accounts (address) and slots (address and slot), in `0x` hex and separated by a space, that the node refuses to
   * serve.
   */
  readonly refusedKeys: Set<string>;
  /** Largest batch; a larger one is refused as a whole. */
  batchMax: number;
  /** How `{blockHash}` is treated: understood, refused with -32602, or taken as "latest". */
  eip1898: 'understood' | 'refused' | 'ignored';
  /** If set, WebSocket handshakes fail with this status. */
  socketStatus: { readonly status: number; readonly retryAfter?: string } | null;
  /** WebSocket pings get no pong. */
  deaf: boolean;
  /** New heads are not announced. */
  mute: boolean;
}

/** Counters since the node was created, or since `resetCounts`. */
export interface NodeCounts {
  /** JSON-RPC requests over HTTP. */
  requests: number;
  /** HTTP requests. */
  roundTrips: number;
  /** JSON-RPC requests by method, over HTTP and WebSocket. */
  byMethod: Record<string, number>;
  /** WebSocket handshakes, including refused ones. */
  handshakes: number;
}

export interface NodeOptions {
  readonly chainId?: bigint;
  readonly blocks?: readonly NodeBlock[];
}

type Params = readonly unknown[];
type Method = (params: Params) => Json | Promise<Json>;

/** Thrown by methods; becomes the response's `error` member. */
export class NodeError extends Error {
  readonly code: number;
  readonly data: Json | undefined;

  constructor(code: number, message: string, data?: Json) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

interface Entry {
  readonly block: NodeBlock;
  readonly number: number;
  readonly hash: string;
}

interface Request {
  readonly id: unknown;
  readonly method: string;
  readonly params?: Params;
}

const STATE_METHODS = new Set([
  'eth_getBalance',
  'eth_getTransactionCount',
  'eth_getCode',
  'eth_getStorageAt',
  'eth_getProof',
]);

export class UpstreamNode {
  readonly faults: NodeFaults = {
    next: [],
    latencyMs: 0,
    stalled: false,
    refused: new Set(),
    pruned: new Set(),
    refusedKeys: new Set(),
    batchMax: Infinity,
    eip1898: 'understood',
    socketStatus: null,
    deaf: false,
    mute: false,
  };
  counts: NodeCounts = { requests: 0, roundTrips: 0, byMethod: {}, handshakes: 0 };
  /** Additional methods, and overrides of the built-in ones. */
  readonly methods = new Map<string, Method>();
  /** Changes blocks with full transactions before they are sent. */
  bend: (block: JsonObject) => JsonObject = (block) => block;
  /** Called with every HTTP body that arrives. */
  onBody: (body: string) => void = () => undefined;
  port = 0;
  readonly #chainId: bigint;
  readonly #byHash = new Map<string, Entry>();
  /** Blocks with transaction hashes only. */
  readonly #headJsons = new WeakMap<Entry, Json>();
  #chain: Entry[] = [];
  #safe: number | null = null;
  #finalized: number | null = null;
  #server: Server | null = null;
  #sockets: WebSocketServer | null = null;
  #subscribers: { readonly socket: WebSocket; readonly id: string }[] = [];
  #subscriptions = 0;

  private constructor(options: NodeOptions) {
    this.#chainId = options.chainId ?? 1337n;
    for (const block of options.blocks ?? []) this.#append(block);
  }

  static async start(options: NodeOptions = {}): Promise<UpstreamNode> {
    const node = new UpstreamNode(options);
    await node.restart();
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get wsUrl(): string {
    return `ws://127.0.0.1:${this.port}`;
  }

  /** Hash of the head, `0x` hex. */
  get head(): string {
    return this.#chain.at(-1)!.hash;
  }

  /** Appends a block and notifies subscribers. */
  push(block: NodeBlock): void {
    this.#tell(this.#append(block));
  }

  /** Replaces the last `count` blocks by others; the removed ones can still be requested by hash. */
  reorg(count: number, blocks: readonly NodeBlock[]): void {
    this.#chain = this.#chain.slice(0, this.#chain.length - count);
    for (const block of blocks) this.push(block);
  }

  /**
   * Removes the last `count` blocks, as if the node had been rolled back: subscribers are not notified, and the blocks
   * cannot be requested any more.
   */
  rewind(count: number): void {
    for (const { hash } of this.#chain.splice(this.#chain.length - count)) this.#byHash.delete(hash);
  }

  /** Retains only this many of the newest blocks. */
  forget(but: number): void {
    for (const { hash } of this.#chain.splice(0, Math.max(0, this.#chain.length - but))) this.#byHash.delete(hash);
  }

  /** Numbers of the safe and finalized blocks, which change only here; `null`: there is none. */
  setTags(safe: number | null, finalized: number | null): void {
    this.#safe = safe;
    this.#finalized = finalized;
  }

  resetCounts(): void {
    this.counts = { requests: 0, roundTrips: 0, byMethod: {}, handshakes: 0 };
  }

  /** Sends `text` unchanged to every WebSocket client. */
  sendAll(text: string): void {
    for (const socket of this.#sockets?.clients ?? []) socket.send(text);
  }

  /** Closes every WebSocket connection: with a close code, or abruptly. */
  dropSockets(code?: number): void {
    for (const socket of this.#sockets?.clients ?? []) {
      if (code === undefined) socket.terminate();
      else socket.close(code);
    }
    this.#subscribers = [];
  }

  /** Number of `newHeads` subscriptions. */
  get subscribers(): number {
    return this.#subscribers.length;
  }

  /** Stops like a killed process: nothing listens, and every connection is cut. */
  async kill(): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    this.dropSockets();
    this.#sockets?.close();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  /** Listens again on the same port. */
  async restart(): Promise<void> {
    const server = createServer((request, response) => void this.#serve(request, response));
    // Node and client share a thread: a client that was busy for seconds would otherwise reuse a connection that the
    // node has already closed as idle.
    server.keepAliveTimeout = 0;
    this.#sockets = new WebSocketServer({ noServer: true, autoPong: false });
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#upgrade(request, socket, head),
    );
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.port, '127.0.0.1', resolve);
    });
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Same as `kill`. */
  close(): Promise<void> {
    return this.kill();
  }

  #append(block: NodeBlock): Entry {
    // Works for headers of any fork, including forks that the program does not know.
    const number = Number(headerJson(block.header)['number']);
    const entry = { block, number, hash: toHex(keccak256(block.header)) };
    this.#byHash.set(entry.hash, entry);
    this.#chain.push(entry);
    return entry;
  }

  #tell({ block }: Entry): void {
    if (this.faults.mute) return;
    for (const { socket, id } of this.#subscribers) {
      const params = { subscription: id, result: headerJson(block.header) };
      socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params }));
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    if (body === null) return;
    this.onBody(body);
    this.counts.roundTrips++;
    const fault = this.faults.next.shift() ?? { kind: 'none' };
    while (this.faults.stalled && !request.socket.destroyed) await sleep(5);
    if (this.faults.latencyMs > 0) await sleep(this.faults.latencyMs);
    if (fault.kind === 'drop') return void request.socket.destroy();
    if (fault.kind === 'status') return refuse(response, fault);
    if (fault.kind === 'body') return void response.end(fault.body);
    const answer = JSON.stringify(bend(await this.#answerBody(body, fault), fault));
    if (fault.kind === 'cut') return cut(response, answer);
    response.setHeader('content-type', 'application/json');
    response.end(answer);
  }

  async #answerBody(body: string, fault: NodeFault): Promise<Json> {
    const parsed = JSON.parse(body) as Request | Request[];
    const requests = Array.isArray(parsed) ? parsed : [parsed];
    this.counts.requests += requests.length;
    if (requests.length > this.faults.batchMax)
      return { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'batch too large' } };
    const answers = await Promise.all(requests.map((request) => this.#answer(request, fault)));
    return Array.isArray(parsed) ? answers : answers[0]!;
  }

  async #answer({ id, method, params }: Request, fault: NodeFault = { kind: 'none' }): Promise<Json> {
    this.counts.byMethod[method] = (this.counts.byMethod[method] ?? 0) + 1;
    const head = { jsonrpc: '2.0', id: id as Json };
    try {
      if (fault.kind === 'error') throw new NodeError(fault.code, fault.message, fault.data);
      return { ...head, result: await this.#call(method, params ?? []) };
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      const data = error.data === undefined ? {} : { data: error.data };
      return { ...head, error: { code: error.code, message: error.message, ...data } };
    }
  }

  #call(method: string, params: Params): Json | Promise<Json> {
    if (this.faults.refused.has(method)) throw notFound(method);
    const extra = this.methods.get(method);
    if (extra !== undefined) return extra(params);
    if (STATE_METHODS.has(method)) return this.#read(method, params);
    switch (method) {
      case 'eth_chainId':
        return toQuantity(this.#chainId);
      case 'net_version':
        return String(this.#chainId);
      case 'eth_syncing':
        return false;
      case 'eth_blockNumber':
        return toQuantity(this.#chain.at(-1)?.number ?? 0);
      case 'eth_getBlockByHash':
        return this.#render(this.#byHash.get(String(params[0])), params[1]);
      case 'eth_getBlockByNumber':
        return this.#render(this.#numbered(String(params[0])), params[1]);
      default:
        throw notFound(method);
    }
  }

  #render(entry: Entry | undefined, full: unknown): Json {
    if (entry === undefined) return null;
    return full === true ? this.bend(blockJson(entry.block, true)) : this.#headJson(entry);
  }

  /** Cached: a client polls the newest block every second, and hashing takes 10 us per transaction. */
  #headJson(entry: Entry): Json {
    let json = this.#headJsons.get(entry);
    if (json === undefined) this.#headJsons.set(entry, (json = blockJson(entry.block, false)));
    return json;
  }

  #numbered(tag: string): Entry | undefined {
    if (tag === 'latest' || tag === 'pending') return this.#chain.at(-1);
    if (tag === 'earliest') return this.#chain[0];
    if (tag === 'safe' || tag === 'finalized') return this.#tagged(tag);
    return this.#chain.find(({ number }) => number === Number(tag));
  }

  #tagged(tag: 'safe' | 'finalized'): Entry | undefined {
    const number = tag === 'safe' ? this.#safe : this.#finalized;
    if (number === null) throw new NodeError(-39001, `${tag} block not found`);
    return this.#chain.find((entry) => entry.number === number);
  }

  #read(method: string, params: Params): Json {
    const { block, hash } = this.#anchor(params.at(-1));
    if (this.faults.pruned.has(hash)) throw new NodeError(-32000, `missing trie node ${'ab'.repeat(32)} (path )`);
    const named = (method === 'eth_getStorageAt' ? params.slice(0, 2) : params.slice(0, 1)).join(' ');
    if (this.faults.refusedKeys.has(named)) throw new NodeError(-32000, 'this key is refused');
    const address = fromHex(String(params[0]));
    const account = block.state.account(address);
    const word = (slot: unknown): Uint8Array => block.state.storage(address, toBytes(BigInt(String(slot)), 32));
    switch (method) {
      case 'eth_getBalance':
        return toQuantity(account?.balance ?? 0n);
      case 'eth_getTransactionCount':
        return toQuantity(account?.nonce ?? 0n);
      case 'eth_getCode':
        return account === null ? '0x' : toHex(block.state.code(account.codeHash));
      case 'eth_getStorageAt':
        return toHex(word(params[1]));
      default:
        return {
          address: toHex(address),
          balance: toQuantity(account?.balance ?? 0n),
          nonce: toQuantity(account?.nonce ?? 0n),
          codeHash: toHex(account?.codeHash ?? EMPTY_CODE_HASH),
          storageHash: toHex(new Uint8Array(32)),
          accountProof: [],
          storageProof: (params[1] as string[]).map((key) => ({
            key,
            value: toQuantity(BigInt(toHex(word(key)))),
            proof: [],
          })),
        };
    }
  }

  /** The block of a state read, by tag, number or hash (EIP-1898). */
  #anchor(block: unknown): Entry {
    const isHash = typeof block === 'object' && block !== null && 'blockHash' in block;
    if (isHash && this.faults.eip1898 === 'refused') throw new NodeError(-32602, 'invalid argument: expected a string');
    const named = isHash && this.faults.eip1898 === 'understood' ? String(block.blockHash) : null;
    const entry = named === null ? this.#numbered(isHash ? 'latest' : String(block)) : this.#byHash.get(named);
    if (entry === undefined) throw new NodeError(-32000, 'header for hash not found');
    return entry;
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.counts.handshakes++;
    const refusal = this.faults.socketStatus;
    if (refusal !== null) {
      const after = refusal.retryAfter === undefined ? '' : `retry-after: ${refusal.retryAfter}\r\n`;
      socket.end(`HTTP/1.1 ${refusal.status} refused\r\n${after}content-length: 0\r\nconnection: close\r\n\r\n`);
      return;
    }
    this.#sockets!.handleUpgrade(request, socket, head, (client) => this.#connected(client));
  }

  #connected(socket: WebSocket): void {
    socket.on('error', () => undefined);
    socket.on('ping', () => this.faults.deaf || socket.pong());
    socket.on('close', () => (this.#subscribers = this.#subscribers.filter((entry) => entry.socket !== socket)));
    socket.on('message', (data: Buffer) => void this.#message(socket, JSON.parse(data.toString()) as Request));
  }

  async #message(socket: WebSocket, request: Request): Promise<void> {
    if (request.method !== 'eth_subscribe' || this.faults.refused.has('eth_subscribe'))
      return socket.send(JSON.stringify(await this.#answer(request)));
    this.counts.byMethod['eth_subscribe'] = (this.counts.byMethod['eth_subscribe'] ?? 0) + 1;
    const id = toQuantity(++this.#subscriptions);
    this.#subscribers.push({ socket, id });
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: request.id, result: id }));
  }
}

function notFound(method: string): NodeError {
  return new NodeError(-32601, `the method ${method} does not exist/is not available`);
}

function refuse(response: ServerResponse, { status, retryAfter }: { status: number; retryAfter?: string }): void {
  response.statusCode = status;
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
  response.end('no');
}

function cut(response: ServerResponse, answer: string): void {
  response.setHeader('content-length', answer.length);
  response.write(answer.slice(0, answer.length / 2), () => response.destroy());
}

function bend(answer: Json, { kind }: NodeFault): Json {
  const list = Array.isArray(answer) ? (answer as readonly Json[]) : null;
  if (kind === 'reversed' && list !== null) return list.toReversed();
  if (kind === 'missing') return list === null ? {} : list.slice(0, -1);
  if (kind !== 'wrongIds') return answer;
  return list === null ? misnamed(answer) : list.map(misnamed);
}

function misnamed(entry: Json): Json {
  return { ...(entry as Record<string, Json>), id: 'other' };
}

/** `null` if the client closed the connection. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return null;
  }
  return Buffer.concat(chunks).toString();
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
