// Detects accounts with non-EVM code. An execution that calls one is aborted.
import { abortExecution } from '../abort-reason';
import { codeOfAccount } from '../code/code-table';
import * as A from '../shared/account-fields';
import * as C from '../shared/code-fields';
import { RESULT, RESULT_NON_EVM_ACCOUNT } from '../shared/memory-layout';
import { NON_EVM_ACCOUNT } from '../shared/status';

/**
 * Checks an account that is about to be called. Returns true if the execution was aborted, because the account has
 * non-EVM code (NON_EVM_ACCOUNT) or its code cannot be read (STATE_MISS, TABLE_FULL).
 */
@inline
export function abortIfNonEvm(entry: usize): bool {
  const flags = load<u32>(entry, A.BASE_FLAGS) & (A.NON_EVM | A.NON_EVM_IF_CODE_IS_EF);
  return flags != 0 && givesUp(entry, flags);
}

function givesUp(entry: usize, flags: u32): bool {
  if ((flags & A.NON_EVM) == 0) {
    const code = codeOfAccount(entry);
    if (code == 0) return true;
    if (load<u32>(code, C.LENGTH) != 1 || load<u8>(<usize>load<u32>(code, C.BYTES)) != 0xef) return false;
  }
  store<u32>(RESULT, <u32>entry, RESULT_NON_EVM_ACCOUNT);
  abortExecution(NON_EVM_ACCOUNT);
  return true;
}
