// The feed of a live chain. It handles heads of a node and events of a pre-confirmation feed, one at a time.
import { once } from 'node:events';
import type { ChainDescription } from '../../chain/chain-description.js';
import type { Feed, LiveSink, UpstreamAccess } from '../feed.js';
import type { LiveStatus } from '../live-status.js';
import type { LiveBlockTree } from './tree/block-tree.js';
import { createLivePipeline, type LivePipelineComponents, type LivePipelineDeps } from './live-pipeline.js';

/** The dependencies of a live feed. The feed closes `upstream` when it stops. */
export interface LiveFeedDeps extends LivePipelineDeps {
  /** Functions that are called in order when the feed has stopped. */
  readonly closing?: readonly (() => Promise<void>)[];
}

/** Time between two status reports. */
const STATUS_MS = 500;

/** The feed of a live chain. It can be run only once. */
export class LiveFeed implements Feed<LiveSink> {
  /** Gives access to the node; usable once the feed is running. */
  readonly upstream: UpstreamAccess;
  readonly #deps: LiveFeedDeps;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #pipeline: LivePipelineComponents | null = null;
  #inherited: LiveBlockTree | null = null;

  constructor(deps: LiveFeedDeps) {
    this.#deps = deps;
    this.upstream = {
      fill: async (missing, purpose) => this.#following.fill(missing, purpose),
      request: (method, params, untilMs) => deps.upstream.request(method, params, untilMs),
    };
  }

  /** The description of the chain whose state is served. */
  get chain(): ChainDescription {
    return this.#deps.rules.chain;
  }

  /**
   * Called before `run` if the sink already has a state, which the feed is to continue. `kept` has the blocks of that
   * state; `null` if they are unknown.
   */
  resume({ kept }: { readonly kept: LiveBlockTree | null }): void {
    this.#inherited = kept;
    this.#deps.rules.suspect();
  }

  /**
   * Follows the upstream node's head until `stop`. Has no parameter for an archive's head: live chains have no archive.
   */
  run(sink: LiveSink): Promise<void> {
    this.#running = this.#follow(sink);
    return this.#running;
  }

  /** Stops after the current task. A task that takes too long is aborted. */
  stop(): Promise<void> {
    this.#pipeline?.time.supersede('the feed is stopped');
    this.#stopping.abort();
    return this.#running;
  }

  /** The current status of the chain. It is available only while the feed is running. */
  get status(): LiveStatus {
    const { upstream, rules, now } = this.#deps;
    const { counts, time, tree, follower, inputs, events, warmer } = this.#following;
    const atMs = now();
    const silentMs = events.feedSilentMs(atMs);
    return {
      counts: { ...counts },
      upstream: { ...upstream.stats },
      upstreamHead: inputs.newestHead.number,
      head: tree.tip?.number ?? 0,
      blockMs: tree.blockMs,
      lowerHead: inputs.lowerHead,
      upstreamSilentSinceMs: upstream.silentSinceMs,
      feedBlock: inputs.feedBlock,
      headAtMs: inputs.newestHead.atMs,
      feeds: events.feedLinks(),
      feedAtMs: silentMs === null ? null : atMs - silentMs,
      executing: time.executing,
      newestMs: time.newestMs,
      doubt: rules.doubt,
      notice: follower.notice,
      warmth: warmer?.warmth ?? 1,
      unknownFeatures: rules.features.all,
      atMs,
    };
  }

  get #following(): LivePipelineComponents {
    if (this.#pipeline === null) throw new Error('the feed does not run');
    return this.#pipeline;
  }

  async #follow(sink: LiveSink): Promise<void> {
    const { upstream, closing = [] } = this.#deps;
    const report = (): void => sink.report(this.status);
    this.#pipeline = createLivePipeline(sink, this.#deps, this.#inherited, report);
    const { inputs, events, warmer } = this.#pipeline;
    report();
    const reports = setInterval(report, STATUS_MS);
    if (!this.#stopping.signal.aborted) await once(this.#stopping.signal, 'abort');
    clearInterval(reports);
    events.close();
    inputs.close();
    warmer?.close();
    await upstream.close();
    await inputs.settled();
    // The functions are called one after the other, each when the previous one has finished.
    for (const close of closing) await close();
  }
}
