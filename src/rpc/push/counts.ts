// Counts who is told without asking, and what, by topic. Runs on main.

/** Counts of one topic; all but `open` and `filters` only grow. */
export interface TopicCounts {
  /** Subscriptions, and filters of clients that poll. */
  open: number;
  filters: number;
  /** Messages sent, and those left out as their client read too slowly. */
  pushed: number;
  skipped: number;
}

/** Reasons for which connections are closed: they are not read, or the state was begun anew and something may be missing. */
export type CloseReason = 'slow' | 'reset';

/** One per program. A topic that was asked for once is shown from then on. */
export class PushCounts {
  readonly #topics = new Map<string, TopicCounts>();
  /** Connections closed. */
  readonly closed: Record<CloseReason, number> = { slow: 0, reset: 0 };
  /** Subscriptions that began behind an event of the past. */
  resumed = 0;

  /** Counts of a topic, by its key, which begins with its name. */
  of(key: string): TopicCounts {
    const name = key.split(' ', 1)[0]!;
    const known = this.#topics.get(name) ?? { open: 0, filters: 0, pushed: 0, skipped: 0 };
    this.#topics.set(name, known);
    return known;
  }

  /** Counts by the topic's name. */
  get topics(): ReadonlyMap<string, Readonly<TopicCounts>> {
    return this.#topics;
  }
}
