// Reads the stream, joins the parts of each message and decodes it.
import type { ReceivedStreamMessage, ChainBus, StoppableTask } from '../bus/chain-bus.js';
import { decodeStreamMessage, type StreamMessage } from '../messages/stream-message.js';
import { Reassembler } from '../messages/fragments.js';
import type { ReplicationCounts } from '../replication-status.js';

/** A complete message of the stream, or the reason why it is damaged, with the sequence number of its last part. */
export type StreamReadResult =
  | { readonly kind: 'message'; readonly message: StreamMessage; readonly sequence: number }
  | { readonly kind: 'damaged'; readonly reason: string; readonly sequence: number };

/** Reads the stream from `follow` until `stop`. */
export class StreamReader {
  readonly #bus: ChainBus;
  readonly #counts: ReplicationCounts;
  #joiner = new Reassembler();
  #sequence = 0;
  #following: StoppableTask | null = null;

  constructor(bus: ChainBus, counts: ReplicationCounts) {
    this.#bus = bus;
    this.#counts = counts;
  }

  /** Sequence number of the last part that was read. `take` was called with every complete message up to it. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Calls `take` with each message from sequence number `from` on, one after the other. Ends an earlier `follow`. */
  follow(from: number, take: (read: StreamReadResult) => Promise<void>): void {
    this.stop();
    this.#joiner = new Reassembler();
    this.#sequence = from - 1;
    const following = (this.#following = this.#bus.follow(from, async (arrived) => {
      const read = following === this.#following ? this.#read(arrived) : null;
      if (read !== null) await take(read);
    }));
  }

  /** Stops reading. Messages that arrive after that are ignored. */
  stop(): void {
    this.#following?.stop();
    this.#following = null;
  }

  /** Adds a part of a message. Returns the message when it is complete; `null` if more parts follow. */
  #read({ bytes, sequence }: ReceivedStreamMessage): StreamReadResult | null {
    this.#sequence = sequence;
    this.#counts.bytes += bytes.length;
    const joined = this.#joiner.add(bytes);
    if (joined.kind === 'waiting') return null;
    const message = joined.kind === 'whole' ? decodeStreamMessage(joined.bytes) : null;
    if (message !== null) return { kind: 'message', message, sequence };
    this.#counts.damaged++;
    const reason = joined.kind === 'damaged' ? joined.reason : 'a message cannot be read';
    return { kind: 'damaged', reason, sequence };
  }
}
