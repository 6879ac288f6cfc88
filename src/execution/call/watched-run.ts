// A job that is watched: beside its outcome stands what that hangs on. Runs on the estimators.
import { blockUseOf, widerUse } from '../../evm/block-use.js';
import { BoundedCache } from '../../lib/bounded-cache.js';
import { latin1 } from '../../lib/latin1.js';
import { LIMITS } from '../../limits.js';
import { NotingView, type BlockUse } from '../../state/reads.js';
import type { StateView } from '../../state/view.js';
import type { CallRequest, Job, Outcome } from '../../transaction/call-request.js';

const USES = new BoundedCache<string, BlockUse>(LIMITS.blockUsesKeptMax);

/** Runs the job on a view that notes what is read, with everything that is tried on the way; what is missing is answered as it is. */
export async function runWatched(
  job: Job,
  view: StateView,
  run: (view: StateView) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const noting = new NotingView(view);
  const outcome = await run(noting);
  if (outcome.kind === 'missing') return outcome;
  return { kind: 'watched', outcome, reads: noting.reads(useOf(job, noting, view)) };
}

/** By the code of every account that was looked at, and by the call's own. */
function useOf({ call, stateOverride }: Job, noting: NotingView, view: StateView): BlockUse {
  let use: BlockUse = namesFees(call) ? 'environment' : 'none';
  if (call.to === null) use = widerUse(use, blockUseOf(call.data));
  for (const { code } of stateOverride) if (code !== undefined) use = widerUse(use, blockUseOf(code));
  for (const address of noting.accounts()) {
    if (use === 'anything') return use;
    const hash = view.account(address)?.codeHash;
    if (hash !== undefined) use = widerUse(use, useOfHash(hash, view));
  }
  return use;
}

/** A scan of the longest code takes some 0.1 ms. */
function useOfHash(hash: Uint8Array, view: StateView): BlockUse {
  const key = latin1(hash);
  const known = USES.get(key);
  if (known !== undefined) return known;
  const use = blockUseOf(view.code(hash));
  USES.set(key, use, 1);
  return use;
}

/** Whether base fees count: a call without a price is free of them. */
function namesFees(call: CallRequest): boolean {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, maxFeePerBlobGas, blobVersionedHashes } = call;
  return [gasPrice, maxFeePerGas, maxPriorityFeePerGas, maxFeePerBlobGas, blobVersionedHashes].some(
    (each) => each !== null,
  );
}
