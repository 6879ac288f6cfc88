// The state of the connection to the NATS server. Steps that need the connection fail when it is lost.
import type { StoppableTask } from './chain-bus.js';

export class ConnectionState {
  readonly #watchers = new Set<(isUp: boolean) => void>();
  #isUp: boolean;

  /** `isUp` is the state at the start. */
  constructor(isUp = true) {
    this.#isUp = isUp;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  set(isUp: boolean): void {
    if (isUp === this.#isUp) return;
    this.#isUp = isUp;
    for (const watcher of this.#watchers) watcher(isUp);
  }

  /** Calls `watcher` with each change, until the returned task is stopped. */
  watch(watcher: (isUp: boolean) => void): StoppableTask {
    this.#watchers.add(watcher);
    return { stop: () => this.#watchers.delete(watcher) };
  }

  /**
   * Runs a step and returns its result. Rejects if the connection is down or is lost meanwhile, because no response can
   * arrive then.
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

const NOBODY: StoppableTask = { stop: () => undefined };
