// A replica: applies what an executor has found out, version by version, and shows exactly its states. After a gap, a damaged
// message or a state begun anew it catches up from a snapshot; it never guesses. Runs on the publisher.
import type { Clock } from '../../lib/clock.js';
import { LIMITS } from '../../limits.js';
import type { Arrived, ChainBus, Running } from '../../replication/bus.js';
import { decodeMessage, type Message, type VersionMessage } from '../../replication/message.js';
import { Joiner } from '../../replication/parts.js';
import { decodeRecord, type AliveWord } from '../../replication/record.js';
import { newReplicationCounts, type ReplicationStatus } from '../../replication/status.js';
import type { StateChanges } from '../../state/diff.js';
import type { ReplicaSink } from '../feed.js';
import type { Filler } from '../live/filler.js';
import { KeptBlocks } from '../live/kept-blocks.js';
import { loadSnapshot, type LeastSnapshot } from './loader.js';
import { decide, type Position } from './position.js';

/** What a replica works with. */
export interface ReplicaParts {
  readonly bus: ChainBus;
  readonly sink: ReplicaSink;
  /** Is told of every confirmed block: state that is not held is read after it. */
  readonly filler: Pick<Filler, 'anchorAt'>;
  readonly clock: Clock;
  readonly report: (status: ReplicationStatus) => void;
}

/** Where a replica stands that is to lead from now on. */
export interface Inheritance extends Position {
  /** The last one of the stream that was applied. */
  readonly sequence: number;
  /** `null`: no block was confirmed since the replica began. */
  readonly kept: KeptBlocks | null;
}

/** Follows from `start` to `stop`. */
export class Replica {
  readonly #parts: ReplicaParts;
  readonly #counts = newReplicationCounts();
  readonly #stopping = new AbortController();
  #joiner = new Joiner();
  #position: Position = { epoch: 0, version: 0 };
  /** Of the last message that was applied or passed over as a whole. */
  #sequence = 0;
  #kept: KeptBlocks | null = null;
  #heard: { readonly word: AliveWord; readonly atMs: number } | null = null;
  #lagMs = 0;
  #phase: ReplicationStatus['phase'] = 'catching up';
  #following: Running | null = null;
  #listening: Running | null = null;
  #reports: NodeJS.Timeout | null = null;
  #movedAtMs = 0;
  #work: Promise<void> = Promise.resolve();

  constructor(parts: ReplicaParts) {
    this.#parts = parts;
  }

  /** Begins with the newest snapshot. */
  start(): void {
    const { bus } = this.#parts;
    this.#listening = bus.listen((bytes) => this.#hear(decodeRecord('alive', Buffer.from(bytes).toString())));
    this.#reports = setInterval(() => this.#report(), LIMITS.replicationAliveMs);
    this.#begin(ANY);
  }

  /** What is being applied is finished. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#following?.stop();
    this.#listening?.stop();
    if (this.#reports !== null) clearInterval(this.#reports);
    await this.#work;
  }

  /** Applies everything that the stream has, then stops. `null`: nothing was ever applied here. */
  async inherit(): Promise<Inheritance | null> {
    const ends = await this.#parts.bus.ends();
    const last = ends?.last ?? 0;
    await this.#until(() => this.#sequence >= last || this.#position.epoch === 0);
    await this.stop();
    if (this.#position.epoch === 0) return null;
    return { ...this.#position, sequence: this.#sequence, kept: this.#kept };
  }

  async #until(holds: () => boolean): Promise<void> {
    const { clock } = this.#parts;
    const endMs = clock.now() + LIMITS.replicationInheritMsMax;
    while (!holds() && clock.now() < endMs) {
      await clock.sleepUntil(clock.now() + LIMITS.replicationRetryMs / 10, this.#stopping.signal);
    }
  }

  #begin(least: LeastSnapshot): void {
    this.#phase = 'catching up';
    this.#following?.stop();
    this.#following = null;
    this.#work = this.#load(least);
  }

  async #load(least: LeastSnapshot): Promise<void> {
    const { bus, sink, filler } = this.#parts;
    const record = await loadSnapshot(least, { bus, sink, signal: this.#stopping.signal });
    if (record === null) return;
    const { epoch, version, sequence } = record;
    this.#counts.snapshots++;
    this.#position = { epoch, version };
    this.#sequence = sequence;
    this.#kept = null;
    const latest = sink.latest();
    if (latest !== null) {
      filler.anchorAt(latest);
      this.#kept = new KeptBlocks(latest);
    }
    this.#phase = 'following';
    this.#follow();
  }

  #follow(): void {
    this.#following?.stop();
    this.#joiner = new Joiner();
    this.#movedAtMs = this.#parts.clock.now();
    const follow = (this.#following = this.#parts.bus.follow(this.#sequence + 1, async (message) => {
      if (follow !== this.#following) return;
      this.#work = this.#take(message);
      await this.#work;
    }));
  }

