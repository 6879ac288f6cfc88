// Filters: subscriptions that clients poll (eth_newFilter, eth_getFilterChanges).
import { LIMITS } from '../../limits/index.js';
import type { LogCriteria } from '../params/log-criteria.js';
import type { ChainEvents } from './chain-events.js';
import type { PushCounts } from './push-counts.js';
import { mayHaveMissedEvents, newSubscriptionId, type SubscriptionTopic } from './topic-delivery.js';

/** One client's filter, and the event up to which the client has polled it. */
interface Filter {
  readonly topic: SubscriptionTopic;
  /** The criteria of a log filter; `null` for any other filter. */
  readonly criteria: LogCriteria | null;
  serial: number;
  polledAtMs: number;
}

/** All filters, at most LIMITS.filtersMax. A filter that is not polled for five minutes is dropped. */
export class PolledFilters {
  readonly #events: ChainEvents;
  readonly #counts: PushCounts;
  readonly #nowMs: () => number;
  /** The filters by id; the first is the one that was polled longest ago. */
  readonly #filters = new Map<string, Filter>();

  /** `nowMs` is the monotonic clock in milliseconds. */
  constructor(events: ChainEvents, counts: PushCounts, nowMs: () => number) {
    this.#events = events;
    this.#counts = counts;
    this.#nowMs = nowMs;
  }

  /** Adds a filter and returns its id; `null` if there are too many filters. */
  add(topic: SubscriptionTopic, criteria: LogCriteria | null): string | null {
    this.#dropIdle();
    if (this.#filters.size >= LIMITS.filtersMax) return null;
    const id = newSubscriptionId();
    this.#filters.set(id, { topic, criteria, serial: this.#events.serial, polledAtMs: this.#nowMs() });
    this.#counts.of(topic.key).filters++;
    return id;
  }

  /**
   * Returns what is new for a filter since the last poll, as JSON. Returns `null` if there is no such filter, or if it
   * was removed: because events are no longer retained, or are missing after a reset of the state.
   */
  changes(id: string): readonly string[] | null {
    const filter = this.#polled(id);
    const events = filter === null ? null : this.#events.since(filter.serial);
    if (filter === null) return null;
    if (events === null || mayHaveMissedEvents(filter.topic, filter.serial, this.#events)) {
      this.remove(id);
      return null;
    }
    filter.serial = this.#events.serial;
    return events.flatMap(({ event }) => filter.topic.texts(event));
  }

  /** Returns the criteria of a log filter; `null` if there is no log filter with this id. */
  criteria(id: string): LogCriteria | null {
    return this.#polled(id)?.criteria ?? null;
  }

  /** Removes a filter; returns whether it existed. */
  remove(id: string): boolean {
    const filter = this.#filters.get(id);
    if (filter === undefined) return false;
    this.#counts.of(filter.topic.key).filters--;
    return this.#filters.delete(id);
  }

  #polled(id: string): Filter | null {
    this.#dropIdle();
    const filter = this.#filters.get(id);
    if (filter === undefined) return null;
    filter.polledAtMs = this.#nowMs();
    this.#filters.delete(id);
    this.#filters.set(id, filter);
    return filter;
  }

  #dropIdle(): void {
    const sinceMs = this.#nowMs() - LIMITS.filterIdleMsMax;
    for (const [id, { polledAtMs }] of this.#filters) {
      if (polledAtMs >= sinceMs) return;
      this.remove(id);
    }
  }
}
