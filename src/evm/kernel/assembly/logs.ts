// Logs of a message, for blocks; estimates do without.
import { abortWith } from './abort';
import { swap } from './word';
import { LOGS, LOGS_END } from './shared/layout';
import * as L from './shared/log-fields';
import { FULL } from './shared/status';

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
  const end = top + L.HEAD_BYTES + (<usize>topics << 5) + ((<usize>length + 15) & ~15);
  if (end > LOGS_END) return abortWith(FULL);
  store<u32>(top, <u32>account, L.ACCOUNT);
  store<u32>(top, topics, L.TOPICS);
  store<u32>(top, length, L.LENGTH);
  let at = top + L.HEAD_BYTES;
  for (let i: u32 = 0; i < topics; i++) {
    swap(at, topic - (<usize>i << 5));
    at += 32;
  }
  if (length != 0) memory.copy(at, data, length);
  top = end;
  count++;
}
