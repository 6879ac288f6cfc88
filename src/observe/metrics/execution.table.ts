// Metrics of the estimators, the EVM and the state.
import { type Metric, gauge, counter } from './metric.js';

/** The metrics, in the groups of the dashboard. */
export const EXECUTION = {
  'Estimates and calls': [
    gauge('prestate_jobs_queued', 'Estimates and calls that wait for a worker', ({ pool }) => pool().queued),
    {
      kind: 'gauge',
      name: 'prestate_jobs_waiting',
      help: 'Estimates and calls that wait for a worker, by the cost that is expected',
      samples: ({ pool }) => Object.entries(pool().waiting).map(([name, count]) => [count, { class: name }]),
    },
    gauge('prestate_jobs_running', 'Estimates and calls at a worker', ({ pool }) => pool().running),
    counter('prestate_jobs_completed_total', 'Estimates and calls answered', ({ pool }) => pool().completed),
    {
      kind: 'counter',
      name: 'prestate_jobs_refused_total',
      help: 'Estimates and calls refused for overload, by reason',
      samples: ({ pool }) => Object.entries(pool().refused).map(([reason, count]) => [count, { reason }]),
    },
    counter('prestate_jobs_merged_total', 'Jobs that shared the answer of an equal one', ({ pool }) => pool().merged),
    counter('prestate_jobs_cancelled_total', 'Jobs nobody waited for any more', ({ pool }) => pool().cancelled),
    counter('prestate_tasks_total', 'Tasks sent to workers', ({ pool }) => pool().tasks),
    counter('prestate_task_jobs_total', 'Jobs sent in tasks', ({ pool }) => pool().taskJobs),
    counter('prestate_worker_crashes_total', 'Workers that died', ({ pool }) => pool().crashes),
    counter('prestate_worker_kills_total', 'Workers killed because a job did not end', ({ pool }) => pool().kills),
    gauge('prestate_workers', 'Estimator threads', ({ workers }) => workers),
  ],
  EVM: [
    counter('prestate_kernel_executions_total', 'Messages given to the kernel', (s) => s.kernel.count('executions')),
    {
      kind: 'counter',
      name: 'prestate_kernel_fallbacks_total',
      help: 'Messages that @ethereumjs/evm executed in the place of the kernel, by reason',
      samples: ({ kernel }) => kernel.fallbacks().map(([reason, count]) => [count, { reason: reasonLabel(reason) }]),
    },
    counter('prestate_kernel_compiled_traces_total', 'Paths through code compiled to WebAssembly', (s) =>
      s.kernel.count('traces'),
    ),
    counter('prestate_kernel_checks_total', 'Answers compared with the reference', (s) => s.kernel.count('checks')),
    counter('prestate_kernel_checks_skipped_total', 'Comparisons with the reference given up', (s) =>
      s.kernel.count('skipped'),
    ),
    counter('prestate_kernel_mismatches_total', 'Answers that differed from those of the reference', (s) =>
      s.kernel.count('mismatches'),
    ),
    gauge('prestate_kernel_distrusted_codes', 'Codes that the kernel is not to run', (s) => s.kernel.denylisted),
  ],
  State: [
    gauge('prestate_snapshot_version', 'Newest version', ({ snapshot }) => snapshot().version),
    gauge('prestate_snapshot_block', 'Block of the newest version', ({ snapshot }) => snapshot().block),
    gauge(
      'prestate_snapshot_increment',
      'Increment of the newest version in its block',
      ({ snapshot }) => snapshot().index,
    ),
    gauge(
      'prestate_snapshot_head_block',
      'Newest confirmed block in the newest version',
      ({ snapshot }) => snapshot().head,
    ),
    gauge('prestate_snapshot_age_seconds', 'Age of the newest version', ({ snapshot }) => snapshot().ageMs / 1000),
    gauge('prestate_table_bytes', 'Size of the shared table', ({ snapshot }) => snapshot().tableBytes),
    gauge(
      'prestate_table_generation',
      'Number of the table among those of the present state',
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
    counter('prestate_table_evictions_total', 'Entries given up for others', (s) => s.snapshot().usage.evictions),
    counter('prestate_table_misses_total', 'Accounts and slots read that were not held', (s) => s.snapshot().missCount),
    counter(
      'prestate_table_stalls_total',
      'Copies of the table that were waited for',
      (s) => s.snapshot().usage.stalls,
    ),
    counter(
      'prestate_table_rebuilds_total',
      'Copies of the table at once for another hash key or after a failure',
      (s) => s.snapshot().usage.rebuilds,
    ),
    gauge(
      'prestate_table_slice_seconds',
      'Longest slice of growth and clean-up',
      (s) => s.snapshot().usage.sliceMsMax / 1000,
    ),
    gauge('prestate_oldest_pin_seconds', 'Age of the oldest pin', ({ snapshot }) => snapshot().oldestPinAgeMs / 1000),
    counter('prestate_publisher_restarts_total', 'Publishers that died and were replaced', (s) =>
      s.publisherRestarts(),
    ),
    counter('prestate_archive_damaged_records_total', 'Damaged records read', ({ damagedRecords }) => damagedRecords()),
  ],
} satisfies Readonly<Record<string, readonly Metric[]>>;

/** The metric's label: for some reasons this is an older word that existing dashboards use. */
function reasonLabel(reason: string): string {
  return reason === 'denylisted' ? 'distrusted' : reason;
}
