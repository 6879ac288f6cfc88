// Metrics that are histograms of durations.
import type { DurationMetric } from './metric-definition.js';

/** Histograms of durations by stage, method or status. */
export const DURATION_METRICS: readonly DurationMetric[] = [
  {
    name: 'prestate_request_seconds',
    help: 'Time from the whole body until the transport has the answer; a body by its method, or as batch, refused or other',
    label: 'method',
    times: ({ latency }) => [...latency.requests].map(([method, times]) => [times, method]),
  },
  {
    name: 'prestate_stage_seconds',
    help: 'Time of stages: decode, read and answer of every body on main; queue, execution and return of every job',
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
    help: 'Time from a frame of the feed, or a head where no feed is followed, until readers see its state',
    times: ({ visible }) => [[visible]],
  },
  {
    name: 'prestate_send_seconds',
    help: 'Time from the handing in of a transaction that went through here until an increment or a block includes it',
    times: ({ ownSends }) => [ownSends()?.times ?? []].flat().map((times) => [times]),
  },
];
