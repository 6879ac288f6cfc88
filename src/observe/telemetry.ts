// Counts and reports of the engine's parts about themselves, for metrics, status and readiness. Runs on main.
import { KernelCounters } from '../evm/kernel/shared-counters.js';
import type { LiveStatus } from '../feed/status.js';
import { Histogram } from '../lib/time/histogram.js';
import type { ReplicationStatus } from '../replicas/status.js';
import { AnswerMemory } from '../rpc/answer/answer-memory.js';
import { Latency } from '../rpc/answer/latency.js';
import { PushCounts } from '../rpc/push/counts.js';

/** Each field is filled by the part that it is about, and read by whoever asks. */
export class Telemetry {
  /** Subscriptions and what they are told. */
  readonly push = new PushCounts();
  /** Runs of the kernel, on all threads. */
  readonly kernel = new KernelCounters();
  /** Times of requests. */
  readonly latency = new Latency();
  /** Shared memory of the histogram `visible` of the metrics. */
  readonly visible = Histogram.createBuffer();
  /** Memory of answers that are being made. */
  readonly answerMemory = new AnswerMemory();
  /** The live feed; `null` for a chain that is not a live one. */
  live: LiveStatus | null = null;
  /** Publishing or following; `null`: neither is done. */
  replication: ReplicationStatus | null = null;

  /**
   * Reason for which the rules of the chain are not known to be right, here or at the executor that is followed; `null`: they
   * are.
   */
  get doubt(): string | null {
    return this.live?.doubt ?? this.replication?.doubt ?? null;
  }
}
