// Follows the node's head, safe and finalized blocks: by WebSocket where there is one, and by polling, which goes on
// slowly beside a WebSocket (for safe and finalized, and in case it has fallen silent) and fast without one.
// Runs on the publisher.
import { sameBytes } from '../lib/byte-map.js';
import type { Clock } from '../lib/clock.js';
import { headOf, refOf } from './block-json.js';
import { UpstreamError } from './error.js';
import { HeadSocket } from './head-socket.js';
import type { JsonRpc } from './json-rpc.js';
import type { RpcAnswer } from './rpc-answer.js';
import type { UpstreamStats } from './stats.js';
import type { UpstreamTuning } from './tuning.js';
import type { BlockRef, HeadEvent, UpstreamHead, UpstreamOptions } from './upstream.js';

export interface HeadsParts {
  readonly rpc: JsonRpc;
  readonly clock: Clock;
  readonly random: () => number;
  readonly stats: UpstreamStats;
}

type Listener = (event: HeadEvent) => void;
type Tags = Extract<HeadEvent, { kind: 'tags' }>;

/** One round trip; what is not answered is asked for again at the next look anyway, whether the node answers or not. */
const LOOK = ['latest', 'safe', 'finalized'].map((tag) => ({ method: 'eth_getBlockByNumber', params: [tag, false] }));
const LOOK_CARE = { triesMax: 1, isProbe: true };

export class Heads {
  readonly #options: Pick<UpstreamOptions, 'wsUrl' | 'pollMs'>;
  readonly #tuning: UpstreamTuning;
  readonly #parts: HeadsParts;
  readonly #listeners = new Set<Listener>();
  readonly #ending = new AbortController();
  #socket: HeadSocket | null = null;
  #isRunning = false;
  /** Ends the pause between two looks. */
  #nudge = new AbortController();
  /** The WebSocket has announced a head since it was connected. */
  #isPushed = false;
  #head: UpstreamHead | null = null;
  #tags: Tags | null = null;

  constructor(options: Pick<UpstreamOptions, 'wsUrl' | 'pollMs'>, tuning: UpstreamTuning, parts: HeadsParts) {
    this.#options = options;
    this.#tuning = tuning;
    this.#parts = parts;
  }

  /** Starts with the first listener. */
  watch(listener: Listener): () => void {
    this.#listeners.add(listener);
    queueMicrotask(() => this.#tellKnown(listener));
    this.#start();
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#ending.abort();
    this.#nudge.abort();
    this.#socket?.close();
  }

  #start(): void {
    if (this.#isRunning || this.#ending.signal.aborted) return;
    this.#isRunning = true;
    if (this.#options.wsUrl !== null) this.#socket = this.#open(this.#options.wsUrl);
    void this.#poll();
  }

  #open(url: string): HeadSocket {
    const { clock, random, stats } = this.#parts;
    return new HeadSocket(url, this.#tuning, {
      clock,
      random,
      stats,
      onHead: (head) => {
        this.#isPushed = true;
        this.#setHead(head);
      },
      // What came while nobody announced it is looked up at once.
      onUp: () => {
        this.#isPushed = false;
        this.#nudge.abort();
      },
    });
  }

  async #poll(): Promise<void> {
    const { clock } = this.#parts;
    while (!this.#ending.signal.aborted) {
      this.#nudge = new AbortController();
      const startMs = clock.now();
      await this.#look();
      const pause = this.#socket?.isUp === true ? this.#tuning.tagsMs : this.#options.pollMs;
      if (!this.#ending.signal.aborted) await clock.sleepUntil(startMs + pause, this.#nudge.signal);
    }
  }

  async #look(): Promise<void> {
    const untilMs = this.#parts.clock.now() + this.#tuning.silenceMs;
    const [latest, safe, finalized] = await this.#parts.rpc.batch(LOOK, { ...LOOK_CARE, untilMs });
    if (this.#ending.signal.aborted) return;
    const head = readOf(latest!, headOf);
    if (head !== null && head !== undefined) this.#polled(head);
    this.#setTags(readOf(safe!, refOf), readOf(finalized!, refOf));
  }

  /**
   * Once the WebSocket tells of heads, a polled one counts only if it is higher: the answer may be older than what was
   * announced meanwhile.
   */
  #polled(head: UpstreamHead): void {
    const isTold = this.#isPushed && this.#socket?.isUp === true;
    if (isTold && this.#head !== null && head.number <= this.#head.number) return;
    if (this.#setHead(head)) this.#parts.stats.headsPolled++;
  }

  /** Whether it is another one. */
  #setHead(head: UpstreamHead): boolean {
    if (this.#head !== null && sameBytes(this.#head.hash, head.hash)) return false;
    this.#head = head;
    this.#tell({ kind: 'head', head });
    return true;
  }

  /** `undefined`: not known this time, what was known stays. */
  #setTags(safe: BlockRef | null | undefined, finalized: BlockRef | null | undefined): void {
    if (safe === undefined && finalized === undefined) return;
    const old = this.#tags;
    const tags: Tags = {
      kind: 'tags',
      safe: safe === undefined ? (old?.safe ?? null) : safe,
      finalized: finalized === undefined ? (old?.finalized ?? null) : finalized,
    };
    if (old !== null && isSame(old.safe, tags.safe) && isSame(old.finalized, tags.finalized)) return;
    this.#tags = tags;
    this.#tell(tags);
  }

  #tell(event: HeadEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  #tellKnown(listener: Listener): void {
    if (!this.#listeners.has(listener)) return;
    if (this.#head !== null) listener({ kind: 'head', head: this.#head });
    if (this.#tags !== null) listener(this.#tags);
  }
}

/** `null`: the node has no such block, or does not know the tag; `undefined`: there is no answer. */
function readOf<T>(answer: RpcAnswer, read: (json: unknown) => T): T | null | undefined {
  if (!answer.ok) return answer.error.rpc === null || answer.error.kind === 'unreachable' ? undefined : null;
  if (answer.result === null) return null;
  try {
    return read(answer.result);
  } catch (error) {
    if (error instanceof UpstreamError) return undefined;
    throw error;
  }
}

function isSame(a: BlockRef | null, b: BlockRef | null): boolean {
  return a === null || b === null ? a === b : sameBytes(a.hash, b.hash);
}
