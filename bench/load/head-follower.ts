// Numbers of blocks that requests name, kept at the head of a chain that moves on. Runs in the generator.
import { newestNumbers } from '../suite/world.js';
import { type Endpoint, headOf } from './ask.js';

const LOOK_MS = 500;

export class HeadFollower {
  readonly #target: Endpoint;
  /** Those that the world's requests choose from. */
  readonly #blocks: string[];
  #timer: NodeJS.Timeout | null = null;
  #isLooking = false;

  constructor(target: Endpoint, blocks: readonly string[]) {
    this.#target = target;
    this.#blocks = blocks as string[];
  }

  /** Resolves at the first head. */
  async begin(): Promise<void> {
    await this.#look();
    this.#timer = setInterval(() => void this.#lookAgain(), LOOK_MS);
  }

  end(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  /** One look at a time; a head that is not told now is told later. */
  async #lookAgain(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    await this.#look().catch(() => undefined);
    this.#isLooking = false;
  }

  async #look(): Promise<void> {
    const numbers = newestNumbers(await headOf(this.#target));
    const tags = this.#blocks.filter((name) => !name.startsWith('0x'));
    this.#blocks.splice(0, this.#blocks.length, ...tags, ...numbers);
  }
}
