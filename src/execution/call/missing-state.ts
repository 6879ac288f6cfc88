// Runs a job on state that may not be held: what is missing comes back as a whole, to be fetched at once. Runs on the
// estimators.
import { LIMITS } from '../../limits.js';
import type { BlockEnv } from '../../state/diff.js';
import { PayerView } from '../../state/payer-view.js';
import { RecordingView } from '../../state/recording-view.js';
import type { StateView } from '../../state/view.js';
import { isTimeout, type CallRequest, type Job, type Outcome } from '../../transaction/call-request.js';
import type { JobRunner } from './estimate.js';

/**
 * The job's outcome, or what it lacks. A pass that finds something missing goes on with zeros, and a sender that can pay, to
 * find as much as it can at once; as code may loop on zeros, that pass has little time, and a job that needs more gets it once nothing is
 * missing.
 */
export async function runWithMissingState(
  runner: JobRunner,
  job: Job,
  { view, env }: { readonly view: StateView; readonly env: BlockEnv },
): Promise<Outcome> {
  const recorder = new RecordingView(view);
  readAhead(job, recorder);
  const timeoutMs = Math.min(job.timeoutMs, LIMITS.speculationMsMax);
  const payer = new PayerView(recorder, [{ from: job.call.from, nonce: 0n }]);
  const outcome = await runner.runJob({ ...job, timeoutMs }, payer, env);
  if (recorder.hasMissed) return { kind: 'missing', wants: recorder.wants };
  if (timeoutMs === job.timeoutMs || !isTimeout(outcome)) return outcome;
  const whole = new RecordingView(view);
  const full = await runner.runJob(job, whole, env);
  return whole.hasMissed ? { kind: 'missing', wants: whole.wants } : full;
}

/** What every run reads, and what an access list says it will: found missing before the first instruction. */
function readAhead({ call, blocks = [] }: Job, view: StateView): void {
  for (const one of [call, ...blocks.flatMap(({ calls }) => calls)]) readAheadOf(one, view);
}

function readAheadOf(call: CallRequest, view: StateView): void {
  view.account(call.from);
  if (call.to !== null) view.account(call.to);
  for (const { address, slots } of call.accessList ?? []) {
    view.account(address);
    for (const slot of slots) view.storage(address, slot);
  }
  for (const { address } of call.authorizationList ?? []) view.account(address);
}
