// A replica applies an executor's versions one by one, and serves exactly these states. After a gap, a damaged message
// or a reset of the executor's state it starts again from a snapshot. It never guesses.
import { LIMITS } from '../../limits/index.js';
import type { StreamMessage, VersionMessage } from '../messages/stream-message.js';
import type { HeartbeatMessage } from '../messages/control-messages-json.js';
import { newReplicationCounts, type ReplicationStatus } from '../replication-status.js';
import type { LiveBlockTree } from '../../feed/live/tree/block-tree.js';
import { VersionApplier, type VersionApplierDeps } from './version-applier.js';
import { loadSnapshot, type MinimumSnapshot } from './snapshot-loader.js';
import { HeartbeatReceiver, type HeartbeatReceiverDeps } from './heartbeat-receiver.js';
import { decideOnStreamMessage, type StreamPosition } from './stream-decision.js';
import { StreamReader, type StreamReadResult } from './stream-reader.js';

/** What the parts of a replica need. */
export type ReplicaDeps = Omit<VersionApplierDeps, 'counts'> & Pick<HeartbeatReceiverDeps, 'bus' | 'clock' | 'report'>;

/** What a replica hands over when its executor becomes the leader. */
export interface ReplicaHandover extends StreamPosition {
  /** The newest blocks; `null` if no block was confirmed since the replica started. */
  readonly kept: LiveBlockTree | null;
}

/**
 * Progress of the stream reader: the last sequence number that it has read, when that number was first seen, and the
 * time without progress after which the consumer is replaced. Times are in milliseconds.
 */
interface Reading {
  readonly sequence: number;
  readonly sinceMs: number;
  readonly stallMs: number;
}

/** Follows an executor from `start` until `stop`. */
export class Replica {
  readonly #deps: ReplicaDeps;
  readonly #counts = newReplicationCounts();
  readonly #stopping = new AbortController();
  readonly #reader: StreamReader;
  readonly #applier: VersionApplier;
  readonly #monitor: HeartbeatReceiver;
  #position: StreamPosition = { epoch: 0, version: 0, sequence: 0 };
  #phase: ReplicationStatus['phase'] = 'catching up';
  #read: Reading = { sequence: 0, sinceMs: 0, stallMs: LIMITS.replicationStallMsMax };
  #work: Promise<void> = Promise.resolve();
  #stepsLeft = 0;
  /** Aborted when the next state version is applied; `null` if nobody waits for that. */
  #applied: AbortController | null = null;

  constructor(deps: ReplicaDeps) {
    const counts = this.#counts;
    this.#deps = deps;
    this.#reader = new StreamReader(deps.bus, counts);
    this.#applier = new VersionApplier({ ...deps, counts });
    this.#monitor = new HeartbeatReceiver({
      ...deps,
      health: () => ({ position: this.#position, head: this.#head(), counts, phase: this.#phase }),
      onWord: (word) => this.#receive(word),
    });
  }

  /** Starts from the newest snapshot, and then follows the stream. */
  start(): void {
    this.#monitor.start();
    this.#begin(ANY);
  }

