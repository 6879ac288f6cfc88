// An executor of several: it follows the one that leads as a replica does, and leads itself once the lease is free. Runs on the
// publisher.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Feed, LiveSink, ReplicaSink, Submission, UpstreamAccess } from '../feed/feed.js';
import type { Inheritance } from '../feed/replica/replica.js';
import type { ReplicaFeed } from '../feed/replica/replica-feed.js';
import { LIMITS } from '../limits.js';
import type { ChainBus } from '../replication/bus.js';
import type { Lease } from '../replication/lease.js';
import { decodeRecord } from '../replication/record.js';
import type { Head } from '../state/block.js';
import type { Outbox } from './outbox.js';

/** An executor's feed, which may go on from what a replica has. */
export interface ExecutingFeed extends Feed<LiveSink> {
  /** Before `run`: the state in the sink is the beginning. Only where the feed can do that. */
  resume?(inheritance: Inheritance): void;
}

/** What a candidate is made of. */
export interface CandidateParts {
  readonly feed: ExecutingFeed;
  /** Follows the leader meanwhile; `null`: such a chain cannot be followed by one of its like, which waits. */
  readonly replica: ReplicaFeed | null;
  readonly bus: ChainBus;
  readonly lease: Lease;
  readonly outbox: Outbox;
  readonly progress: (text: string) => void;
  /** Ends the connection. */
  readonly close: () => Promise<void>;
}

/** Runs once: until `stop`, or until it is deposed, which ends the program. */
export class Candidate implements Feed<ReplicaSink> {
  readonly chain: Feed['chain'];
  readonly devFeedPort?: number;
  readonly upstream?: UpstreamAccess;
  readonly submit?: (raw: Uint8Array) => Submission | Promise<Submission>;
  readonly #parts: CandidateParts;
  #leads = false;
  #isStopped = false;

  constructor(parts: CandidateParts) {
    const { feed } = parts;
    this.#parts = parts;
    this.chain = feed.chain;
    if (feed.devFeedPort !== undefined) this.devFeedPort = feed.devFeedPort;
    if (feed.submit !== undefined) this.submit = (raw) => feed.submit!(raw);
    if (feed.upstream !== undefined) {
      this.upstream = {
        fill: (wants, purpose) => this.#access().fill(wants, purpose),
        request: (method, params, untilMs) => this.#access().request(method, params, untilMs),
      };
    }
  }

  /** Leads at once where the lease is free. */
  async run(sink: ReplicaSink, head: Head | null): Promise<void> {
    const { bus, feed, replica, lease, outbox, progress } = this.#parts;
    await bus.prepare();
    const isFirst = (await lease.tend()) === 'held';
    if (!isFirst) progress('another executor leads: this one follows it');
    const following = isFirst ? null : (replica?.run(sink) ?? null);
    if (!isFirst) await this.#elected();
    if (this.#isStopped) return following ?? undefined;
    const inheritance = following === null ? null : await replica!.inherit();
    const epoch = decodeRecord('chain', await bus.readRecord('chain'))?.epoch ?? 0;
    const last = (await bus.ends())?.last ?? 0;
    const continues = inheritance !== null && inheritance.kept !== null && inheritance.sequence === last;
    progress(`this executor leads${continues ? `, from version ${inheritance.version} on` : ''}`);
    outbox.lead({
      epoch: Math.max(epoch, inheritance?.epoch ?? 0),
      sequence: last,
      continues: continues && feed.resume !== undefined,
    });
    if (continues) feed.resume?.(inheritance);
    this.#leads = true;
    await feed.run(sink, head);
  }

  async stop(): Promise<void> {
    const { feed, replica, outbox, close } = this.#parts;
    this.#isStopped = true;
    if (!this.#leads) await replica?.stop();
    await feed.stop();
    await outbox.stop();
    await close();
  }

  #access(): UpstreamAccess {
    const { feed, replica } = this.#parts;
    return this.#leads || replica === null ? feed.upstream! : replica.upstream;
  }

  async #elected(): Promise<void> {
    while (!this.#isStopped && (await this.#parts.lease.tend()) !== 'held') await sleep(LIMITS.replicationRenewMs);
  }
}
