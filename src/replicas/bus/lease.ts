// The lease that makes one executor the leader. It only chooses who tries to write. The stream prevents diverging
// histories: it accepts a message only directly after the last one that its writer has seen.

// A leader that loses the lease exits, and its supervisor restarts it as a follower. See DECISIONS.md.
import { LIMITS } from '../../limits/index.js';
import { BusUnavailableError, type ChainBus } from './chain-bus.js';

type LeaseBus = Pick<ChainBus, 'takeLease' | 'renewLease' | 'readLease' | 'releaseLease'>;

/** Who holds the lease. `held`: this executor. `other`: another executor. `unknown`: the server does not respond. */
type LeaseState = 'held' | 'other' | 'unknown';

export class Lease {
  readonly #bus: LeaseBus;
  readonly #holder: string;
  readonly #now: () => number;
  #revision: number | null = null;
  #untilMs = 0;
  #isReleased = false;
  #tending: Promise<LeaseState> | null = null;

  /** `holder` is an id that no other executor has. `now` returns monotonic milliseconds. */
  constructor(bus: LeaseBus, holder: string, now: () => number) {
    this.#bus = bus;
    this.#holder = holder;
    this.#now = now;
  }

  /**
   * True while this executor holds the lease. The lease's duration is counted from before the request is sent, so that
   * the lease expires in this process before it expires on the server.
   */
  get isOurs(): boolean {
    return this.#revision !== null && this.#now() < this.#untilMs;
  }

  /**
   * Renews the lease, or acquires it if it is free. Does nothing after `release`. Concurrent callers share one request.
   */
  tend(): Promise<LeaseState> {
    if (this.#isReleased) return Promise.resolve('other');
    this.#tending ??= this.#tend().finally(() => (this.#tending = null));
    return this.#tending;
  }

  /**
   * Releases the lease at once if possible. A renewal in flight is awaited first, because it changes the lease's
   * revision.
   */
  async release(): Promise<void> {
    this.#isReleased = true;
    await this.#tending;
    const revision = this.#revision;
    this.#revision = null;
    if (revision !== null) await this.#bus.releaseLease(revision).catch(() => undefined);
  }

  async #tend(): Promise<LeaseState> {
    const atMs = this.#now();
    try {
      const revision = (await this.#renewed()) ?? (await this.#bus.takeLease(this.#holder)) ?? (await this.#found());
      this.#revision = revision;
      if (revision === null) return 'other';
      this.#untilMs = atMs + LIMITS.replicationLeaseMs - LIMITS.replicationRenewMs;
      return 'held';
    } catch (error) {
      if (!(error instanceof BusUnavailableError)) throw error;
      return 'unknown';
    }
  }

  #renewed(): Promise<number | null> {
    return this.#revision === null ? Promise.resolve(null) : this.#bus.renewLease(this.#holder, this.#revision);
  }

  /**
   * Renews a lease that the server has recorded for us at a newer revision than we know, which happens if a response
   * was lost.
   */
  async #found(): Promise<number | null> {
    const found = await this.#bus.readLease();
    return found?.holder === this.#holder ? this.#bus.renewLease(this.#holder, found.revision) : null;
  }
}
