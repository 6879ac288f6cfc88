// Runs a job on state that is only partly available, and returns all missing keys at once, so that they are fetched
// together.
import { LIMITS } from '../../limits/index.js';
import type { BlockEnv } from '../../state/state-diff.js';
import { recipientAndDataOf, rawTransactionNonce } from '../../transaction/raw-transaction-fields.js';
import { recoverSenders } from '../../transaction/recover-sender.js';
import { DryRunPayerView, type AssumedPayer } from '../../state/views/dry-run-payer-view.js';
import { mergedMissingKeys, MissRecordingView, type MissingKeys } from '../../state/views/miss-recording-view.js';
import type { StateView } from '../../state/views/state-view.js';
import {
  isTimeoutOutcome,
  type Bundle,
  type CallRequest,
  type Job,
  type JobOutcome,
} from '../../transaction/evm-job.js';
import type { JobRunner } from './job-runner.js';

/**
 * Returns the job's outcome, or the keys of missing accounts and slots. To find many keys at once, the run continues
 * after a miss: it assumes that missing values are zero and that the sender can pay. A second run assumes large values
 * instead, to find keys that are only read if a value is not zero. Code may loop on assumed values, so these runs have
 * a short time limit. The job gets its full time limit once no state is missing.
 */
export async function runWithMissingState(
  runner: JobRunner,
  requested: Job,
  { view, env }: { readonly view: StateView; readonly env: BlockEnv },
): Promise<JobOutcome> {
  const job = withSenders(requested);
  const payers = payersOf(job);
  const timeoutMs = Math.min(job.timeoutMs, LIMITS.speculationMsMax);
  const pass = (recorder: MissRecordingView): Promise<JobOutcome> | JobOutcome => {
    const payer = new DryRunPayerView(recorder, payers);
    return runner.runJob({ ...job, timeoutMs }, payer, env);
  };
  const recorder = new MissRecordingView(view);
  readAhead(job, recorder);
  const outcome = await pass(recorder);
  if (recorder.hasMissed) return { kind: 'missing', missingKeys: await furtherKeys(recorder, pass) };
  if (timeoutMs === job.timeoutMs || !isTimeoutOutcome(outcome)) return outcome;
  const whole = new MissRecordingView(view);
  const full = await runner.runJob(job, whole, env);
  return whole.hasMissed ? { kind: 'missing', missingKeys: whole.missingKeys } : full;
}

/**
 * Returns the keys that were missing in the first run, and further ones that are missing in a second run. The second
 * run assumes a large number instead of 0 for a missing entry of a mapping, such as a token balance.
 */
async function furtherKeys(
  { missingKeys, below }: MissRecordingView,
  pass: (recorder: MissRecordingView) => Promise<JobOutcome> | JobOutcome,
): Promise<MissingKeys> {
  if (missingKeys.slots.length === 0) return missingKeys;
  const further = new MissRecordingView(below, 'plenty');
  await pass(further);
  return mergedMissingKeys([missingKeys, further.missingKeys]);
}

/** Recovers the senders of the bundle's transactions once, for all runs. */
function withSenders(job: Job): Job {
  const { bundle } = job;
  if (bundle === undefined) return job;
  return { ...job, bundle: { ...bundle, senders: recoverSenders(bundle.transactions) } };
}

function payersOf({ call, bundle }: Job): AssumedPayer[] {
  if (bundle === undefined) return [{ from: call.from, nonce: 0n }];
  return bundle.transactions.flatMap((raw, index) => {
    const from = bundle.senders![index]?.address;
    return from === undefined ? [] : [{ from, nonce: rawTransactionNonce(raw) ?? 0n }];
  });
}

/**
 * Reads what every run reads (sender, recipient, access list), so that missing keys are known before the first
 * instruction.
 */
function readAhead({ call, blocks = [], bundle }: Job, view: StateView): void {
  if (bundle !== undefined) return readAheadOfBundle(bundle, view);
  for (const one of [call, ...blocks.flatMap(({ calls }) => calls)]) readAheadOf(one, view);
}

function readAheadOfBundle({ transactions, senders }: Bundle, view: StateView): void {
  for (const [index, raw] of transactions.entries()) {
    for (const address of [senders![index]?.address, recipientAndDataOf(raw)?.to]) if (address) view.account(address);
  }
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
