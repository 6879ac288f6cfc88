// Writes stream epochs and state versions to the stream while this executor holds the lease. Each message must directly
// follow the last one.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../lib/clock.js';
import { LIMITS } from '../../limits/index.js';
import type { ChainBus, OutgoingStreamMessage } from '../bus/chain-bus.js';
import type { Lease } from '../bus/lease.js';
import { encodeStreamMessage, type StreamMessage } from '../messages/stream-message.js';
import { splitIntoFragments } from '../messages/fragments.js';
import { encodeRecord, type ChainRecord } from '../messages/control-messages-json.js';
import type { ReplicationCounts } from '../replication-status.js';
import type { VersionBacklogEntry } from './version-backlog.js';
import { PreImages } from './pre-images.js';

export interface StreamWriterDeps {
  readonly bus: ChainBus;
  readonly lease: Lease;
  readonly chain: Omit<ChainRecord, 'epoch'>;
  readonly clock: Clock;
  readonly counts: ReplicationCounts;
  /** Renews the lease, or acquires it again. If another executor has it, stops the loop that sends. */
  readonly tendLease: () => Promise<void>;
  /** Returns true if the message that is being sent is obsolete. */
  readonly isSuperseded: () => boolean;
}

/**
 * Thrown if the stream does not end where this executor expects: another one has written, or the server has lost
 * messages.
 */
export class StreamMovedError extends Error {}
/** Thrown if the message that is being sent is obsolete, because a new stream epoch is due or this executor stops. */
export class ObsoleteMessageError extends Error {}

/** Writes to the stream after `open` was called. */
export class StreamWriter {
  readonly #deps: StreamWriterDeps;
  #epoch = 0;
  /** The last sequence number in the stream, as far as known. */
  #sequence = 0;
  /** The state version after which the stream epoch starts, and the sequence number of the message that starts it. */
  #base = { version: 0, sequence: 0 };
  #before = new PreImages();

  constructor(deps: StreamWriterDeps) {
    this.#deps = deps;
  }

  /**
   * Number of the current stream epoch. Until the message that starts an epoch is stored, this is the number of the
   * previous one.
   */
  get epoch(): number {
    return this.#epoch;
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** The state version after which the stream epoch starts, and the sequence number of the message that starts it. */
  get base(): { readonly version: number; readonly sequence: number } {
    return this.#base;
  }

  /** Sets the newest stream epoch so far, and the last sequence number in the stream. */
  open(epoch: number, sequence: number): void {
    this.#epoch = epoch;
    this.#sequence = sequence;
  }

  /** Asks the server where the stream ends. Rejects with `BusUnavailableError`. */
  async relocate(): Promise<void> {
    this.#sequence = (await this.#deps.bus.ends())?.last ?? 0;
  }

  /**
   * Starts the next stream epoch after `version`. Its number is at least the seconds since 1970: even if all executors
   * and the server have lost their data, no epoch number is used again that a replica still knows. Rejects with
   * BusUnavailableError, StreamMovedError and ObsoleteMessageError; the epoch does not change then.
   */
  async beginEpoch(version: number, continues: boolean): Promise<void> {
    const { bus, clock, chain, counts } = this.#deps;
    const epoch = Math.max(this.#epoch + 1, Math.floor(clock.wall() / 1000));
    await bus.writeRecord('chain', encodeRecord('chain', { ...chain, epoch }));
    await this.#store({ kind: 'epoch', epoch, version, continues });
    this.#epoch = epoch;
    this.#base = { version, sequence: this.#sequence };
    this.#before = new PreImages();
    counts.epochs++;
  }

  /**
   * Sends a state version of the table in `buffer`. Rejects with `StreamMovedError`, `ObsoleteMessageError`,
   * `StateMiss` or `VersionNotKept`.
   */
  async send(buffer: SharedArrayBuffer, entry: VersionBacklogEntry): Promise<void> {
    const { version, diff, details } = entry;
    const { before, codes } = this.#before.of(buffer, version, diff);
    await this.#store({ kind: 'version', epoch: this.#epoch, version, diff: { ...diff, codes }, before, details });
    entry.sequence = this.#sequence;
    this.#deps.counts.versions++;
  }

  async #store(message: StreamMessage): Promise<void> {
    const { epoch, version } = message;
    const fragments = splitIntoFragments(message, encodeStreamMessage(message), this.#deps.bus.fragmentBytesMax);
    for (const [index, bytes] of fragments.entries()) {
      const id = `${epoch}-${version}-${message.kind}-${index}`;
      await this.#storeFragment({ epoch, bytes, id, after: this.#sequence });
    }
  }

  /**
   * Stores one part of a message, and retries until the server has it. Rejects with `StreamMovedError` and
   * `ObsoleteMessageError`.
   */
  async #storeFragment(fragment: OutgoingStreamMessage): Promise<void> {
    const { bus, lease, counts, isSuperseded, tendLease } = this.#deps;
    for (;;) {
      if (isSuperseded()) throw new ObsoleteMessageError();
      const stored = lease.isOurs ? await bus.store(fragment) : null;
      if (stored?.kind === 'outOfOrder') throw new StreamMovedError();
      if (stored?.kind === 'stored') {
        this.#sequence = stored.sequence;
        counts.bytes += fragment.bytes.length;
        return;
      }
      await sleep(LIMITS.replicationRetryMs);
      await bus.prepare().catch(() => undefined);
      if (!lease.isOurs) await tendLease();
    }
  }
}
