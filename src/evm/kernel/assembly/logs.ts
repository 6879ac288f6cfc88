// Logs of a message, for blocks; estimates do without.
import { abortWith } from './abort';
import { swap } from './word';
import { LOGS, LOGS_END } from './shared/layout';
import * as L from './shared/log-fields';
import { FULL } from './shared/status';

/** Whether logs are kept: for blocks, not for estimates. */
export let kept: bool = false;
/** Number of logs kept. */
export let count: u32 = 0;
/** Where the next log goes. */
export let top: usize = LOGS;

/** Begins an execution without any log; `keep` is FLAG_LOGS of the message. */
export function begin(keep: bool): void {
  kept = keep;
  count = 0;
  top = LOGS;
}

/** Drops the logs of a failing frame: those since `mark`, of which `countMark` came before. */
export function revert(mark: usize, countMark: u32): void {
  top = mark;
  count = countMark;
}

/** Keeps a log. `topic` is the address of the first topic, the others lie below it as on a stack. Aborts with FULL. */
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
