// Counters and status reports of the engine's components, from which metrics, the status page and readiness are made.
import { KernelCounters } from '../evm/kernel/kernel-counters-and-code-denylist.js';
import type { LiveStatus } from '../feed/live-status.js';
import { Histogram } from '../lib/histogram.js';
import type { ReplicationStatus } from '../replicas/replication-status.js';
import { AnswerMemory } from '../rpc/answer/answer-memory-budget.js';
import { RequestLatency } from '../rpc/answer/request-latency.js';
import { PushCounts } from '../rpc/push/push-counts.js';

/** All counters and status reports. Each field is filled by its component and read by reporting code. */
export class Telemetry {
  /** Counters of subscriptions and their notifications. */
  readonly push = new PushCounts();
  /** Counters of the EVM kernels on all threads. */
  readonly kernel = new KernelCounters();
  readonly latency = new RequestLatency();
  /** Shared memory of the histogram `MetricSources.visible`. */
  readonly visible = Histogram.createBuffer();
  /** Counts the memory of responses that are being built. */
  readonly answerMemory = new AnswerMemory();
  /** Status of the live chain; `null` on any other chain. */
  live: LiveStatus | null = null;
  /** Status of publishing or replicating; `null` if neither is configured. */
  replication: ReplicationStatus | null = null;

  /** Why the chain rules are unverified, in this process or in a replica's executor; `null` if they are verified. */
  get doubt(): string | null {
    return this.live?.doubt ?? this.replication?.doubt ?? null;
  }
}
