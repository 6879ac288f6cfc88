// The state and the block environment on which consecutive calls are executed.
import type { ExecutionContext, PrecompileMove } from '../../evm/evm-engine.js';
import type { ChainRules } from '../../evm/reference/fork-rules.js';
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import type { BlockEnv, StateChanges } from '../../state/state-diff.js';
import type { StateView } from '../../state/views/state-view.js';
import type { BlockOverride } from '../../transaction/evm-job.js';
import { overrideBlockHashes } from './overrides.js';
import type { TransitionContext } from '../block/state-transition.js';
import type { ForkEngines } from '../fork-engines.js';

/** Returns the whole state; `null` if it is not available or too large. */
export type ReadWholeState = () => Pick<StateChanges, 'accounts' | 'slots'> | null;

/** State and environment from which a sequence of calls starts. */
export interface CallSequenceBase {
  readonly state: JournaledState;
  readonly engines: ForkEngines;
  readonly rules: ChainRules;
  readonly view: StateView;
  readonly env: BlockEnv;
  readonly contents: ReadWholeState;
  /** Returns the hash of an earlier block; `null` if it is unknown. */
  readonly blockHash: ExecutionContext['blockHash'];
  /** Time of `performance.now()` at which execution is interrupted. */
  readonly deadline: number;
}

/** Rules, engine and context of the calls of one block. */
export type CallEnvironment = Omit<TransitionContext, 'state'>;

/** True if a deadline (a time of `performance.now()`) has passed. Loops check their deadline in each iteration. */
export function isDeadlinePast(deadline: number): boolean {
  return performance.now() > deadline;
}

/** Makes the block environment for calls. Block overrides may set a blob base fee and block hashes. */
export function createCallEnvironment(
  env: BlockEnv,
  override: BlockOverride | null,
  moves: readonly PrecompileMove[],
  blockHash: ExecutionContext['blockHash'],
  { engines, rules: all, deadline }: CallSequenceBase,
): CallEnvironment {
  const rules = all.at(env.number, env.timestamp);
  const blobBaseFee = override?.blobBaseFee ?? rules.blobBaseFee(env.excessBlobGas);
  const hashes = overrideBlockHashes(blockHash, override);
  const context = { env, blobBaseFee, precompileMoves: moves, blockHash: hashes, deadline };
  return { rules, engine: engines.at(rules), context };
}
