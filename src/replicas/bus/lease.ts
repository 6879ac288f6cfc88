// The lease that says which executor leads: taken, renewed and let go. It chooses the leader; that there are not two truths is
// the stream's doing, which takes a message only behind the one that its writer has seen last. Runs on the publisher.

// Decision (2026-11, two cores): A leader that is deposed ends, and its supervisor starts it again as a follower. Gain:
// there is no way back from executing to applying in one process. Price: it answers nothing for the seconds of a start.
import { LIMITS } from '../../limits/index.js';
import { BusUnavailable, type ChainBus } from './bus.js';

type LeaseBus = Pick<ChainBus, 'takeLease' | 'renewLease' | 'readLease' | 'releaseLease'>;

/** `held`; `other`: another executor has it; `unknown`: the server does not answer. */
export type LeaseState = 'held' | 'other' | 'unknown';

/** One executor's part in the lease. */
export class Lease {
  readonly #bus: LeaseBus;
  readonly #holder: string;
  readonly #now: () => number;
  #revision: number | null = null;
  #untilMs = 0;
  #isReleased = false;
  #tending: Promise<LeaseState> | null = null;

  /** `holder`: unlike that of every other executor. `now`: milliseconds of the monotonic clock. */
  constructor(bus: LeaseBus, holder: string, now: () => number) {
    this.#bus = bus;
    this.#holder = holder;
    this.#now = now;
  }

  /** Nobody else can have it: counted from before it was asked for, so that the server's time is the longer one. */
  get isHeld(): boolean {
    return this.#revision !== null && this.#now() < this.#untilMs;
  }

  /** Renews it, or takes it where it is free, unless it was let go. Who asks meanwhile has the same answer. */
  tend(): Promise<LeaseState> {
    if (this.#isReleased) return Promise.resolve('other');
    this.#tending ??= this.#tend().finally(() => (this.#tending = null));
    return this.#tending;
  }

  /** Lets it go at once, where the server hears it; a renewal at hand is waited for, as it is what has to be let go. */
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
      if (!(error instanceof BusUnavailable)) throw error;
      return 'unknown';
    }
  }

  #renewed(): Promise<number | null> {
    return this.#revision === null ? Promise.resolve(null) : this.#bus.renewLease(this.#holder, this.#revision);
  }

  /** After an answer that was lost the server has another revision than is known here, of the same holder: that one is renewed. */
  async #found(): Promise<number | null> {
    const found = await this.#bus.readLease();
    return found?.holder === this.#holder ? this.#bus.renewLease(this.#holder, found.revision) : null;
  }
}
