// eth_callBundle: executes signed transactions one after another, as a block does.

// A bundle for the block whose state was requested (such as the next increment of a pre-confirmed block) runs in that
// block's environment. A bundle for a later block runs in the environment that mev-geth uses: one second later, with
// the next base fee, and the same gas limit and fee recipient. See DECISIONS.md.
import { nextBaseFeeOnChain } from '../../chain/base-fee.js';
import { decodeHeader } from '../../chain/block/header.js';
import type { BlockEnv } from '../../state/state-diff.js';
import {
  failureOutcome,
  timeoutOutcome,
  type BlockOverride,
  type Bundle,
  type Job,
  type JobOutcome,
} from '../../transaction/evm-job.js';
import { nextExcessBlobGas } from '../block/header-validation.js';
import { overrideBlock } from '../call/overrides.js';
import { createTransactionExecutorForCalls } from '../call/replay-transactions.js';
import { isDeadlinePast, type CallSequenceBase } from '../call/call-environment.js';
import type { TracedEngines } from '../trace/traced-engines.js';
import { BundleExecutor } from './bundle-executor.js';
import { ZERO_WORD } from '../../lib/bytes/big-endian.js';

/**
 * Executes the bundle of a job. Fails if a transaction is invalid in its block. `engines` are for traces, if requested.
 */
export async function callBundle(job: Job, base: CallSequenceBase, engines: TracedEngines | null): Promise<JobOutcome> {
  const bundle = job.bundle!;
  const env = envOf(job.blockOverride!, bundle, base);
  const { common, op } = base.rules.at(env.number, env.timestamp);
  if (!common.isActivatedEIP(1559)) return failureOutcome('bundles are run from London on');
  if (base.rules.chain.op !== null && op === null) return failureOutcome('bundles are run from Ecotone on');
  const executor = createTransactionExecutorForCalls(base);
  const rules = await executor.begin(env, base.view, {});
  const tracing = engines === null ? null : { engines, spec: job.trace!.tracer };
  const run = new BundleExecutor({ executor, rules, env, view: base.view, gasCap: job.gasCap, bundle, tracing });
  for (const index of bundle.transactions.keys()) {
    if (isDeadlinePast(base.deadline)) return timeoutOutcome(job.timeoutMs);
    const fault = await run.add(index);
    if (fault !== null) return fault;
  }
  return { kind: 'json', text: run.text(base.env.number) };
}

function envOf(override: BlockOverride, bundle: Bundle, base: CallSequenceBase): BlockEnv {
  const { env } = base;
  return overrideBlock(Number(override.number) === env.number ? env : nextEnv(override, bundle, base), override);
}

/** Returns the environment of the next block. The caller then replaces the fields that the bundle's request sets. */
function nextEnv({ number, time }: BlockOverride, bundle: Bundle, { env, rules: all }: CallSequenceBase): BlockEnv {
  const parent = decodeHeader(bundle.parentHeader);
  const timestamp = time ?? env.timestamp + 1n;
  const rules = all.at(Number(number), timestamp);
  const hasBlobs = parent.excessBlobGas !== null && rules.op === null;
  return {
    ...env,
    timestamp,
    baseFeePerGas: bundle.isPreConfirmed ? env.baseFeePerGas : nextBaseFeeOnChain(all.chain, parent),
    excessBlobGas: hasBlobs ? nextExcessBlobGas(parent, rules) : 0n,
    parentBeaconBlockRoot: ZERO_WORD,
    ...(env.slotNumber === undefined ? {} : { slotNumber: env.slotNumber + 1n }),
  };
}
