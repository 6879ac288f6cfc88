// The feed of a replica. It receives versions from an executor, and missing state from that executor or from a node.
import type { ChainDescription } from '../../chain/chain-description.js';
import { LIMITS } from '../../limits/index.js';
import { UpstreamError } from '../../upstream/upstream.js';
import type { Feed, ReplicaFeedSink, SubmissionResult, UpstreamAccess } from '../../feed/feed.js';
import type { NonceSharingGroupMember } from '../../feed/nonce-sharing-group.js';
import { AccessListRequester } from '../../feed/live/cold/request-access-lists-from-node.js';
import { newLiveFeedCounters } from '../../feed/live-feed-counters.js';
import { StateFetcher } from '../../feed/live/cold/state-fetcher.js';
import { Replica, type ReplicaDeps, type ReplicaHandover } from './replica.js';
import type { ExecutorSubmissionResult, MissingStateSource } from './executor-client.js';

interface ReplicaFeedDeps extends Pick<ReplicaDeps, 'bus' | 'clock' | 'report'> {
  readonly group: NonceSharingGroupMember;
  readonly chain: ChainDescription;
  /** Provides missing state and the responses to forwarded methods. */
  readonly source: MissingStateSource;
  /** Submits a transaction to the executor. Only present if the executor's chain accepts transactions. */
  readonly submit?: (raw: Uint8Array) => Promise<ExecutorSubmissionResult>;
  /** Called when the feed stops. */
  readonly close: () => Promise<void>;
}

/** A replica's feed, which can be run once. */
export class ReplicaFeed implements Feed<ReplicaFeedSink> {
  readonly chain: ChainDescription;
  readonly group: NonceSharingGroupMember;
  readonly upstream: UpstreamAccess;
  readonly submit?: (raw: Uint8Array) => Promise<SubmissionResult>;
  readonly #deps: ReplicaFeedDeps;
  #replica: Replica | null = null;
  #filler: StateFetcher | null = null;
  #end: () => void = () => {};

  constructor(deps: ReplicaFeedDeps) {
    this.#deps = deps;
    this.chain = deps.chain;
    this.group = deps.group;
    const { submit } = deps;
    if (submit !== undefined) this.submit = async (raw) => this.#seen(await submit(raw));
    this.upstream = {
      fill: async (missing) => {
        if (this.#filler === null) throw new UpstreamError('notFound', 'nothing is followed yet');
        await this.#filler.fetch(missing);
      },
      request: (method, params, untilMs) => deps.source.request(method, params, untilMs),
    };
  }

  /** Follows the executor until `stop` or `inherit` is called. */
  run(sink: ReplicaFeedSink): Promise<void> {
    const { bus, source, clock, report } = this.#deps;
    const lists = new AccessListRequester(source);
    this.#filler = new StateFetcher({
      sink,
      upstream: source,
      lists,
      counts: newLiveFeedCounters(),
      onRead: () => undefined,
    });
    this.#replica = new Replica({ bus, sink, filler: this.#filler, clock, report });
    this.#replica.start();
    return new Promise((resolve) => (this.#end = resolve));
  }

  async stop(): Promise<void> {
    await this.#replica?.stop();
    await this.#close();
  }

  /**
   * Called when this executor has become the leader. Applies the stream up to sequence number `last` and stops
   * following. Returns `null` if there is no state to continue from.
   */
  async inherit(last: number): Promise<ReplicaHandover | null> {
    const inherited = (await this.#replica?.inherit(last)) ?? null;
    await this.#close();
    return inherited;
  }

  /**
   * Delays the response to an accepted transaction until this replica has reached the state version that the executor
   * had when it accepted the transaction.
   */
  async #seen(submission: ExecutorSubmissionResult): Promise<SubmissionResult> {
    if (!submission.accepted) return submission;
    const { replicationSubmitMsMax: waitMs } = LIMITS;
    if (await this.#replica?.reaches(submission.version, waitMs)) return submission;
    return {
      accepted: false,
      message: `the executor has accepted the transaction, which is not here within ${waitMs} ms`,
    };
  }

  async #close(): Promise<void> {
    await this.#deps.close();
    this.#end();
  }
}
