// A job that is watched: beside its outcome stands what that hangs on.
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { NotingView } from '../../state/views/reads.js';
import { EMPTY_CODE_HASH, type StateView } from '../../state/views/view.js';
import type { CallRequest, Job, JobOutcome } from '../../transaction/call-request.js';
import type { JobRunner } from './estimate.js';

/**
 * Runs the job on a view that notes what is read, by everything that is tried on the way; what is missing is answered
 * as it is. `run`: on the runner.
 */
export async function runWatched(
  { job, view, runner }: { readonly job: Job; readonly view: StateView; readonly runner: JobRunner },
  run: (view: StateView) => JobOutcome | Promise<JobOutcome>,
): Promise<JobOutcome> {
  const noting = new NotingView(view);
  const outcome = await run(noting);
  if (outcome.kind === 'missing') return outcome;
  // A trace shows the fee recipient, and no engine says whether its code has asked about the block.
  const isTrace = job.kind === 'trace';
  const idle = isTrace ? null : runner.idleFeeRecipient;
  if (idle !== null && noting.has(idle) && !hasCode(idle, view)) noting.forget(idle);
  return {
    kind: 'watched',
    outcome,
    reads: noting.reads(isTrace || runner.readsBlock || job.kind === 'accessList' || namesFees(job.call)),
  };
}

/** Whoever has none is nobody's delegate, either. */
function hasCode(address: Uint8Array, view: StateView): boolean {
  const account = view.account(address);
  return account !== null && !sameBytes(account.codeHash, EMPTY_CODE_HASH);
}

/** True if base fees count: a call without a price is free of them, but that an access list is made of. */
function namesFees(call: CallRequest): boolean {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, maxFeePerBlobGas, blobVersionedHashes } = call;
  return [gasPrice, maxFeePerGas, maxPriorityFeePerGas, maxFeePerBlobGas, blobVersionedHashes].some(
    (each) => each !== null,
  );
}
