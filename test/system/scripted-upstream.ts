// A scripted upstream node with a scripted feed of increments, and the expected responses at every position of its
// chain.
import { once } from 'node:events';
import { WebSocketServer, type WebSocket } from 'ws';
import { decodeHeader } from '../../src/chain/block/header.js';
import { JobRunner } from '../../src/execution/call/job-runner.js';
import { fromHex, toHex, toQuantity } from '../../src/lib/bytes/hex.js';
import { toBytes } from '../../src/lib/bytes/big-endian.js';
import type { BlockEnv } from '../../src/state/state-diff.js';
import type { StateView } from '../../src/state/views/state-view.js';
import { ACCOUNTS, READER, RULES, WRITER, framesOf, type MadeBlock } from '../feed/live/chain-maker.js';
import { freePort } from '../support/free-port.js';
import { callRequest } from '../support/jobs.js';
import { eventually, until } from '../support/patience.js';
import { Server } from '../support/server.js';
import { UpstreamNode } from '../support/upstream-node.js';
import type { Call } from './batch.js';

const SENDERS = ACCOUNTS.slice(0, 4).map(toHex);
const SLOTS: readonly (readonly [address: Uint8Array, slot: number])[] = [
  ...Array.from({ length: 6 }, (_, slot) => [WRITER, slot] as const),
  ...[10, 20, 30, 1000].map((slot) => [READER, slot] as const),
];
const word = (value: number): string => toHex(toBytes(BigInt(value), 32));
/** Calls whose cost depends on a slot: an empty one, one that changes, one that does not. */
const CALLS = [
  ...[0, 1, 2].map((slot) => ({ from: SENDERS[0]!, to: toHex(WRITER), data: `${word(slot)}${word(7).slice(2)}` })),
  { from: SENDERS[1]!, to: toHex(READER), data: word(0) },
];

/** False if the connection ends before its peer answers a ping. */
function isAlive(socket: WebSocket): Promise<boolean> {
  return new Promise((resolve) => {
    const onPong = (): void => end(true);
    const onClose = (): void => end(false);
    const end = (isAnswered: boolean): void => {
      socket.off('pong', onPong).off('close', onClose);
      resolve(isAnswered);
    };
    socket.on('pong', onPong).on('close', onClose).ping();
  });
}

/** Block, nonces, balances, storage and estimates, all at one tag. */
export function questions(tag: 'latest' | 'pending'): Call[] {
  return [
    ['eth_getBlockByNumber', tag, false],
    ...SENDERS.map((address): Call => ['eth_getTransactionCount', address, tag]),
    ...SENDERS.map((address): Call => ['eth_getBalance', address, tag]),
    ...SLOTS.map(([address, slot]): Call => ['eth_getStorageAt', toHex(address), toQuantity(slot), tag]),
    ...CALLS.map((call): Call => ['eth_estimateGas', call, tag]),
  ];
}

/** Position after a complete block. */
export function positionOfBlock(hash: string): string {
  return `block ${hash}`;
}

/** Position inside a block, given by the transactions before it. */
export function positionOfIncrement(parentHash: string, transactions: readonly string[]): string {
  return `after ${transactions.length} on ${parentHash}: ${transactions.join()}`;
}

const ODD = { type: '0x7d', hash: `0x${'0d'.repeat(32)}` };
const POSITION = /^after \d+ on (0x[0-9a-f]+): (.*)$/;

/** Expected responses at every position that was ever announced. */
class Truth {
  readonly #positions = new Map<string, { readonly state: StateView; readonly env: BlockEnv }>();
  readonly #answers = new Map<string, Promise<string>>();
  #turn: Promise<unknown> = Promise.resolve();

  add(position: string, state: StateView, env: BlockEnv): void {
    this.#positions.set(position, { state, env });
  }

  /** Positions of increments that continue from this one. */
  after(position: string): string[] {
    const [, on, transactions] = POSITION.exec(position) ?? [];
    return [...this.#positions.keys()].filter((other) => {
      const [, otherOn, more] = POSITION.exec(other) ?? [];
      return other !== position && on !== undefined && on === otherOn && more!.startsWith(transactions!);
    });
  }

  /** Responses to `questions` except the block, as JSON; `null` if the position was never announced. */
  at(position: string): Promise<string> | null {
    const known = this.#positions.get(position);
    if (known === undefined) return null;
    const expected = this.#answers.get(position) ?? this.#next(() => answers(known.state, known.env));
    this.#answers.set(position, expected);
    return expected;
  }

  /** Runs one at a time, because there is only one runner. */
  #next(work: () => Promise<string>): Promise<string> {
    const done = this.#turn.then(work);
    this.#turn = done;
    return done;
  }
}

const runner = new JobRunner({ rules: RULES });

