// Metrics of the estimators, the EVM and the state.
import { type Metric, gaugeMetric, counterMetric } from './metric-definition.js';

export const EXECUTION_METRICS = {
  'Estimates and calls': [
    gaugeMetric('prestate_jobs_queued', 'Estimates and calls that wait for a worker', (s) => s.pool().queued),
    {
      kind: 'gauge',
      name: 'prestate_jobs_waiting',
      help: 'Estimates and calls that wait for a worker, by expected cost',
      samples: ({ pool }) => Object.entries(pool().waiting).map(([name, count]) => [count, { class: name }]),
    },
    gaugeMetric('prestate_jobs_running', 'Estimates and calls running on a worker', (s) => s.pool().running),
    counterMetric('prestate_jobs_completed_total', 'Estimates and calls answered', (s) => s.pool().completed),
    {
      kind: 'counter',
      name: 'prestate_jobs_refused_total',
      help: 'Estimates and calls refused for overload, by reason',
      samples: ({ pool }) => Object.entries(pool().refused).map(([reason, count]) => [count, { reason }]),
    },
    counterMetric('prestate_jobs_merged_total', 'Jobs that shared the result of an equal job', (s) => s.pool().merged),
    counterMetric(
      'prestate_jobs_cancelled_total',
      'Jobs cancelled because no client waited for them',
      (s) => s.pool().cancelled,
    ),
    counterMetric('prestate_tasks_total', 'Tasks sent to workers', (s) => s.pool().tasks),
    counterMetric('prestate_task_jobs_total', 'Jobs sent in tasks', (s) => s.pool().taskJobs),
    counterMetric('prestate_worker_crashes_total', 'Workers that died', (s) => s.pool().crashes),
    counterMetric('prestate_worker_kills_total', 'Workers killed because a job did not end', (s) => s.pool().kills),
    gaugeMetric('prestate_workers', 'Estimator threads', (s) => s.workers),
  ],
  EVM: [
    counterMetric('prestate_kernel_executions_total', 'Message calls executed by the kernel', (s) =>
      s.kernel.count('executions'),
    ),
    {
      kind: 'counter',
      name: 'prestate_kernel_fallbacks_total',
      help: 'Message calls executed by @ethereumjs/evm instead of the kernel, by reason',
      samples: (s) => s.kernel.fallbacks().map(([reason, count]) => [count, { reason: reasonLabel(reason) }]),
    },
    counterMetric('prestate_kernel_compiled_traces_total', 'Paths through code compiled to WebAssembly', (s) =>
      s.kernel.count('traces'),
    ),
    counterMetric('prestate_kernel_checks_total', 'Results compared with the reference', (s) =>
      s.kernel.count('checks'),
    ),
    counterMetric('prestate_kernel_checks_skipped_total', 'Comparisons with the reference that were skipped', (s) =>
      s.kernel.count('skipped'),
    ),
    counterMetric('prestate_kernel_mismatches_total', 'Results that differed from those of the reference', (s) =>
      s.kernel.count('mismatches'),
    ),
    gaugeMetric('prestate_kernel_distrusted_codes', 'Codes on the denylist of the kernel', (s) => s.kernel.denylisted),
  ],
  State: [
    gaugeMetric('prestate_snapshot_version', 'Newest version', (s) => s.snapshot().version),
    gaugeMetric('prestate_snapshot_block', 'Block of the newest version', (s) => s.snapshot().block),
    gaugeMetric(
      'prestate_snapshot_increment',
      'Increment of the newest version in its block',
      (s) => s.snapshot().index,
    ),
    gaugeMetric(
      'prestate_snapshot_head_block',
      'Newest confirmed block in the newest version',
      (s) => s.snapshot().head,
    ),
    gaugeMetric('prestate_snapshot_age_seconds', 'Age of the newest version', (s) => s.snapshot().ageMs / 1000),
    gaugeMetric('prestate_table_bytes', 'Size of the shared table', (s) => s.snapshot().tableBytes),
    gaugeMetric(
      'prestate_table_generation',
      'Generation of the table since the last state reset',
      (s) => s.snapshot().generation,
    ),
    {
      kind: 'gauge',
      name: 'prestate_table_entries',
      help: 'Accounts and slots in the table',
      samples: ({ snapshot }) => {
        const { accounts, slots } = snapshot().usage;
        return [
          [accounts, { kind: 'account' }],
          [slots, { kind: 'slot' }],
        ];
      },
    },
    counterMetric('prestate_table_evictions_total', 'Entries evicted', (s) => s.snapshot().usage.evictions),
    counterMetric(
      'prestate_table_misses_total',
      'Reads of accounts and slots that were not cached',
      (s) => s.snapshot().missCount,
    ),
    counterMetric(
      'prestate_table_stalls_total',
      'Copies of the table that a publication waited for',
      (s) => s.snapshot().usage.stalls,
    ),
    counterMetric(
      'prestate_table_rebuilds_total',
      'Copies of the table in one step, for another hash key or after a failure',
      (s) => s.snapshot().usage.rebuilds,
    ),
    gaugeMetric(
      'prestate_table_slice_seconds',
      'Longest time slice of growth and eviction',
      (s) => s.snapshot().usage.sliceMsMax / 1000,
    ),
    gaugeMetric('prestate_oldest_pin_seconds', 'Age of the oldest pin', (s) => s.snapshot().oldestPinAgeMs / 1000),
    counterMetric('prestate_publisher_restarts_total', 'Publishers that died and were replaced', (s) =>
      s.publisherRestarts(),
    ),
    counterMetric('prestate_archive_damaged_records_total', 'Reads of damaged archive records', ({ damagedRecords }) =>
      damagedRecords(),
    ),
  ],
} satisfies Readonly<Record<string, readonly Metric[]>>;

/** Returns the label of a reason. `denylisted` keeps its older label `distrusted`, which existing dashboards use. */
function reasonLabel(reason: string): string {
  return reason === 'denylisted' ? 'distrusted' : reason;
}
