// Receives the leader's heartbeats, and reports the replica's status to the main thread.
import type { Clock } from '../../lib/clock.js';
import { LIMITS } from '../../limits/index.js';
import type { ChainBus, StoppableTask } from '../bus/chain-bus.js';
import { decodeRecord, type HeartbeatMessage } from '../messages/control-messages-json.js';
import type { ReplicationStatus } from '../replication-status.js';
import type { StreamPosition } from './stream-decision.js';

/** The part of the status that the replica itself knows. */
interface ReplicaHealth extends Pick<ReplicationStatus, 'counts' | 'phase'> {
  readonly position: StreamPosition;
  /** Number of this replica's newest confirmed block. */
  readonly head: number;
}

export interface HeartbeatReceiverDeps {
  readonly bus: ChainBus;
  readonly clock: Clock;
  readonly health: () => ReplicaHealth;
  readonly onWord: (word: HeartbeatMessage) => void;
  readonly report: (status: ReplicationStatus) => void;
}

/** The leader's last heartbeat, and when it was received. */
interface ReceivedHeartbeat {
  readonly word: HeartbeatMessage;
  readonly atMs: number;
}

/** Receives heartbeats and reports from `start` until `stop`. */
export class HeartbeatReceiver {
  readonly #deps: HeartbeatReceiverDeps;
  readonly #running: StoppableTask[] = [];
  #received: ReceivedHeartbeat | null = null;
  /** A state version that the leader has announced but that was not applied here yet, and since when it is missing. */
  #missing: { readonly version: number; readonly sinceMs: number } | null = null;
  #reports: NodeJS.Timeout | null = null;

  constructor(deps: HeartbeatReceiverDeps) {
    this.#deps = deps;
  }

  /** Starts receiving and reporting. */
  start(): void {
    const { bus } = this.#deps;
    this.#running.push(bus.listen((bytes) => this.#receive(decodeRecord('alive', bytes))));
    this.#running.push(bus.watch(() => this.#turned()));
    this.#reports = setInterval(() => this.report(), LIMITS.replicationAliveMs);
  }

  /** Stops receiving and reporting. */
  stop(): void {
    for (const each of this.#running) each.stop();
    if (this.#reports !== null) clearInterval(this.#reports);
  }

  /** Reports at once, in addition to the regular reports, because a change must be known immediately. */
  report(): void {
    const { bus, clock, health, report } = this.#deps;
    const { position, head, counts, phase } = health();
    const { epoch, version, sequence } = position;
    const word = this.#received?.word ?? null;
    const isElsewhere = word !== null && word.epoch !== epoch && word.sequence > sequence;
    report({
      role: 'replica',
      counts: { ...counts },
      isConnected: bus.isConnected,
      hasLease: false,
      epoch,
      version,
      ...this.#distance(position, head),
      heardAtMs: this.#received?.atMs ?? null,
      trouble: word?.trouble ?? null,
      doubt: word?.doubt ?? null,
      phase: isElsewhere ? 'catching up' : phase,
      atMs: clock.now(),
    });
  }

  /** Forgets the last heartbeat when the connection is lost or established, because it may no longer be true. */
  #turned(): void {
    this.#received = null;
    this.report();
  }

  #receive(word: HeartbeatMessage | null): void {
    if (word === null) return;
    const isFirst = this.#received === null;
    this.#received = { word, atMs: this.#deps.clock.now() };
    this.#deps.onWord(word);
    if (isFirst) this.report();
  }

  /**
   * Returns how far this replica is behind the newest state version that the leader has announced. A version that the
   * leader has not sent yet counts as missing for as long as it has been in the leader's queue.
   */
  #distance(
    { epoch, version }: StreamPosition,
    head: number,
  ): Pick<ReplicationStatus, 'newest' | 'waiting' | 'blocksBehind' | 'lagMs'> {
    const nowMs = this.#deps.clock.now();
    const word = this.#received?.word ?? null;
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
