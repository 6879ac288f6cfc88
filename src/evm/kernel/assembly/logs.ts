// Logs of a message, for blocks; estimates do without. Each: account u32, topics u32, bytes of data u32, unused u32, topics
// as big-endian bytes, data padded to 16 bytes.
import { abortWith } from './abort';
import { LOGS, LOGS_END } from './layout';
import { FULL } from './status';
import { swap } from './word';

const HEAD: usize = 16;

export let kept: bool = false;
export let count: u32 = 0;
export let top: usize = LOGS;

export function begin(keep: bool): void {
  kept = keep;
  count = 0;
  top = LOGS;
}

export function revert(mark: usize, countMark: u32): void {
  top = mark;
  count = countMark;
}

/** `topic`: address of the first one; the others lie below it, as on a stack. */
export function add(account: usize, topics: u32, topic: usize, data: usize, length: u32): void {
  if (!kept) return;
  const end = top + HEAD + (<usize>topics << 5) + ((<usize>length + 15) & ~15);
  if (end > LOGS_END) return abortWith(FULL);
  store<u32>(top, <u32>account);
  store<u32>(top, topics, 4);
  store<u32>(top, length, 8);
  let at = top + HEAD;
  for (let i: u32 = 0; i < topics; i++) {
    swap(at, topic - (<usize>i << 5));
    at += 32;
  }
  if (length != 0) memory.copy(at, data, length);
  top = end;
  count++;
}
