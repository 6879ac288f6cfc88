// The connection to the server as it comes and goes: what needs it ends with it. Runs on the publisher.
import type { Running } from './bus.js';

/** A connection, of which is told when it comes and goes. */
export class Link {
  readonly #watchers = new Set<(isUp: boolean) => void>();
  #isUp: boolean;

  /** `isUp`: it stands at the beginning. */
  constructor(isUp = true) {
    this.#isUp = isUp;
  }

  /** The connection stands. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** The connection was lost, or stands again. */
  turn(isUp: boolean): void {
    if (isUp === this.#isUp) return;
    this.#isUp = isUp;
    for (const watcher of this.#watchers) watcher(isUp);
  }

  /** Calls `watcher` with every change. */
  watch(watcher: (isUp: boolean) => void): Running {
    this.#watchers.add(watcher);
    return { stop: () => this.#watchers.delete(watcher) };
  }

  /**
   * The result of a step. Rejects at once without the connection, and as soon as that is lost: an answer to what was sent before never
   * comes, however long one waits for it.
   */
  async whileUp<T>(step: () => Promise<T>): Promise<T> {
    if (!this.#isUp) throw new Error('not connected');
    let watching = NOBODY;
    const lost = new Promise<never>((_, reject) => {
      watching = this.watch((isUp) => {
        if (!isUp) reject(new Error('the connection was lost'));
      });
    });
    try {
      return await Promise.race([step(), lost]);
    } finally {
      watching.stop();
    }
  }
}

const NOBODY: Running = { stop: () => undefined };
