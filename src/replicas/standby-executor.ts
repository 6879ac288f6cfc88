// A standby executor follows the leader as a replica does, and becomes the leader itself when the lease is free.
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  Feed,
  LiveSink,
  HashOrSenderNonce,
  ReplicaFeedSink,
  AcceptedTransaction,
  RevertibleSnapshots,
  SubmissionResult,
  UpstreamAccess,
} from '../feed/feed.js';
import type { ReplicaHandover } from './feed/replica.js';
import type { ReplicaFeed } from './feed/replica-feed.js';
import { LIMITS } from '../limits/index.js';
import type { NonceSharingGroupMember } from '../feed/nonce-sharing-group.js';
import type { Clock } from '../lib/clock.js';
import { BusUnavailableError, type ChainBus } from './bus/chain-bus.js';
import type { Lease } from './bus/lease.js';
import { decodeRecord } from './messages/control-messages-json.js';
import { StartError } from '../lib/start-error.js';
import type { ChainHead } from '../state/complete-block.js';
import type { LeadershipStart, Outbox } from './outbox/outbox.js';
import { statusBeforeConnection, type ReplicationStatus } from './replication-status.js';

/** The feed of an executor. Some feeds can continue from the state of a replica. */
export interface ExecutingFeed extends Feed<LiveSink> {
  /** Called before `run` if the feed is to start with the state in the sink. Only present if the feed supports this. */
  resume?(inheritance: ReplicaHandover): void;
}

interface StandbyDeps {
  readonly feed: ExecutingFeed;
  readonly group: NonceSharingGroupMember;
  /** Follows the leader until this executor leads; `null` if executors of this chain cannot follow and only wait. */
  readonly replica: ReplicaFeed | null;
  readonly bus: ChainBus;
  readonly lease: Lease;
  readonly outbox: Outbox;
  readonly progress: (text: string) => void;
  readonly report: (status: ReplicationStatus) => void;
  readonly clock: Clock;
  readonly close: () => Promise<void>;
}

/** Runs once: until `stop`, or until another executor takes the lead, which ends the program. */
export class StandbyExecutor implements Feed<ReplicaFeedSink> {
  readonly chain: Feed['chain'];
  readonly group: NonceSharingGroupMember;
  readonly devFeedPort?: number;
  readonly upstream?: UpstreamAccess;
  readonly snapshots?: RevertibleSnapshots;
  readonly submit?: (raw: Uint8Array) => SubmissionResult | Promise<SubmissionResult>;
  readonly waiting?: (named: HashOrSenderNonce) => AcceptedTransaction | null;
  readonly #deps: StandbyDeps;
  #leads = false;
  #isStopped = false;

  constructor(deps: StandbyDeps) {
    const { feed } = deps;
    this.#deps = deps;
    this.chain = feed.chain;
    this.group = deps.group;
    if (feed.devFeedPort !== undefined) this.devFeedPort = feed.devFeedPort;
    if (feed.snapshots !== undefined) this.snapshots = feed.snapshots;
    if (feed.submit !== undefined) this.submit = (raw) => feed.submit!(raw);
    if (feed.waiting !== undefined) this.waiting = (named) => feed.waiting!(named);
    if (feed.upstream !== undefined) {
      this.upstream = {
        fill: (missing, purpose) => this.#access().fill(missing, purpose),
        request: (method, params, untilMs) => this.#access().request(method, params, untilMs),
      };
    }
  }

  /**
   * Leads at once if the lease is free, otherwise follows first. While the server is unreachable it waits, because the
   * leader is unknown. Rejects with `StartError` if the server refuses what is requested or cannot create a stream.
   */
  async run(sink: ReplicaFeedSink, head: ChainHead | null): Promise<void> {
    await this.#prepare();
    const atOnce = await this.#elect();
    const position = atOnce ?? (await this.#follow(sink));
    if (position === null) return;
    const inheritance = atOnce === null ? await this.#inherit(position) : null;
    if (this.#isStopped) return;
    this.#lead(position, inheritance);
    await this.#deps.feed.run(sink, head);
  }

  async stop(): Promise<void> {
    const { feed, replica, outbox, close } = this.#deps;
    this.#isStopped = true;
    if (!this.#leads) await replica?.stop();
    await feed.stop();
    await outbox.stop();
    await close();
  }

  /** Waits until the stream exists on the server. Meanwhile reports that the server is unreachable. */
  async #prepare(): Promise<void> {
    const { bus, report, clock } = this.#deps;
    while (!this.#isStopped) {
      const reason = await bus.prepare().then(() => null, reasonOf);
      if (reason === null) return;
      if (bus.isConnected) throw new StartError(`the NATS server cannot be used: ${reason}`, 1);
      report(statusBeforeConnection(clock.now()));
      await sleep(LIMITS.replicationAliveMs);
    }
  }

  #access(): UpstreamAccess {
    const { feed, replica } = this.#deps;
    return this.#leads || replica === null ? feed.upstream! : replica.upstream;
  }

  /**
   * Returns the end of the stream if this executor gets the lease; `null` if another one holds it, or the server does
   * not respond.
   */
  async #elect(): Promise<StreamEnd | null> {
    const { bus, lease } = this.#deps;
    if (this.#isStopped || (await lease.tend()) !== 'held') return null;
    try {
      const record = decodeRecord('chain', await bus.readRecord('chain'));
      const ends = await bus.ends();
      return this.#isStopped ? null : { epoch: record?.epoch ?? 0, sequence: ends?.last ?? 0 };
    } catch (error) {
      if (error instanceof BusUnavailableError) return null;
      throw error;
    }
  }

  /** Follows the leader until this executor gets the lease; returns `null` if it was stopped before. */
  async #follow(sink: ReplicaFeedSink): Promise<StreamEnd | null> {
    const { replica, progress } = this.#deps;
    if (this.#isStopped) return null;
    progress(`another executor leads: this one ${replica === null ? 'waits' : 'follows it'}`);
    void replica?.run(sink);
    while (!this.#isStopped) {
      await sleep(LIMITS.replicationRenewMs);
      const position = await this.#elect();
      if (position !== null) return position;
    }
    return null;
  }

  /** Applies the rest of the stream. The lease, which this executor already holds, is renewed meanwhile. */
  async #inherit({ sequence }: StreamEnd): Promise<ReplicaHandover | null> {
    const { lease, replica } = this.#deps;
    const renewing = setInterval(() => void lease.tend(), LIMITS.replicationRenewMs);
    const inheritance = replica === null ? null : await replica.inherit(sequence);
    clearInterval(renewing);
    return inheritance;
  }

  #lead({ epoch, sequence }: StreamEnd, inheritance: ReplicaHandover | null): void {
    const { feed, outbox, progress } = this.#deps;
    const continues = inheritance !== null && inheritance.kept !== null && inheritance.sequence === sequence;
    progress(`this executor leads${continues ? `, from version ${inheritance.version} on` : ''}`);
    outbox.lead({
      epoch: Math.max(epoch, inheritance?.epoch ?? 0),
      sequence,
      continues: continues && feed.resume !== undefined,
    });
    if (continues) feed.resume?.(inheritance);
    this.#leads = true;
  }
}

/** The last sequence number in the stream, and the newest recorded stream epoch; each is 0 if there is none. */
type StreamEnd = Omit<LeadershipStart, 'continues'>;

function reasonOf(error: unknown): string {
  if (error instanceof BusUnavailableError) return error.message;
  throw error;
}
