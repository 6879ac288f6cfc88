// Hears from the leader how it fares, and reports how the replica does. Runs on the publisher.
import type { Clock } from '../../lib/clock.js';
import { LIMITS } from '../../limits.js';
import type { ChainBus, Running } from '../../replication/bus.js';
import { decodeRecord, type AliveWord } from '../../replication/record.js';
import type { ReplicationStatus } from '../../replication/status.js';
import type { StreamPosition } from './position.js';

/** How a replica fares, by itself. */
export interface ReplicaStanding extends Pick<ReplicationStatus, 'counts' | 'lagMs' | 'phase'> {
  readonly position: StreamPosition;
}

/** What a monitor works with. */
export interface MonitorParts {
  readonly bus: ChainBus;
  readonly clock: Clock;
  readonly standing: () => ReplicaStanding;
  readonly onWord: (word: AliveWord) => void;
  readonly report: (status: ReplicationStatus) => void;
}

/** Hears and reports from `start` to `stop`. */
export class Monitor {
  readonly #parts: MonitorParts;
  #heard: { readonly word: AliveWord; readonly atMs: number } | null = null;
  #listening: Running | null = null;
  #reports: NodeJS.Timeout | null = null;

  constructor(parts: MonitorParts) {
    this.#parts = parts;
  }

  /** Begins to hear and to report. */
  start(): void {
    const { bus } = this.#parts;
    this.#listening = bus.listen((bytes) => this.#hear(decodeRecord('alive', Buffer.from(bytes).toString())));
    this.#reports = setInterval(() => this.#report(), LIMITS.replicationAliveMs);
  }

  /** Nothing is heard or reported any more. */
  stop(): void {
    this.#listening?.stop();
    if (this.#reports !== null) clearInterval(this.#reports);
  }

  #hear(word: AliveWord | null): void {
    if (word === null) return;
    this.#heard = { word, atMs: this.#parts.clock.now() };
    this.#parts.onWord(word);
  }

  #report(): void {
    const { bus, clock, standing, report } = this.#parts;
    const { position, counts, lagMs, phase } = standing();
    const { epoch, version, sequence } = position;
    const word = this.#heard?.word ?? null;
    const newest = word !== null && word.epoch === epoch ? Math.max(word.version, version) : version;
    const isElsewhere = word !== null && word.epoch !== epoch && word.sequence > sequence;
    report({
      role: 'replica',
      counts: { ...counts },
      isConnected: bus.isConnected,
      holdsLease: false,
      epoch,
      version,
      newest,
      waiting: newest - version,
      lagMs,
      heardAtMs: this.#heard?.atMs ?? null,
      trouble: word?.trouble ?? null,
      phase: isElsewhere ? 'catching up' : phase,
      atMs: clock.now(),
    });
  }
}
