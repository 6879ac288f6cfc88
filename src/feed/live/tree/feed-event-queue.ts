// Queue of the pre-confirmation feed's events, which are handled one after the other.
import { preciseMs } from '../../../lib/clock.js';
import type { Histogram } from '../../../lib/histogram.js';
import type { LiveFeedCounters } from '../../live-feed-counters.js';
import type { LiveSink } from '../../feed.js';
import type { StreamEvent } from '../../stream-events.js';
import type { TransactionSenders } from '../executing/transaction-senders.js';
import type { SerialQueue } from '../executing/serial-queue.js';
import type { TreeDriver } from './tree-driver.js';

interface FeedEventQueueDeps {
  readonly sink: Pick<LiveSink, 'progress'>;
  readonly counts: LiveFeedCounters;
  readonly senders: TransactionSenders;
  readonly driver: TreeDriver;
  readonly serial: SerialQueue;
  /** Histogram of the time from a message's arrival until readers see its state. */
  readonly visible: Histogram;
}

/** Accepts all events of a pre-confirmation feed. */
export class FeedEventQueue {
  readonly #deps: FeedEventQueueDeps;
  #newestBlock: number | null = null;

  constructor(deps: FeedEventQueueDeps) {
    this.#deps = deps;
  }

  /** Number of the block of the newest increment; `null` before the first one. */
  get newestBlock(): number | null {
    return this.#newestBlock;
  }

  /** Adds an event. Senders are recovered while earlier events are handled. `arrivedMs` is a time of `preciseMs`. */
  add(event: StreamEvent, arrivedMs: number): void {
    this.#apply(event);
    this.#deps.serial.add(() => this.#take(event, arrivedMs));
  }

  #apply(event: StreamEvent): void {
    const { sink, counts, senders, driver } = this.#deps;
    switch (event.kind) {
      case 'open':
      case 'append':
        this.#newestBlock = event.block;
        senders.expect(event.increment.transactions);
        return driver.expect(event);
      case 'gap':
        counts.gaps++;
        return sink.progress(`a message of the feed cannot be read: ${event.reason}`);
      case 'lapse':
        return sink.progress(`one of the feeds: ${event.reason}`);
      case 'down':
        return sink.progress(`the feed is down: ${event.reason}`);
    }
  }

  /** Handles an event. Records the time since its arrival if it has made an increment visible to readers. */
  async #take(event: StreamEvent, arrivedMs: number): Promise<void> {
    const { counts, driver, visible } = this.#deps;
    const before = counts.increments;
    if ('increment' in event) await driver.increment(event);
    else if (event.kind !== 'lapse') await driver.take({ kind: 'feedDown' });
    if (counts.increments > before) visible.record(preciseMs() - arrivedMs);
  }
}
