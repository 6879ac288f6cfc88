// Mutants of how executions stop at non-EVM code, in the kernel and in the reference. Does a fuzzer of worlds with such
// accounts detect them?
import { NonEvmAccounts } from '../../src/chain/non-evm-accounts.js';
import { ReferenceEngine } from '../../src/evm/reference/reference-engine.js';
import type { MakeEngine } from '../support/programs/compare.js';
import type { KernelChange } from './kernel-sources.js';

function mutant(place: string, find: string, replace: string): KernelChange {
  return { place, find, replace };
}

/** By their effect on the kernel. */
export const NON_EVM_KERNEL_MUTANTS: Readonly<Record<string, KernelChange>> = {
  'non-EVM: a call inside runs on': mutant(
    'frames/calls.executeCall',
    'if (target == 0 || abortIfNonEvm(target)) return abortReason;',
    'if (target == 0) return abortReason;',
  ),
  'non-EVM: a delegation inside is followed': mutant(
    'frames/calls.executeCall',
    'if (delegate == 0 || abortIfNonEvm(delegate)) return abortReason;',
    'if (delegate == 0) return abortReason;',
  ),
  'non-EVM: the outermost call runs on': mutant(
    'frames/calls.startOutermostCall',
    'if (abortIfNonEvm(target)) return abortReason;',
    '',
  ),
  'non-EVM: the outermost delegation is followed': mutant(
    'frames/calls.startOutermostCall',
    'if (delegate == 0 || abortIfNonEvm(delegate)) return abortReason;',
    'if (delegate == 0) return abortReason;',
  ),
  'non-EVM: tokens are none': mutant(
    'frames/detect-non-evm-code.abortIfNonEvm',
    '(A.NON_EVM | A.NON_EVM_IF_CODE_IS_EF)',
    'A.NON_EVM',
  ),
  'non-EVM: only tokens are': mutant(
    'frames/detect-non-evm-code.abortIfNonEvm',
    '(A.NON_EVM | A.NON_EVM_IF_CODE_IS_EF)',
    'A.NON_EVM_IF_CODE_IS_EF',
  ),
  'non-EVM: any code makes a token': mutant(
    'frames/detect-non-evm-code.givesUp',
    '(flags & A.NON_EVM) == 0',
    'flags == 0',
  ),
  'non-EVM: somebody else is named': mutant(
    'frames/detect-non-evm-code.givesUp',
    '<u32>entry, RESULT_NON_EVM_ACCOUNT',
    '<u32>RESULT, RESULT_NON_EVM_ACCOUNT',
  ),
  'non-EVM: its precompiles are cold': mutant('state/accounts.isAlwaysWarm', 'A.NON_EVM_WARM', '0'),
  'non-EVM: all of them are warm': mutant(
    'state/accounts.isAlwaysWarm',
    'A.NON_EVM_WARM',
    '(A.NON_EVM_WARM | A.NON_EVM)',
  ),
};

/** Engines with a bug, by how they treat non-EVM accounts. */
export const NON_EVM_REFERENCE_MUTANTS: Readonly<Record<string, MakeEngine>> = {
  'non-EVM: the reference knows none': withNonEvmAccounts(() => new NonEvmAccounts([])),
  'non-EVM: the reference takes any code for a token': withNonEvmAccounts((accounts) => {
    return changed(accounts, { isNonEvm: (address) => accounts.kindOf(address) !== null });
  }),
  'non-EVM: the reference has no tokens': withNonEvmAccounts((accounts) => {
    return changed(accounts, {
      isNonEvm: (address, code) => accounts.kindOf(address) !== 'token' && accounts.isNonEvm(address, code),
    });
  }),
  'non-EVM: precompiles of the reference are cold': withNonEvmAccounts((accounts) => changed(accounts, { warm: [] })),
};

/** Reference engines whose rules have other non-EVM accounts. */
function withNonEvmAccounts(change: (accounts: NonEvmAccounts) => NonEvmAccounts): MakeEngine {
  return (rules, state) => new ReferenceEngine({ rules: { ...rules, nonEvm: change(rules.nonEvm) }, state });
}

function changed(
  original: NonEvmAccounts,
  members: Partial<Pick<NonEvmAccounts, 'isNonEvm' | 'warm'>>,
): NonEvmAccounts {
  const accounts = new Proxy(original, {
    get: (target, name) => {
      const own: unknown = Reflect.get(members, name) ?? Reflect.get(target, name, target);
      return typeof own === 'function' ? (own.bind(target) as unknown) : own;
    },
  });
  return accounts;
}
