// Gas between a transaction's intrinsic gas and its message's: what its authorisations use (EIP-2780), and for what the rest may be
// used (EIP-8037). Runs on publisher and estimators.
import type { TransactionRules } from '../../chain/forks.js';
import type { Execution } from '../../evm/engine.js';
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import { after } from '../../lib/threads/at-once.js';
import { AuthorizationMeter, type Authorizing, type MessageGas } from './authorization-meter.js';
import { applyAuthorizations, REFUND_PER_AUTHORITY } from './authorization.js';

/** EIP-8037: gas beyond what execution may use fills the reservoir. */
export function messageGas(limit: bigint, intrinsic: bigint, { executionGasMax }: TransactionRules): MessageGas {
  const reservoir = executionGasMax === null || limit <= executionGasMax ? 0n : limit - executionGasMax;
  return { left: limit - reservoir - intrinsic, reservoir, used: 0n, stateUsed: 0n, refund: 0n };
}

/** A message that has run, and the gas that it was given. */
export interface Ran<T extends Execution> {
  readonly run: T;
  readonly gas: MessageGas;
  /** Accounts whose authorisations were looked at. */
  readonly authorities: readonly Uint8Array[];
  /** False where gas lacked for those: the message was not looked at. */
  readonly isReached: boolean;
}

/** Parts that authorisations are applied with. `execute` runs the message with these authorities warm. */
export interface AuthorizingParts<T extends Execution> {
  readonly rules: TransactionRules;
  readonly chainId: bigint;
  readonly state: JournaledState;
  readonly gas: MessageGas;
  readonly execute: (warm: readonly Uint8Array[], gas: MessageGas) => T | Promise<T>;
  /** Outcome where gas lacks for them, but for what it has used. */
  readonly lacking: T;
}

const NONE: readonly never[] = [];

/**
 * Applies authorisations, which stay whatever comes of the message, and runs it. From Amsterdam on they are undone where gas lacks for
 * them, or for what the message pays before its first frame: then nothing has run, and all gas is used but the reservoir's.
 */
export function authorized<T extends Execution>(
  transaction: Authorizing,
  parts: AuthorizingParts<T>,
): Ran<T> | Promise<Ran<T>> {
  const { rules, chainId, state, gas, execute } = parts;
  const { authorizationList: list } = transaction;
  if (list === null) return after(execute(NONE, gas), (run) => ({ run, gas, authorities: NONE, isReached: true }));
  const meter = rules.common.isActivatedEIP(2780) ? new AuthorizationMeter(transaction, gas, rules) : null;
  state.mark();
  const applied = applyAuthorizations(list, chainId, state, meter);
  const reach = { authorities: applied.warm, isReached: !applied.lacks };
  if (applied.lacks) return { ...undone(parts.lacking, parts), ...reach };
  const left = meter?.gas() ?? { ...gas, refund: BigInt(applied.existed) * REFUND_PER_AUTHORITY };
  return after(execute(applied.warm, left), (run) => {
    if (run.lacksEntry === true) return { ...undone(run, parts), ...reach };
    state.keep();
    return { run, gas: left, ...reach };
  });
}

function undone<T extends Execution>(run: T, { state, gas }: AuthorizingParts<T>): Pick<Ran<T>, 'run' | 'gas'> {
  state.undo();
  return { run: { ...run, gasUsed: gas.left, stateGas: 0n }, gas };
}
