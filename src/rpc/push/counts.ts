// Counts subscribers and messages by topic.

/** Counters of one topic; all but `open` and `filters` only grow. */
export interface TopicCounts {
  /** Open subscriptions, and filters of clients that poll. */
  open: number;
  filters: number;
  /** Messages sent, and messages skipped because their client read too slowly. */
  pushed: number;
  skipped: number;
}

/** Why connections are closed: they are not read, or the state was reset and something may be missing. */
export type CloseReason = 'slow' | 'reset';

/** One per program. A topic is shown once it has been used. */
export class PushCounts {
  readonly #topics = new Map<string, TopicCounts>();
  /** Connections closed. */
  readonly closed: Record<CloseReason, number> = { slow: 0, reset: 0 };
  /** Subscriptions that resumed after a past event. */
  resumed = 0;

  /** Counters of a topic, by its key, which starts with its name. */
  of(key: string): TopicCounts {
    const name = key.split(' ', 1)[0]!;
    const known = this.#topics.get(name) ?? { open: 0, filters: 0, pushed: 0, skipped: 0 };
    this.#topics.set(name, known);
    return known;
  }

  /** Counters by topic name. */
  get topics(): ReadonlyMap<string, Readonly<TopicCounts>> {
    return this.#topics;
  }
}
