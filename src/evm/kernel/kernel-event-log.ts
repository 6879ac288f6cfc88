// A log in the kernel's memory.
import type { Log } from '../../state/complete-block.js';
import * as LOG from './assembly/shared/log-fields.js';
import type { Kernel } from './kernel.js';

const ADDRESS_BYTES = 20;
const WORD_BYTES = 32;

/** A copy of the log at `at`. */
export function readKernelLog(kernel: Kernel, at: number): Log {
  const topics = kernel.u32[(at + LOG.TOPICS) >>> 2]!;
  const length = kernel.u32[(at + LOG.LENGTH) >>> 2]!;
  const data = at + LOG.HEAD_BYTES + topics * WORD_BYTES;
  return {
    address: kernel.slice(kernel.u32[(at + LOG.ACCOUNT) >>> 2]!, ADDRESS_BYTES),
    topics: Array.from({ length: topics }, (_, i) => kernel.slice(at + LOG.HEAD_BYTES + i * WORD_BYTES, WORD_BYTES)),
    data: kernel.slice(data, length),
  };
}
