// Log instructions.
import { abortReason } from '../abort-reason';
import { LOG_DATA_BYTE_GAS } from '../dynamic-gas-costs';
import { addLog } from '../state/logs';
import * as op from '../operations';

/** LOG0 0xa0 to LOG4 0xa4: offset, length, then 0 to 4 topics ->. 8 gas for each byte of data. */
@inline
export function LOG(operation: u32, sp: usize, gas: i64, self: usize, at: usize, bytes: u64): i64 {
  const left = gas - LOG_DATA_BYTE_GAS * <i64>bytes;
  if (left < 0) return left;
  addLog(self, operation - op.LOG0, sp - 64, at, <u32>bytes);
  return abortReason != 0 ? -1 : left;
}
