// The state of the connection to the server; steps that need the connection fail when it is lost.
import type { Running } from './bus.js';

/** A connection whose ups and downs can be watched. */
export class Link {
  readonly #watchers = new Set<(isUp: boolean) => void>();
  #isUp: boolean;

  /** `isUp`: whether it is up initially. */
  constructor(isUp = true) {
    this.#isUp = isUp;
  }

  /** True while the connection is up. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Reports that the connection was lost or is up again. */
  set(isUp: boolean): void {
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
   * The result of a step. Rejects at once if the connection is down, and as soon as it is lost: a response to what was
   * sent before will never arrive, however long one waits.
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
