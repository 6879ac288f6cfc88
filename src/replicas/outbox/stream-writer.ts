// The writer of the stream: epochs and their versions, part by part, each behind the last one and only under the lease.
// Runs on the publisher.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../lib/time/clock.js';
import { LIMITS } from '../../limits/index.js';
import type { ChainBus, ForStream } from '../bus/bus.js';
import type { Lease } from '../bus/lease.js';
import { encodeMessage, type Message } from '../messages/message.js';
import { cut } from '../messages/parts.js';
import { encodeRecord, type ChainRecord } from '../messages/record.js';
import type { ReplicationCounts } from '../status.js';
import type { BacklogEntry } from './version-backlog.js';
import { Before } from './before.js';

/** Parts that a writer works with. */
export interface StreamWriterParts {
  readonly bus: ChainBus;
  readonly lease: Lease;
  readonly chain: Omit<ChainRecord, 'epoch'>;
  readonly clock: Clock;
  readonly counts: ReplicationCounts;
  /** Renews the lease, or takes it again; stops what is being sent where another executor has it. */
  readonly tendLease: () => Promise<void>;
  /** The message at hand is of no use any more. */
  readonly isSuperseded: () => boolean;
}

/** The stream does not end where this executor thought: another one writes, or the server has lost it. */
export class StreamMoved extends Error {}
/** The message at hand is of no use any more: a new epoch is due, or this is the end. */
export class Superseded extends Error {}

/** Writes from `open` on. */
export class StreamWriter {
  readonly #parts: StreamWriterParts;
  #epoch = 0;
  /** Last one of the stream, as far as is known here. */
  #sequence = 0;
  /** The version that the epoch began with, and the sequence of the message that says so. */
  #base = { version: 0, sequence: 0 };
  #before = new Before();

  constructor(parts: StreamWriterParts) {
    this.#parts = parts;
  }

  /** The epoch that is written; before its first message the one before. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Last one of the stream, as far as is known here. */
  get sequence(): number {
    return this.#sequence;
  }

  /** The version that the epoch began with, and the sequence of the message that says so. */
  get base(): { readonly version: number; readonly sequence: number } {
    return this.#base;
  }

  /** The newest epoch before, and the last sequence of the stream. */
  open(epoch: number, sequence: number): void {
    this.#epoch = epoch;
    this.#sequence = sequence;
  }

  /** Asks the server where the stream ends. Rejects with BusUnavailable. */
  async relocate(): Promise<void> {
    this.#sequence = (await this.#parts.bus.ends())?.last ?? 0;
  }

  /**
   * The next epoch begins after `version`. Its number is not below the seconds since 1970: executors and a server that have all lost
   * their memory repeat none that a replica still knows. Rejects with BusUnavailable, StreamMoved and Superseded; the epoch is the old
   * one then.
   */
  async beginEpoch(version: number, continues: boolean): Promise<void> {
    const { bus, clock, chain, counts } = this.#parts;
    const epoch = Math.max(this.#epoch + 1, Math.floor(clock.wall() / 1000));
    await bus.writeRecord('chain', encodeRecord('chain', { ...chain, epoch }));
    await this.#store({ kind: 'epoch', epoch, version, continues });
    this.#epoch = epoch;
    this.#base = { version, sequence: this.#sequence };
    this.#before = new Before();
    counts.epochs++;
  }

  /** Sends a version of the table in `buffer`. Rejects with StreamMoved, Superseded, StateMiss and VersionNotKept. */
  async send(buffer: SharedArrayBuffer, entry: BacklogEntry): Promise<void> {
    const { version, diff, told } = entry;
    const { before, codes } = this.#before.of(buffer, version, diff);
    await this.#store({ kind: 'version', epoch: this.#epoch, version, diff: { ...diff, codes }, before, told });
    entry.sequence = this.#sequence;
    this.#parts.counts.versions++;
  }

  async #store(message: Message): Promise<void> {
    const { epoch, version } = message;
    const parts = cut(message, encodeMessage(message), this.#parts.bus.partBytesMax);
    for (const [index, bytes] of parts.entries()) {
      await this.#storePart({
        epoch,
        bytes,
        id: `${epoch}-${version}-${message.kind}-${index}`,
        after: this.#sequence,
      });
    }
  }

  /** Tries until the server has it. Rejects with StreamMoved and Superseded. */
  async #storePart(part: ForStream): Promise<void> {
    const { bus, lease, counts, isSuperseded, tendLease } = this.#parts;
    for (;;) {
      if (isSuperseded()) throw new Superseded();
      const stored = lease.isHeld ? await bus.store(part) : null;
      if (stored?.kind === 'outOfOrder') throw new StreamMoved();
      if (stored?.kind === 'stored') {
        this.#sequence = stored.sequence;
        counts.bytes += part.bytes.length;
        return;
      }
      await sleep(LIMITS.replicationRetryMs);
      await bus.prepare().catch(() => undefined);
      if (!lease.isHeld) await tendLease();
    }
  }
}
