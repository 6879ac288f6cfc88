// eth_callMany: bundles of calls, each call on what those before it have left. Runs on the estimators.
import { revertReason } from '../../evm/revert-reason.js';
import { toHex } from '../../lib/hex.js';
import { timedOut, type CallRequest, type Job, type Outcome } from '../../transaction/call-request.js';
import { createTransaction, validateCall } from '../../transaction/call-validation.js';
import { applyCall, type AppliedCall } from './apply-call.js';
import { overrideBlock, overrideState, precompileMoves } from './overrides.js';
import { failure, least } from './preflight.js';
import { replayed } from './replay.js';
import { sceneAt, type CallScene, type SequenceBase } from './sequence.js';

/** What a call has come to, as Erigon and reth show it. */
type CallJson = { readonly value: string } | { readonly error: string };

/** Runs the bundles: every one in the block's environment with its own override. A call that cannot begin fails them all. */
export async function callMany(job: Job, start: SequenceBase): Promise<Outcome> {
  const { stateOverride, replay } = job;
  const base = replay === undefined ? start : await replayed(job, replay, start);
  if ('kind' in base) return base;
  const { engine } = sceneAt(base.env, null, [], noHash, base);
  const precompiles = precompileMoves(stateOverride, (address) => engine.isPrecompile(address, []));
  if ('error' in precompiles) return failure(precompiles.error);
  const error = overrideState(stateOverride, base.state);
  if (error !== null) return failure(error);
  const results: CallJson[][] = [];
  for (const { blockOverride, calls } of job.blocks!) {
    const env = overrideBlock(base.env, blockOverride);
    const scene = sceneAt(env, blockOverride, precompiles.moves, base.blockHash, base);
    const bundle = await runBundle(job, calls, scene, base);
    if (!Array.isArray(bundle)) return bundle;
    results.push(bundle);
  }
  return { kind: 'json', text: JSON.stringify(results) };
}

function noHash(): null {
  return null;
}

async function runBundle(
  job: Job,
  calls: readonly CallRequest[],
  scene: CallScene,
  { state, rules }: SequenceBase,
): Promise<CallJson[] | Outcome> {
  const results: CallJson[] = [];
  if (!scene.rules.common.isActivatedEIP(1559)) return failure('calls follow one another from London on');
  for (const call of calls) {
    const tx = createTransaction(call, scene.rules, scene.context);
    const limit = least(call.gas ?? job.gasCap, job.gasCap);
    const invalid = validateCall(tx, limit, state);
    if (invalid !== null) return failure(`err: ${invalid.text()} (supplied gas ${limit})`);
    const applied = await applyCall(tx, limit, { engine: scene.engine, state, chainId: rules.chain.chainId });
    if (applied === null) return timedOut(job.timeoutMs);
    results.push(jsonOf(applied));
  }
  return results;
}

function jsonOf({ run }: AppliedCall): CallJson {
  if (run.status === 'success') return { value: toHex(run.returnData) };
  if (run.status === 'halt') return { error: run.error!.text };
  const reason = revertReason(run.returnData);
  return { error: reason === null ? 'execution reverted' : `execution reverted: ${reason}` };
}
