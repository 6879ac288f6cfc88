// A block's call of a system contract: EIP-4788 and 2935 at its beginning, 7002 and 7251 at its end. Runs on the publisher
// and the estimators.
import { gasPrices } from '../chain/gas-prices.js';
import { SYSTEM_ADDRESS } from '../chain/system-contracts.js';
import type { Message } from '../evm/engine.js';
import { after } from '../lib/threads/at-once.js';
import { ForeignMet } from '../evm/foreign-met.js';
import type { ForkRules } from '../evm/reference/fork-rules.js';
import type { TransitionContext } from './block/state-transition.js';
import { BrokenOff } from './broken-off.js';

const SYSTEM_CALL_GAS = 30_000_000n;
/** EIP-8037: new slots that a call may fill beside that. */
const SYSTEM_CALL_SLOTS = 16;

/** Outcome of a system call; `output` is `null` where no code is at the address. */
export type SystemCall =
  | { readonly output: Uint8Array | null; readonly failure: null }
  | { readonly output: null; readonly failure: string };

/** Calls the contract. A call that fails changes nothing; one that its deadline breaks off ends in `BrokenOff`, a foreign one in `ForeignMet`. */
export function callSystemContract(
  to: Uint8Array,
  data: Uint8Array,
  { rules, engine, context, state }: TransitionContext,
): SystemCall | Promise<SystemCall> {
  if (state.codeOf(to).length === 0) return { output: null, failure: null };
  const caller = state.accountOf(SYSTEM_ADDRESS);
  return after(
    engine.apply(systemMessage(to, data, rules), context, SYSTEM_CALL_GAS),
    ({ status, returnData, error, foreign }) => {
      if (foreign !== undefined) throw new ForeignMet(foreign);
      if (status === 'aborted') throw new BrokenOff('a system call was broken off');
      // The caller of the message may have become an account, though an empty one.
      if (state.accountOf(SYSTEM_ADDRESS) !== caller) state.setAccount(SYSTEM_ADDRESS, caller);
      state.beginTransaction();
      return status === 'success'
        ? { output: returnData, failure: null }
        : { output: null, failure: error?.text ?? 'execution reverted' };
    },
  );
}

function systemMessage(to: Uint8Array, data: Uint8Array, { common }: ForkRules): Message {
  const reservoir = BigInt(SYSTEM_CALL_SLOTS * gasPrices(common).stateSlot);
  const free = { value: 0n, gasPrice: 0n, blobVersionedHashes: [], accessList: [], warm: [] };
  return { caller: SYSTEM_ADDRESS, to, data, reservoir, ...free };
}