  async #take({ bytes, sequence }: Arrived): Promise<void> {
    this.#counts.bytes += bytes.length;
    const joined = this.#joiner.add(bytes);
    if (joined.kind === 'waiting') return;
    const message = joined.kind === 'whole' ? decodeMessage(joined.bytes) : null;
    if (message !== null) return this.#act(message, sequence);
    this.#counts.damaged++;
    const reason = joined.kind === 'damaged' ? joined.reason : 'a message cannot be read';
    this.#catchUp(reason, { epoch: 0, sequence });
  }

  async #act(message: Message, sequence: number): Promise<void> {
    const decision = decide(this.#position, message);
    switch (decision.kind) {
      case 'apply':
        await this.#apply(message as VersionMessage);
        return this.#moved({ epoch: message.epoch, version: message.version }, sequence);
      case 'continue':
        this.#counts.epochs++;
        return this.#moved({ epoch: message.epoch, version: message.version }, sequence);
      case 'passed':
        return this.#moved(this.#position, sequence);
      case 'anew':
        this.#counts.epochs++;
        return this.#catchUp(`epoch ${message.epoch} begins anew`, { epoch: message.epoch, sequence });
      case 'gap':
        return this.#catchUp(
          `version ${decision.expected} of epoch ${this.#position.epoch} is missing before ${message.version}`,
          { epoch: 0, sequence: this.#sequence + 1 },
        );
    }
  }

  #moved(position: Position, sequence: number): void {
    this.#position = position;
    this.#sequence = sequence;
    this.#movedAtMs = this.#parts.clock.now();
  }

  #catchUp(reason: string, least: LeastSnapshot): void {
    this.#counts.catchUps++;
    this.#parts.sink.progress(`catching up: ${reason}`);
    this.#begin(least);
  }

  /** Numbers here and there are the same, so what is published here has the version of the message. */
  async #apply({ diff, before, told, version, atMs }: VersionMessage): Promise<void> {
    const { sink, clock } = this.#parts;
    if (before !== null) this.#hold({ ...before, codes: diff.codes });
    if (told.kind === 'block') await sink.complete(diff, told.block);
    else sink.publish(diff, told.announcement);
    if (sink.newest !== version) throw new Error(`version ${version} was published as ${sink.newest}`);
    this.#lagMs = Math.max(0, clock.wall() - atMs);
    this.#counts.versions++;
    this.#kept?.record(version, diff);
    if (told.kind === 'block') this.#confirmed();
  }

  /** As much of it as there is room for: what is left out is missing at older versions, never wrong. */
  #hold(before: StateChanges): void {
    const { sink } = this.#parts;
    if (before.accounts.length + before.slots.length === 0) return;
    if (sink.addMissing(before, sink.newest) !== 'full') return;
    sink.giveUp();
    sink.addMissing(before, sink.newest);
  }

  #confirmed(): void {
    const latest = this.#parts.sink.latest();
    if (latest === null) return;
    this.#parts.filler.anchorAt(latest);
    if (this.#kept?.find(latest.parentHash) == null) this.#kept = new KeptBlocks(latest);
    else this.#kept.add(latest);
  }

  /** A word from behind the place reached here is of a stream begun anew; one from before it, and nothing comes, of a lost reader. */
  #hear(word: AliveWord | null): void {
    const now = this.#parts.clock.now();
    if (word === null) return;
    this.#heard = { word, atMs: now };
    if (this.#phase === 'catching up') return;
    if (word.sequence < this.#sequence && word.epoch !== this.#position.epoch) {
      return this.#catchUp('the stream was begun anew', { epoch: word.epoch, sequence: 0 });
    }
    if (word.sequence > this.#sequence && now - this.#movedAtMs > LIMITS.replicationSilenceMsMax) this.#follow();
    if (word.sequence <= this.#sequence) this.#movedAtMs = now;
  }

  #report(): void {
    const { bus, clock, report } = this.#parts;
    const { epoch, version } = this.#position;
    const word = this.#heard?.word ?? null;
    const newest = word !== null && word.epoch === epoch ? Math.max(word.version, version) : version;
    const isElsewhere = word !== null && word.epoch !== epoch && word.sequence > this.#sequence;
    report({
      role: 'replica',
      counts: { ...this.#counts },
      isConnected: bus.isConnected,
      holdsLease: false,
      epoch,
      version,
      newest,
      waiting: newest - version,
      lagMs: this.#lagMs,
      heardAtMs: this.#heard?.atMs ?? null,
      trouble: word?.trouble ?? null,
      phase: isElsewhere ? 'catching up' : this.#phase,
      atMs: clock.now(),
    });
  }
}

const ANY: LeastSnapshot = { epoch: 0, sequence: 0 };