  /** Stops. A message that is being applied is completed first. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    this.#reader.stop();
    this.#monitor.stop();
    await this.#work;
  }

  /**
   * Applies the stream up to sequence number `last`, then stops. An incomplete version at the end is skipped, because
   * its sender no longer leads. Returns `null` if there is no state from which to continue.
   */
  async inherit(last: number): Promise<ReplicaHandover | null> {
    await this.#until(() => this.#reader.sequence >= last || this.#position.epoch === 0);
    await this.stop();
    if (this.#phase === 'catching up') return null;
    return { ...this.#position, sequence: this.#reader.sequence, kept: this.#applier.kept };
  }

  /**
   * Waits until the executor's version `version` is applied, or the state is reset. Returns whether this happened in
   * time.
   */
  async reaches(version: number, waitMs: number): Promise<boolean> {
    const { clock } = this.#deps;
    const { epoch } = this.#position;
    const endMs = clock.now() + waitMs;
    const isHere = (): boolean => this.#position.version >= version || this.#position.epoch !== epoch;
    while (!isHere() && clock.now() < endMs && !this.#stopping.signal.aborted)
      await clock.sleepUntil(endMs, (this.#applied ??= new AbortController()).signal);
    return isHere();
  }

  async #until(isDone: () => boolean): Promise<void> {
    const { clock } = this.#deps;
    const { signal } = this.#stopping;
    const endMs = clock.now() + LIMITS.replicationInheritMsMax;
    while (!isDone() && !signal.aborted && clock.now() < endMs) {
      await clock.sleepUntil(clock.now() + LIMITS.replicationRetryMs / 10, signal);
    }
  }

  #begin(least: MinimumSnapshot): void {
    this.#enter('catching up');
    this.#reader.stop();
    void this.#then(() => this.#load(least));
  }

  #enter(phase: ReplicationStatus['phase']): void {
    this.#phase = phase;
    this.#monitor.report();
  }

  /** Runs steps one after the other. So a snapshot is loaded only after the current message has been applied. */
  #then(step: () => Promise<void>): Promise<void> {
    this.#stepsLeft++;
    return (this.#work = this.#work.then(step).finally(() => this.#stepsLeft--));
  }

  async #load(least: MinimumSnapshot): Promise<void> {
    const { bus, sink } = this.#deps;
    const record = await loadSnapshot(least, { bus, sink, signal: this.#stopping.signal });
    if (record === null || this.#stopping.signal.aborted) return;
    const { epoch, version, sequence } = record;
    this.#counts.snapshots++;
    this.#position = { epoch, version, sequence };
    this.#wake();
    this.#applier.begin();
    this.#enter('following');
    this.#follow();
  }

  /** Number of this replica's newest confirmed block; 0 if there is none. */
  #head(): number {
    return this.#position.epoch === 0 ? 0 : (this.#deps.sink.latest()?.number ?? 0);
  }

  #follow(): void {
    this.#reader.follow(this.#position.sequence + 1, (read) => this.#then(() => this.#take(read)));
  }

  async #take(read: StreamReadResult): Promise<void> {
    if (read.kind === 'message') return this.#act(read.message, read.sequence);
    this.#catchUp(read.reason, { epoch: 0, sequence: read.sequence });
  }

  async #act(message: StreamMessage, sequence: number): Promise<void> {
    const { epoch, version } = message;
    const decision = decideOnStreamMessage(this.#position, message);
    switch (decision.kind) {
      case 'apply':
        await this.#applier.apply(message as VersionMessage);
        this.#position = { epoch, version, sequence };
        return this.#wake();
      case 'continue':
        this.#counts.epochs++;
        this.#position = { epoch, version, sequence };
        return;
      case 'passed':
        this.#position = { ...this.#position, sequence };
        return;
      case 'anew':
        this.#counts.epochs++;
        return this.#catchUp(`epoch ${epoch} starts from a snapshot`, { epoch, sequence });
      case 'gap':
        return this.#catchUp(
          `version ${decision.expected} of epoch ${this.#position.epoch} is missing before ${version}`,
          { epoch: 0, sequence: this.#position.sequence + 1 },
        );
    }
  }

  /** Wakes all callers that wait for a state version. */
  #wake(): void {
    this.#applied?.abort();
    this.#applied = null;
  }

  #catchUp(reason: string, least: MinimumSnapshot): void {
    this.#counts.catchUps++;
    this.#deps.sink.progress(`catching up: ${reason}`);
    this.#begin(least);
  }

  /**
   * Handles a heartbeat. If it is of another stream epoch and its sequence number is below ours, the stream was created
   * anew. If its number is above ours but nothing arrives, our consumer is lost and is replaced.
   */
  #receive(word: HeartbeatMessage): void {
    if (this.#phase === 'catching up') return;
    const { epoch, sequence } = this.#position;
    if (word.sequence < sequence && word.epoch !== epoch) {
      return this.#catchUp('the stream was restarted', { epoch: word.epoch, sequence: 0 });
    }
    if (this.#isStalled(word)) this.#follow();
  }

  /**
   * Returns true if the reader has received nothing for too long although the stream has newer messages. This time
   * doubles with each new consumer that receives nothing either, because the server may be slow.
   */
  #isStalled(word: HeartbeatMessage): boolean {
    const now = this.#deps.clock.now();
    const { sequence } = this.#reader;
    const { replicationStallMsMax, replicationSilenceMsMax } = LIMITS;
    if (word.sequence <= sequence || sequence !== this.#read.sequence || this.#stepsLeft > 0) {
      this.#read = { sequence, sinceMs: now, stallMs: replicationStallMsMax };
      return false;
    }
    const { sinceMs, stallMs } = this.#read;
    if (now - sinceMs < stallMs) return false;
    const longer = Math.min(2 * stallMs, replicationSilenceMsMax);
    this.#read = { sequence: this.#position.sequence, sinceMs: now, stallMs: longer };
    return true;
  }
}

const ANY: MinimumSnapshot = { epoch: 0, sequence: 0 };
