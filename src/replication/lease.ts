// The lease that says which executor leads: taken, renewed and let go. It chooses the leader; that there are not two truths is
// the stream's doing, which takes a message only behind the one that its writer has seen last. Runs on the publisher.
import { LIMITS } from '../limits.js';
import { BusUnavailable, type ChainBus } from './bus.js';

type LeaseBus = Pick<ChainBus, 'takeLease' | 'renewLease' | 'releaseLease'>;

/** `held`; `other`: another executor has it; `unknown`: the server does not answer. */
export type LeaseState = 'held' | 'other' | 'unknown';

/** One executor's part in the lease. */
export class Lease {
  readonly #bus: LeaseBus;
  readonly #holder: string;
  readonly #now: () => number;
  #revision: number | null = null;
  #untilMs = 0;
  #tending: Promise<LeaseState> | null = null;

  /** `holder`: unlike that of every other executor. `now`: milliseconds of the monotonic clock. */
  constructor(bus: LeaseBus, holder: string, now: () => number) {
    this.#bus = bus;
    this.#holder = holder;
    this.#now = now;
  }

  /** Whether nobody else can have it: counted from before it was asked for, so that the server's time is the longer one. */
  get isHeld(): boolean {
    return this.#revision !== null && this.#now() < this.#untilMs;
  }

  /** Renews it, or takes it where it is free. Who asks meanwhile has the same answer. */
  tend(): Promise<LeaseState> {
    this.#tending ??= this.#tend().finally(() => (this.#tending = null));
    return this.#tending;
  }

  /** Lets it go at once, where the server hears it. */
  async release(): Promise<void> {
    const revision = this.#revision;
    this.#revision = null;
    if (revision !== null) await this.#bus.releaseLease(revision).catch(() => undefined);
  }

  async #tend(): Promise<LeaseState> {
    const atMs = this.#now();
    try {
      const revision = (await this.#renewed()) ?? (await this.#bus.takeLease(this.#holder));
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
}
