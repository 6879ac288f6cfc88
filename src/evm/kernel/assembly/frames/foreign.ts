// Accounts with non-EVM code: an execution that calls one is aborted.
import { abortWith } from '../abort';
import { codeOf } from '../code/codes';
import * as A from '../shared/account-fields';
import * as C from '../shared/code-fields';
import { RESULT, RESULT_FOREIGN } from '../shared/layout';
import { FOREIGN } from '../shared/status';

/** True if the execution is aborted: the account has non-EVM code (FOREIGN), or its code is unknown (MISS, FULL). */
@inline
export function isForeign(entry: usize): bool {
  const flags = load<u32>(entry, A.BASE_FLAGS) & (A.FOREIGN | A.FOREIGN_TOKEN);
  return flags != 0 && givesUp(entry, flags);
}

function givesUp(entry: usize, flags: u32): bool {
  if ((flags & A.FOREIGN) == 0) {
    const code = codeOf(entry);
    if (code == 0) return true;
    if (load<u32>(code, C.LENGTH) != 1 || load<u8>(<usize>load<u32>(code, C.BYTES)) != 0xef) return false;
  }
  store<u32>(RESULT, <u32>entry, RESULT_FOREIGN);
  abortWith(FOREIGN);
  return true;
}
