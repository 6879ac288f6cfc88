// Creates replicas, and executors that publish to replicas. NATS is loaded here, and only if a flag requires it.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChainDescription } from '../chain/chain-description.js';
import { ExecutorClient } from './feed/executor-client.js';
import { ReplicaFeed } from './feed/replica-feed.js';
import type { NatsOptions, ChainSourceOptions, ReplicaOptions } from '../feed/chain-source-options.js';
import { monotonicMs, systemClock } from '../lib/clock.js';
import { LIMITS } from '../limits/index.js';
import { BusUnavailableError, type ChainBus } from './bus/chain-bus.js';
import { Lease } from './bus/lease.js';
import type { NatsBus } from './bus/nats-bus.js';
import { decodeRecord, type ChainRecord } from './messages/control-messages-json.js';
import { StartError } from '../lib/start-error.js';
import { createUpstream } from '../upstream/create-upstream.js';
import { answerReplicaRequest } from './outbox/answer-replica-requests.js';
import { StandbyExecutor, type ExecutingFeed } from './standby-executor.js';
import { NatsNonceSharingMember } from './nats-nonce-sharing-group.js';
import { Outbox } from './outbox/outbox.js';
import type { ReplicationStatus } from './replication-status.js';

export interface ReplicasListener {
  readonly report: (status: ReplicationStatus) => void;
  /** Shows a line to the operator. */
  readonly progress: (text: string) => void;
}

/** What is needed to let an executor publish to replicas. */
interface ReplicateDeps extends ReplicasListener {
  readonly source: ChainSourceOptions;
  /** Called with a reason when another executor has become the leader, so that this one must end. */
  readonly onDeposed: (reason: string) => void;
  /** Returns the memory of the current table. */
  readonly buffer: () => SharedArrayBuffer | null;
}

const DEPOSED = 'another executor leads now: this one ends, and follows it when it is started again';

/**
 * Creates the feed of a replica. Waits for the server, and until an executor has recorded its chain there. Rejects with
 * `StartError`.
 */
export async function openReplica(
  { bus: where, upstreamUrl }: ReplicaOptions,
  { report, progress }: ReplicasListener,
): Promise<ReplicaFeed> {
  const nats = await connected(where, progress);
  const { bus, record } = await waitForChain(nats, progress);
  return replicaOf(record.chain, bus, { upstreamUrl, report, acceptsTransactions: record.acceptsTransactions, nats });
}

/**
 * Makes an executor the leader of its chain, or lets it follow another leader. Also returns the outbox that sends its
 * state versions to replicas. Rejects with `StartError`.
 */
export async function leadOrFollow(
  feed: ExecutingFeed,
  where: NatsOptions,
  deps: ReplicateDeps,
): Promise<{ readonly feed: StandbyExecutor; readonly outbox: Outbox }> {
  const { report, progress, onDeposed, source, buffer } = deps;
  const nats = await connected(where, progress);
  const bus = nats.of(feed.chain.chainId);
  const lease = new Lease(bus, randomUUID(), monotonicMs);
  const requested = { feed, buffer, onSnapshot: () => outbox.requestSnapshot() };
  const outbox: Outbox = new Outbox({
    bus,
    lease,
    chain: {
      // A getter, because the rules of a live chain may change.
      get chain() {
        return feed.chain;
      },
      acceptsTransactions: feed.submit !== undefined,
    },
    clock: systemClock,
    answer: (question) => answerReplicaRequest(question, { ...requested, stateBytesMax: bus.fragmentBytesMax }),
    onDeposed: () => onDeposed(DEPOSED),
    report,
    progress,
  });
  const upstreamUrl = source.kind === 'live' ? source.upstreamUrl : null;
  const follower = { upstreamUrl, report, acceptsTransactions: false, nats: null };
  const replica = source.kind === 'live' ? replicaOf(feed.chain, bus, follower) : null;
  const group = new NatsNonceSharingMember(bus, systemClock);
  const close = async (): Promise<void> => {
    group.stop();
    await nats.close();
  };
  const shared = { bus, lease, outbox, progress, report, clock: systemClock };
  return { feed: new StandbyExecutor({ ...shared, feed, replica, group, close }), outbox };
}

/** Connects to the server. NATS is loaded on first use. */
async function connected(where: NatsOptions, progress: ReplicasListener['progress']): Promise<NatsBus> {
  const { connectNats } = await import('./bus/nats-bus.js');
  return connectNats(where, progress);
}

interface ReplicaDeps {
  /** URL of the node from which missing state is read; `null` if it is read from the executor. */
  readonly upstreamUrl: string | null;
  readonly report: ReplicasListener['report'];
  readonly acceptsTransactions: boolean;
  /** The connection that is closed together with the replica; `null` if it stays open. */
  readonly nats: NatsBus | null;
}

function replicaOf(chain: ChainDescription, bus: ChainBus, deps: ReplicaDeps): ReplicaFeed {
  const { upstreamUrl, report, acceptsTransactions, nats } = deps;
  const remote = new ExecutorClient(bus, systemClock);
  const pollMs = LIMITS.headPollMs;
  const node = upstreamUrl === null ? null : createUpstream({ url: upstreamUrl, wsUrl: null, pollMs });
  const group = new NatsNonceSharingMember(bus, systemClock);
  return new ReplicaFeed({
    bus,
    chain,
    group,
    source: node ?? remote,
    ...(acceptsTransactions ? { submit: (raw: Uint8Array) => remote.submit(raw) } : {}),
    clock: systemClock,
    report,
    close: async () => {
      group.stop();
      await node?.close();
      await nats?.close();
    },
  });
}

/** Waits until the NATS server has a chain with its chain record. Throws if it has several chains. */
async function waitForChain(
  nats: NatsBus,
  progress: ReplicasListener['progress'],
): Promise<{ readonly bus: ChainBus; readonly record: ChainRecord }> {
  for (let wasReported = false; ; await sleep(LIMITS.replicationRetryMs)) {
    const chains = await nats.chains().catch(nullIfAway);
    if (chains !== null && chains.length > 1) {
      throw new StartError(`the NATS server has several chains: append one of ${chains.join(', ')} to its address`, 2);
    }
    const bus = chains?.[0] === undefined ? null : nats.of(chains[0]);
    const text = await bus?.readRecord('chain').catch(nullIfAway);
    const record = typeof text === 'string' ? decodeRecord('chain', text) : null;
    if (bus !== null && record !== null) return { bus, record };
    if (chains === null || wasReported) continue;
    progress('waiting for an executor that publishes');
    wasReported = true;
  }
}

/** Returns `null` for the error that the server is unreachable, which is reported elsewhere; throws any other error. */
function nullIfAway(error: unknown): null {
  if (error instanceof BusUnavailableError) return null;
  throw error;
}
