// Hears from the leader how it fares, and reports how the replica does. Runs on the publisher.
import type { Clock } from '../../lib/time/clock.js';
import { LIMITS } from '../../limits/index.js';
import type { ChainBus, Running } from '../bus/bus.js';
import { decodeRecord, type AliveWord } from '../messages/record.js';
import type { ReplicationStatus } from '../status.js';
import type { StreamPosition } from './position.js';

/** The state of a replica, by itself. */
export interface ReplicaStanding extends Pick<ReplicationStatus, 'counts' | 'phase'> {
  readonly position: StreamPosition;
  /** The newest confirmed block here. */
  readonly head: number;
}

/** Parts that a monitor works with. */
export interface MonitorParts {
  readonly bus: ChainBus;
  readonly clock: Clock;
  readonly standing: () => ReplicaStanding;
  readonly onWord: (word: AliveWord) => void;
  readonly report: (status: ReplicationStatus) => void;
}

/** The leader's last word, and its time. */
interface Heard {
  readonly word: AliveWord;
  readonly atMs: number;
}

/** Hears and reports from `start` to `stop`. */
export class Monitor {
  readonly #parts: MonitorParts;
  readonly #running: Running[] = [];
  #heard: Heard | null = null;
  /** A version that the leader has told of and that is not here, and since when. */
  #missing: { readonly version: number; readonly sinceMs: number } | null = null;
  #reports: NodeJS.Timeout | null = null;

  constructor(parts: MonitorParts) {
    this.#parts = parts;
  }

  /** Begins to hear and to report. */
  start(): void {
    const { bus } = this.#parts;
    this.#running.push(bus.listen((bytes) => this.#hear(decodeRecord('alive', Buffer.from(bytes).toString()))));
    this.#running.push(bus.watch(() => this.#turned()));
    this.#reports = setInterval(() => this.report(), LIMITS.replicationAliveMs);
  }

  /** Nothing is heard or reported any more. */
  stop(): void {
    for (const each of this.#running) each.stop();
    if (this.#reports !== null) clearInterval(this.#reports);
  }

  /** Beside the regular reports: something has changed that must be known at once. */
  report(): void {
    const { bus, clock, standing, report } = this.#parts;
    const { position, head, counts, phase } = standing();
    const { epoch, version, sequence } = position;
    const word = this.#heard?.word ?? null;
    const isElsewhere = word !== null && word.epoch !== epoch && word.sequence > sequence;
    report({
      role: 'replica',
      counts: { ...counts },
      isConnected: bus.isConnected,
      holdsLease: false,
      epoch,
      version,
      ...this.#distance(position, head),
      heardAtMs: this.#heard?.atMs ?? null,
      trouble: word?.trouble ?? null,
      doubt: word?.doubt ?? null,
      phase: isElsewhere ? 'catching up' : phase,
      atMs: clock.now(),
    });
  }

  /** A word from before the server went away is of no use behind that. */
  #turned(): void {
    this.#heard = null;
    this.report();
  }

  #hear(word: AliveWord | null): void {
    if (word === null) return;
    const isFirst = this.#heard === null;
    this.#heard = { word, atMs: this.#parts.clock.now() };
    this.#parts.onWord(word);
    if (isFirst) this.report();
  }

  /** From the leader's newest version, as far as it was heard of; what it has not sent yet is missing for as long as it waits there. */
  #distance(
    { epoch, version }: StreamPosition,
    head: number,
  ): Pick<ReplicationStatus, 'newest' | 'waiting' | 'blocksBehind' | 'lagMs'> {
    const nowMs = this.#parts.clock.now();
    const word = this.#heard?.word ?? null;
    const isAhead = word !== null && word.epoch === epoch && word.version > version;
    if (!isAhead) this.#missing = null;
    else if (this.#missing === null || this.#missing.version <= version)
      this.#missing = { version: word.version, sinceMs: nowMs };
    if (!isAhead || this.#missing === null) return { newest: version, waiting: 0, blocksBehind: 0, lagMs: 0 };
    return {
      newest: word.version,
      waiting: word.version - version,
      blocksBehind: Math.max(0, word.head - head),
      lagMs: Math.max(nowMs - this.#missing.sinceMs, word.lagMs),
    };
  }
}
