// Counts subscribers and messages for each subscription topic.

/** Counters of one subscription topic. Only `open` and `filters` can fall. */
export interface TopicCounts {
  /** Number of open subscriptions. */
  open: number;
  /** Number of filters that clients poll. */
  filters: number;
  /** Number of messages that were sent. */
  pushed: number;
  /** Number of messages that were not sent because the client read too slowly. */
  skipped: number;
}

/** Why the server closed a connection. `slow`: the client does not read. `reset`: events may be missing. */
export type PushCloseReason = 'slow' | 'reset';

/** The counters of all subscription topics. A topic is listed once it has been used. */
export class PushCounts {
  /** Counters by topic name. */
  readonly topics = new Map<string, TopicCounts>();
  /** Number of connections that the server closed, by reason. */
  readonly closed: Record<PushCloseReason, number> = { slow: 0, reset: 0 };
  /** Number of subscriptions that started after an event in the past. */
  resumed = 0;

  /** Returns the counters of a topic. `key` starts with the topic's name. */
  of(key: string): TopicCounts {
    const name = key.split(' ', 1)[0]!;
    const known = this.topics.get(name) ?? { open: 0, filters: 0, pushed: 0, skipped: 0 };
    this.topics.set(name, known);
    return known;
  }
}
