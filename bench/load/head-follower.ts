// Keeps the block numbers of requests at the head of a moving chain. Runs in the generator.
import { newestNumbers } from '../suite/world.js';
import { type Endpoint, headOf } from './ask.js';

const POLL_MS = 500;

export class HeadFollower {
  readonly #target: Endpoint;
  /** The blocks that the world's requests choose from. */
  readonly #blocks: string[];
  #timer: NodeJS.Timeout | null = null;
  #isPolling = false;

  constructor(target: Endpoint, blocks: readonly string[]) {
    this.#target = target;
    this.#blocks = blocks as string[];
  }

  /** Resolves at the first head. */
  async start(): Promise<void> {
    await this.#poll();
    this.#timer = setInterval(() => void this.#pollAgain(), POLL_MS);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  /** One poll at a time; a failed poll is repeated later. */
  async #pollAgain(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    await this.#poll().catch(() => undefined);
    this.#isPolling = false;
  }

  async #poll(): Promise<void> {
    const numbers = newestNumbers(await headOf(this.#target));
    const tags = this.#blocks.filter((name) => !name.startsWith('0x'));
    this.#blocks.splice(0, this.#blocks.length, ...tags, ...numbers);
  }
}
