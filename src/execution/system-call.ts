// Calls a system contract on behalf of a block: EIP-4788 and 2935 at its start, EIP-7002 and 7251 at its end.
import { gasSchedule } from '../chain/gas-schedule.js';
import { SYSTEM_ADDRESS } from '../chain/block-start-system-contracts.js';
import type { EvmMessage } from '../evm/evm-engine.js';
import { whenReady } from '../lib/threads/sync-or-async.js';
import { NonEvmCodeError } from '../evm/non-evm-code-error.js';
import type { ReadSet } from '../evm/read-set.js';
import type { ForkRules } from '../evm/reference/fork-rules.js';
import { addAccountToReadSet, type TransitionContext } from './block/state-transition.js';
import { DeadlineError } from './deadline-error.js';

const SYSTEM_CALL_GAS = 30_000_000n;
/** Number of new slots that a system call may write without paying from its gas (EIP-8037). */
const SYSTEM_CALL_SLOTS = 16;

/**
 * Result of a system call. `output` is `null` if the contract has no code. `reads` has the accounts and slots accessed.
 */
export type SystemCallResult = { readonly reads?: ReadSet } & (
  | { readonly output: Uint8Array | null; readonly failure: null }
  | { readonly output: null; readonly failure: string }
);

/**
 * Calls the contract; a failed call changes nothing. Throws `DeadlineError`, and `NonEvmCodeError` for non-EVM code.
 */
export function callSystemContract(
  to: Uint8Array,
  data: Uint8Array,
  { rules, engine, context, state }: TransitionContext,
): SystemCallResult | Promise<SystemCallResult> {
  const isListed = rules.common.isActivatedEIP(7928);
  if (state.codeOf(to).length === 0)
    return { output: null, failure: null, ...(isListed ? { reads: { accounts: [to], slots: [] } } : {}) };
  const caller = state.accountOf(SYSTEM_ADDRESS);
  return whenReady(
    engine.apply(systemMessage(to, data, rules), context, SYSTEM_CALL_GAS),
    ({ status, returnData, error, nonEvmAddress }) => {
      if (nonEvmAddress !== undefined) throw new NonEvmCodeError(nonEvmAddress);
      if (status === 'aborted') throw new DeadlineError('a system call was broken off');
      // Restore the system address, because the call may have created it as an empty account.
      if (state.accountOf(SYSTEM_ADDRESS) !== caller) state.setAccount(SYSTEM_ADDRESS, caller);
      state.beginTransaction();
      const reads = isListed ? { reads: addAccountToReadSet(engine.readSet(), to) } : {};
      return status === 'success'
        ? { output: returnData, failure: null, ...reads }
        : { output: null, failure: error?.text ?? 'execution reverted', ...reads };
    },
  );
}

function systemMessage(to: Uint8Array, data: Uint8Array, { common }: ForkRules): EvmMessage {
  const reservoir = BigInt(SYSTEM_CALL_SLOTS * gasSchedule(common).stateSlot);
  const isListed = common.isActivatedEIP(7928);
  const free = { value: 0n, isListed, gasPrice: 0n, blobVersionedHashes: [], accessList: [], warm: [] };
  return { caller: SYSTEM_ADDRESS, to, data, reservoir, ...free };
}