async function answers(state: StateView, env: BlockEnv): Promise<string> {
  const accounts = SENDERS.map((address) => state.account(fromHex(address))!);
  const expected = [
    ...accounts.map(({ nonce }) => toQuantity(nonce)),
    ...accounts.map(({ balance }) => toQuantity(balance)),
    ...SLOTS.map(([address, slot]) => toHex(state.storage(address, toBytes(BigInt(slot), 32)))),
  ];
  for (const call of CALLS) {
    const position = { kind: 'version', version: 0 } as const;
    const bounds = { gasCap: 50_000_000n, timeoutMs: 5000, stateOverride: [], blockOverride: null };
    const outcome = await runner.runJob({ kind: 'estimate', position, call: callRequest(call), ...bounds }, state, env);
    if (outcome.kind !== 'gas') throw new Error(`an estimate is ${outcome.kind}`);
    expected.push(toQuantity(outcome.gas));
  }
  return JSON.stringify(expected);
}

/** A block and its feed messages. */
export interface ScriptedBlock {
  readonly made: MadeBlock;
  readonly frames: readonly string[];
  /** Position after each increment. */
  readonly positions: readonly string[];
  /** Position after the block. */
  readonly position: string;
}

/** A scripted upstream, the program that follows it, and the chain that both have. */
export class FollowedUpstream {
  readonly upstream: ScriptedUpstream;
  readonly server: Server;
  chain: MadeBlock[];

  constructor(upstream: ScriptedUpstream, server: Server, chain: MadeBlock[]) {
    this.upstream = upstream;
    this.server = server;
    this.chain = chain;
  }

  get tip(): MadeBlock {
    return this.chain.at(-1)!;
  }
}

export class ScriptedUpstream {
  readonly node: UpstreamNode;
  readonly truth = new Truth();
  /** Hashes of blocks that the node serves with a transaction of type 0x7d. */
  readonly oddBlocks = new Set<unknown>();
  readonly #port: number;
  #feed: WebSocketServer | null = null;

  private constructor(node: UpstreamNode, port: number) {
    this.node = node;
    this.#port = port;
  }

  static async start(blocks: readonly MadeBlock[]): Promise<ScriptedUpstream> {
    const node = await UpstreamNode.start({ chainId: RULES.chain.chainId, blocks });
    const upstream = new ScriptedUpstream(node, Number(await freePort()));
    node.bend = (json) => (upstream.oddBlocks.has(json['hash']) ? { ...json, transactions: [ODD] } : json);
    for (const { hash, state, env } of blocks) upstream.truth.add(positionOfBlock(toHex(hash)), state, env);
    await upstream.openFeed();
    return upstream;
  }

  /** Starts the program behind it; resolves once the program listens to heads and increments. */
  async follow(...flags: readonly string[]): Promise<Server> {
    const { url, wsUrl } = this.node;
    const server = await Server.start('--upstream', url, '--upstream-ws', wsUrl, '--feed', this.feedUrl, ...flags);
    await until(() => this.connections > 0 && this.node.subscribers > 0, 'everything is listened to');
    return server;
  }

  get feedUrl(): string {
    return `ws://127.0.0.1:${this.#port}`;
  }

  /** Number of connections to the feed. */
  get connections(): number {
    return this.#feed?.clients.size ?? 0;
  }

  async openFeed(): Promise<void> {
    this.#feed = new WebSocketServer({ host: '127.0.0.1', port: this.#port });
    await once(this.#feed, 'listening');
  }

  /** Closes the feed as if its process had been killed. */
  async killFeed(): Promise<void> {
    const feed = this.#feed;
    this.#feed = null;
    for (const socket of feed?.clients ?? []) socket.terminate();
    await new Promise((resolve) => (feed === null ? resolve(null) : feed.close(resolve)));
  }

  /**
   * Sends to every follower, once each has answered a ping. Building a block keeps this process busy, on a busy machine
   * for long enough that a follower considers it dead; whatever is sent before it has reconnected would be lost.
   */
  async send(...frames: readonly string[]): Promise<void> {
    const followers = await eventually(() => this.#followers(), 'followers answer a ping');
    for (const socket of followers) for (const frame of frames) socket.send(frame);
  }

  async #followers(): Promise<readonly WebSocket[] | undefined> {
    const followers = [...(this.#feed?.clients ?? [])];
    const isEach = await Promise.all(followers.map(isAlive));
    return followers.length > 0 && isEach.every(Boolean) ? followers : undefined;
  }

  /** Registers a block and the states after each of its increments. */
  register(made: MadeBlock, states: readonly StateView[], size: number): ScriptedBlock {
    const { parentHash } = decodeHeader(made.header);
    const hashes = made.block.transactions.map(({ hash }) => toHex(hash));
    const positions = states.map((_, index) => positionOfIncrement(toHex(parentHash), hashes.slice(0, index * size)));
    for (const [index, position] of positions.entries()) this.truth.add(position, states[index]!, made.env);
    const position = positionOfBlock(toHex(made.hash));
    this.truth.add(position, made.state, made.env);
    return { made, frames: framesOf(made, size), positions, position };
  }

  async close(): Promise<void> {
    await this.killFeed();
    await this.node.close();
  }
}
