// Frames of the pre-confirmation feed on their way into the chain, one after the other. Runs on the publisher.
import { preciseMs } from '../../../lib/clock.js';
import type { Histogram } from '../../../lib/histogram.js';
import type { Frame } from '../../streams/flashblocks/frame.js';
import type { LiveChain } from '../canonical/live-chain.js';
import type { PreConfirmed } from './pre-confirmed.js';
import type { Turns } from '../turns.js';

/** What the queue works with. */
export interface FrameQueueParts {
  readonly chain: LiveChain;
  readonly preConfirmed: PreConfirmed;
  readonly turns: Turns;
  /** Counts the times from a frame until readers see its state. */
  readonly visible: Histogram;
}

/** Takes frames, and breaks between them. */
export class FrameQueue {
  readonly #parts: FrameQueueParts;
  #newestBlock: number | null = null;

  constructor(parts: FrameQueueParts) {
    this.#parts = parts;
  }

  /** The block of the newest frame; `null` before the first one. */
  get newestBlock(): number | null {
    return this.#newestBlock;
  }

  /** Senders are recovered while what came before is executed. `arrivedMs`: see `preciseMs`. */
  add(frame: Frame, arrivedMs: number): void {
    const { chain, preConfirmed, turns } = this.#parts;
    this.#newestBlock = frame.blockNumber;
    chain.parts.senders.expect(frame.transactions);
    preConfirmed.expect(frame);
    turns.add(() => this.#take(frame, arrivedMs));
  }

  /** One that brings nothing to be seen, or nothing yet, took no time. */
  async #take(frame: Frame, arrivedMs: number): Promise<void> {
    const { chain, preConfirmed, visible } = this.#parts;
    const { counts } = chain.parts;
    const before = counts.increments;
    await preConfirmed.frame(frame);
    if (counts.increments > before) visible.record(preciseMs() - arrivedMs);
  }

  /** Frames may have been lost: a message could not be read, or the connection is down. `reason`: for the operator. */
  interrupted(kind: 'fault' | 'down', reason: string): void {
    const { chain, preConfirmed, turns } = this.#parts;
    const { counts, sink } = chain.parts;
    if (kind === 'fault') counts.gaps++;
    sink.progress(kind === 'down' ? `the feed is down: ${reason}` : `a message of the feed is no frame: ${reason}`);
    turns.add(async () => preConfirmed.interrupted());
  }
}
