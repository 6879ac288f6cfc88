// Counts subscribers and messages by topic.

/** Counters of one topic. Only `open` and `filters` can fall. */
export interface TopicCounts {
  /** Open subscriptions, and filters of clients that poll. */
  open: number;
  filters: number;
  /** Messages that were sent, and messages that were skipped because their client read too slowly. */
  pushed: number;
  skipped: number;
}

/** Why a connection is closed. `slow`: its client does not read. `reset`: something may be missing. */
export type PushCloseReason = 'slow' | 'reset';

/** The counters of all topics. A topic is shown once it has been used. */
export class PushCounts {
  readonly #topics = new Map<string, TopicCounts>();
  /** Connections that were closed, by reason. */
  readonly closed: Record<PushCloseReason, number> = { slow: 0, reset: 0 };
  /** Subscriptions that resumed after an event in the past. */
  resumed = 0;

  /** Counters of a topic by its key, which starts with its name. */
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
