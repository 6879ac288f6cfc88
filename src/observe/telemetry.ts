// Counts and status reports of the engine's components, for metrics, status and readiness.
import { KernelCounters } from '../evm/kernel/shared-counters.js';
import type { LiveStatus } from '../feed/status.js';
import { Histogram } from '../lib/histogram.js';
import type { ReplicationStatus } from '../replicas/status.js';
import { AnswerMemory } from '../rpc/answer/answer-memory.js';
import { Latency } from '../rpc/answer/latency.js';
import { PushCounts } from '../rpc/push/counts.js';

/** Each field is filled by its component, and read by reporting code. */
export class Telemetry {
  /** Subscriptions and what is pushed to them. */
  readonly push = new PushCounts();
  /** Runs of the kernel, on all threads. */
  readonly kernel = new KernelCounters();
  /** Times of requests. */
  readonly latency = new Latency();
  /** Shared memory of the histogram `visible` of the metrics. */
  readonly visible = Histogram.createBuffer();
  /** Memory of responses that are being built. */
  readonly answerMemory = new AnswerMemory();
  /** The live feed; `null` for a chain that is not a live one. */
  live: LiveStatus | null = null;
  /** Status of publishing or replicating; `null`: neither is done. */
  replication: ReplicationStatus | null = null;

  /** Why the chain rules are unverified, here or at the executor that is followed; `null`: they are verified. */
  get doubt(): string | null {
    return this.live?.doubt ?? this.replication?.doubt ?? null;
  }
}
