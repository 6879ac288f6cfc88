// Puts the parts of executors and replicas together. NATS is loaded here, and nowhere without a flag that asks for it. Runs on the
// publisher.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChainDescription } from '../chain/spec.js';
import { RemoteState } from '../feed/replica/remote-state.js';
import { ReplicaFeed } from '../feed/replica/replica-feed.js';
import type { ReplicaOptions } from '../feed/options.js';
import { monotonicMs, systemClock } from '../lib/clock.js';
import { LIMITS } from '../limits.js';
import { BusUnavailable, type ChainBus } from '../replication/bus.js';
import { Lease } from '../replication/lease.js';
import type { NatsBus } from '../replication/nats.js';
import type { BusOptions } from '../replication/options.js';
import { decodeRecord, type ChainRecord } from '../replication/record.js';
import { StartError } from '../start-error.js';
import { createUpstream } from '../upstream/node.js';
import { answerAsked } from './asked.js';
import { Candidate, type ExecutingFeed } from './candidate.js';
import { Outbox } from './outbox.js';
import type { FromPublisher, PublisherOptions } from './protocol.js';

type Post = (message: FromPublisher) => void;

/** What an executor is replicated with. */
export interface ReplicateParts {
  readonly post: Post;
  readonly source: PublisherOptions['source'];
  /** The table in use. */
  readonly buffer: () => SharedArrayBuffer | null;
}

/** An executor that leads or follows, and what takes its versions to replicas. */
export interface Replicated {
  readonly feed: Candidate;
  readonly outbox: Outbox;
}

const DEPOSED = 'another executor leads now: this one ends, and follows it when it is started again';

/** A replica of the chain that the server has. Waits until an executor has written it down. Rejects with StartError. */
export async function openReplica({ bus: where, upstreamUrl }: ReplicaOptions, post: Post): Promise<ReplicaFeed> {
  const nats = await connected(where);
  const { bus, record } = await waitForChain(nats, post);
  return replicaOf(record.chain, bus, { upstreamUrl, post, acceptsTransactions: record.acceptsTransactions, nats });
}

/** Has `feed` lead, or follow another executor of its chain. Rejects with StartError. */
export async function replicate(feed: ExecutingFeed, where: BusOptions, parts: ReplicateParts): Promise<Replicated> {
  const { post, source, buffer } = parts;
  const nats = await connected(where);
  const bus = nats.of(feed.chain.chainId);
  const lease = new Lease(bus, randomUUID(), monotonicMs);
  const progress = (text: string): void => post({ kind: 'progress', text });
  const asked = { feed, buffer, onSnapshot: () => outbox.askForSnapshot(), stateBytesMax: bus.partBytesMax };
  const outbox: Outbox = new Outbox({
    bus,
    lease,
    chain: {
      // A live chain may learn of other rules.
      get chain() {
        return feed.chain;
      },
      acceptsTransactions: feed.submit !== undefined,
    },
    clock: systemClock,
    answer: (question) => answerAsked(question, asked),
    onDeposed: () => post({ kind: 'fatal', message: DEPOSED, exitCode: 1 }),
    report: (status) => post({ kind: 'replication', status }),
    progress,
  });
  const upstreamUrl = source.kind === 'live' ? source.upstreamUrl : null;
  const follower = { upstreamUrl, post, acceptsTransactions: false, nats: null };
  const replica = source.kind === 'live' ? replicaOf(feed.chain, bus, follower) : null;
  const close = (): Promise<void> => nats.close();
  return { feed: new Candidate({ feed, replica, bus, lease, outbox, progress, close }), outbox };
}

/** Loaded by whoever asks for it, and by nobody else. */
async function connected(where: BusOptions): Promise<NatsBus> {
  const { connectNats } = await import('../replication/nats.js');
  return connectNats(where);
}

interface ReplicaParts {
  /** `null`: the executor is asked for what is not held. */
  readonly upstreamUrl: string | null;
  readonly post: Post;
  readonly acceptsTransactions: boolean;
  /** The connection that ends with the replica; `null`: it goes on. */
  readonly nats: NatsBus | null;
}

function replicaOf(chain: ChainDescription, bus: ChainBus, parts: ReplicaParts): ReplicaFeed {
  const { upstreamUrl, post, acceptsTransactions, nats } = parts;
  const remote = new RemoteState(bus, systemClock);
  const pollMs = LIMITS.headPollMs;
  const node = upstreamUrl === null ? null : createUpstream({ url: upstreamUrl, wsUrl: null, pollMs });
  return new ReplicaFeed({
    bus,
    chain,
    source: node ?? remote,
    ...(acceptsTransactions ? { submit: (raw: Uint8Array) => remote.submit(raw) } : {}),
    clock: systemClock,
    report: (status) => post({ kind: 'replication', status }),
    closing: [async () => node?.close(), async () => nats?.close()],
  });
}

/** The only chain there is. */
async function waitForChain(
  nats: NatsBus,
  post: Post,
): Promise<{ readonly bus: ChainBus; readonly record: ChainRecord }> {
  for (let isTold = false; ; await sleep(LIMITS.replicationRetryMs)) {
    const chains = await nats.chains().catch(nothingYet);
    if (chains.length > 1) {
      throw new StartError(`the NATS server has several chains: put one of ${chains.join(', ')} behind its address`, 2);
    }
    const bus = chains[0] === undefined ? null : nats.of(chains[0]);
    const text = await bus?.readRecord('chain').catch(nothingYet);
    const record = typeof text === 'string' ? decodeRecord('chain', text) : null;
    if (bus !== null && record !== null) return { bus, record };
    if (!isTold) post({ kind: 'progress', text: 'waiting for an executor that publishes' });
    isTold = true;
  }
}

function nothingYet(error: unknown): readonly [] {
  if (error instanceof BusUnavailable) return [];
  throw error;
}
