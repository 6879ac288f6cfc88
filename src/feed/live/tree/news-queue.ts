// News of the stream on their way into the chain, one after the other. Runs on the publisher.
import { preciseMs } from '../../../lib/time/clock.js';
import type { Histogram } from '../../../lib/time/histogram.js';
import type { LiveCounts } from '../../counts.js';
import type { LiveSink } from '../../feed.js';
import type { StreamNews } from '../../stream.js';
import type { Senders } from '../executing/senders.js';
import type { Turns } from '../executing/turns.js';
import type { Driver } from './driver.js';

/** Parts that the queue works with. */
export interface NewsQueueParts {
  readonly sink: Pick<LiveSink, 'progress'>;
  readonly counts: LiveCounts;
  readonly senders: Senders;
  readonly driver: Driver;
  readonly turns: Turns;
  /** Counts the times from a message until readers see its state. */
  readonly visible: Histogram;
}

/** Takes whatever a stream tells. */
export class NewsQueue {
  readonly #parts: NewsQueueParts;
  #newestBlock: number | null = null;

  constructor(parts: NewsQueueParts) {
    this.#parts = parts;
  }

  /** The block of the newest increment; `null` before the first one. */
  get newestBlock(): number | null {
    return this.#newestBlock;
  }

  /** Senders are recovered while what came before is executed. `arrivedMs`: see `preciseMs`. */
  add(news: StreamNews, arrivedMs: number): void {
    this.#hear(news);
    this.#parts.turns.add(() => this.#take(news, arrivedMs));
  }

  #hear(news: StreamNews): void {
    const { sink, counts, senders, driver } = this.#parts;
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
  async #take(news: StreamNews, arrivedMs: number): Promise<void> {
    const { counts, driver, visible } = this.#parts;
    const before = counts.increments;
    if ('increment' in news) await driver.increment(news);
    else if (news.kind !== 'lapse') await driver.take({ kind: 'feedDown' });
    if (counts.increments > before) visible.record(preciseMs() - arrivedMs);
  }
}
