// The lease that decides which executor leads: it is acquired, renewed and released. It only elects the leader.
// Diverging histories are prevented by the stream, which accepts a message only directly after the last one that its
// writer has seen.

// A leader that is deposed exits, and its supervisor restarts it as a follower. See DECISIONS.md.
import { LIMITS } from '../../limits/index.js';
import { BusUnavailableError, type ChainBus } from './chain-bus.js';

type LeaseBus = Pick<ChainBus, 'takeLease' | 'renewLease' | 'readLease' | 'releaseLease'>;

/** Who holds the lease. `held`: this executor. `other`: another one. `unknown`: the server does not respond. */
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

  /** True while we hold the lease. Our clock starts before the request, so we expire before the server does. */
  get isOurs(): boolean {
    return this.#revision !== null && this.#now() < this.#untilMs;
  }

  /** Renews the lease, or acquires it if it is free, unless it was released. Concurrent callers share one request. */
  tend(): Promise<LeaseState> {
    if (this.#isReleased) return Promise.resolve('other');
    this.#tending ??= this.#tend().finally(() => (this.#tending = null));
    return this.#tending;
  }

  /** Releases the lease at once, if it can. A renewal in flight is awaited: it changes the revision. */
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

  /** If a response was lost, the server has a newer revision of the same holder than we know; that one is renewed. */
  async #found(): Promise<number | null> {
    const found = await this.#bus.readLease();
    return found?.holder === this.#holder ? this.#bus.renewLease(this.#holder, found.revision) : null;
  }
}
