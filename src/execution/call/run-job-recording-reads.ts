// Runs a watched call (a call whose subscribers get each new result). Returns its outcome together with the state that
// this outcome depends on.
import { ReadRecordingView } from '../../state/views/recorded-read-keys.js';
import { hasCode, type StateView } from '../../state/views/state-view.js';
import type { CallRequest, Job, JobOutcome } from '../../transaction/evm-job.js';
import { namesFee } from './fee-defaults.js';
import type { JobRunner } from './job-runner.js';

/** Runs the job with `run` on a view that records all reads. If state is missing, the outcome says so. */
export async function runJobRecordingReads(
  { job, view, runner }: { readonly job: Job; readonly view: StateView; readonly runner: JobRunner },
  run: (view: StateView) => JobOutcome | Promise<JobOutcome>,
): Promise<JobOutcome> {
  const noting = new ReadRecordingView(view);
  const outcome = await run(noting);
  if (outcome.kind === 'missing') return outcome;
  // A trace is assumed to depend on its block: it shows the fee recipient, and no engine reports whether traced code
  // has read the environment.
  const isTrace = job.kind === 'trace';
  const idle = isTrace ? null : runner.idleFeeRecipient;
  if (idle !== null && noting.has(idle) && !hasCode(view.account(idle))) noting.forget(idle);
  return {
    kind: 'watched',
    outcome,
    reads: noting.reads(isTrace || runner.readsBlock || job.kind === 'accessList' || dependsOnFees(job.call)),
  };
}

/** True if the call depends on base fees. A call without a price does not, unless an access list is computed. */
function dependsOnFees(call: CallRequest): boolean {
  return namesFee(call) || call.blobVersionedHashes !== null;
}
