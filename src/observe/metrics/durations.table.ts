// Metrics that are histograms of durations.
import type { DurationMetric } from './metric-definition.js';

/** Histograms of durations by stage, method or status. */
export const DURATION_METRICS: readonly DurationMetric[] = [
  {
    name: 'prestate_request_seconds',
    help: 'Time from a complete body until the transport has the response; by method, or batch, refused, other',
    label: 'method',
    times: ({ latency }) => [...latency.requests].map(([method, times]) => [times, method]),
  },
  {
    name: 'prestate_stage_seconds',
    help: 'Time of each stage: decode, read and answer of request bodies on main; queue, execution and return of jobs',
    label: 'stage',
    times: ({ latency, pool }) => {
      const { decode, read, answer } = latency.stages;
      const { queue, execution, return: back } = pool().times;
      const all = { decode, read, queue, execution, return: back, answer };
      return Object.entries(all).map(([stage, times]) => [times, stage]);
    },
  },
  {
    name: 'prestate_feed_to_visible_seconds',
    help: 'Time from a feed message, or from a new head without a feed, until readers see its state',
    times: ({ visible }) => [[visible]],
  },
  {
    name: 'prestate_send_seconds',
    help: 'Time from the submission of a transaction by this server until an increment or a block includes it',
    times: ({ ownSends }) => [ownSends()?.times ?? []].flat().map((times) => [times]),
  },
];
