// Reads a contract log from the kernel's memory.
import type { Log } from '../../state/complete-block.js';
import * as LOG from './assembly/shared/log-fields.js';
import type { Kernel } from './kernel.js';
import { ADDRESS_BYTES, WORD_BYTES } from '../../lib/bytes/big-endian.js';

/** Returns a copy of the log at address `at`. */
export function readContractLog(kernel: Kernel, at: number): Log {
  const length = kernel.u32At(at + LOG.LENGTH);
  const topics: Uint8Array[] = [];
  const first = at + LOG.HEAD_BYTES;
  const data = first + kernel.u32At(at + LOG.TOPIC_COUNT) * WORD_BYTES;
  for (let topic = first; topic < data; topic += WORD_BYTES) topics.push(kernel.slice(topic, WORD_BYTES));
  const address = kernel.slice(kernel.u32At(at + LOG.ACCOUNT_ENTRY), ADDRESS_BYTES);
  return { address, topics, data: kernel.slice(data, length) };
}
