// News of the stream on their way into the chain, one after the other.
import { preciseMs } from '../../../lib/clock.js';
import type { Histogram } from '../../../lib/histogram.js';
import type { LiveCounts } from '../../counts.js';
import type { LiveSink } from '../../feed.js';
import type { StreamEvent } from '../../stream.js';
import type { Senders } from '../executing/senders.js';
import type { SerialQueue } from '../executing/serial-queue.js';
import type { Driver } from './driver.js';

/** Parts that the queue works with. */
export interface NewsQueueDeps {
  readonly sink: Pick<LiveSink, 'progress'>;
  readonly counts: LiveCounts;
  readonly senders: Senders;
  readonly driver: Driver;
  readonly turns: SerialQueue;
  /** Counts the times from a message until readers see its state. */
  readonly visible: Histogram;
}

/** Takes whatever a stream tells. */
export class EventQueue {
  readonly #deps: NewsQueueDeps;
  #newestBlock: number | null = null;

  constructor(deps: NewsQueueDeps) {
    this.#deps = deps;
  }

  /** The block of the newest increment; `null` before the first one. */
  get newestBlock(): number | null {
    return this.#newestBlock;
  }

  /** Senders are recovered while what came before is executed. `arrivedMs`: see `preciseMs`. */
  add(news: StreamEvent, arrivedMs: number): void {
    this.#hear(news);
    this.#deps.turns.add(() => this.#take(news, arrivedMs));
  }

  #hear(news: StreamEvent): void {
    const { sink, counts, senders, driver } = this.#deps;
    switch (news.kind) {
      case 'open':
      case 'append':
        this.#newestBlock = news.block;
        senders.expect(news.increment.transactions);
        return driver.expect(news);
      case 'gap':
        counts.gaps++;
        return sink.progress(`a message of the feed cannot be read: ${news.reason}`);
      case 'lapse':
        return sink.progress(`one of the feeds: ${news.reason}`);
      case 'down':
        return sink.progress(`the feed is down: ${news.reason}`);
    }
  }

  /** News that bring nothing to be seen, or nothing yet, took no time. */
  async #take(news: StreamEvent, arrivedMs: number): Promise<void> {
    const { counts, driver, visible } = this.#deps;
    const before = counts.increments;
    if ('increment' in news) await driver.increment(news);
    else if (news.kind !== 'lapse') await driver.take({ kind: 'feedDown' });
    if (counts.increments > before) visible.record(preciseMs() - arrivedMs);
  }
}
