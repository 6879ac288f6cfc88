// The logs of a message, which are collected for blocks but not for estimates.
import { abortWith } from '../abort';
import * as hooks from '../tracer-hooks';
import { hasRule } from '../rules';
import { copyAddress, isZero, swap } from '../words/word';
import { LOGS, LOGS_END } from '../shared/layout';
import * as L from '../shared/log-fields';
import { TRANSFER_LOGS } from '../shared/rule-flags';
import { TABLE_FULL } from '../shared/status';

/** True if logs are collected: for blocks, not for estimates. */
export let collectsLogs: bool = false;
/** True if transfers of ether, which no contract logs, are logged as well. */
let ofEther: bool = false;
/** True if the fork requires that (EIP-7708), and not the caller. */
let byRule: bool = false;
/** Number of logs kept. */
export let logCount: u32 = 0;
/** Number of logs made, including those of failed frames. */
export let logsMade: u32 = 0;
/** Address of the next log. */
export let logsTop: usize = LOGS;

/** Highest end of the logs ever used by earlier messages and failed frames. */
let peak: usize = LOGS;

/** Highest end of the logs ever used. */
export function logsPeak(): usize {
  return max(logsTop, peak);
}

/** Starts an execution without any log. `keep` and `transfers` are FLAG_LOGS and FLAG_TRANSFERS of the message. */
export function beginLogs(keep: bool, transfers: bool): void {
  collectsLogs = keep;
  byRule = hasRule(TRANSFER_LOGS);
  ofEther = transfers || (keep && byRule);
  logCount = 0;
  logsMade = 0;
  peak = logsPeak();
  logsTop = LOGS;
}

/** Drops the logs of a failing frame, which are those since `mark`; `countMark` is the number before it. */
export function revertLogs(mark: usize, countMark: u32): void {
  peak = logsPeak();
  logsTop = mark;
  logCount = countMark;
}

/** Adds a log. `topic` is the address of the first topic, the others below it as on a stack. Aborts with TABLE_FULL. */
export function addLog(account: usize, topics: u32, topic: usize, data: usize, length: u32): void {
  if (!collectsLogs) return;
  const end = logsTop + L.HEAD_BYTES + (<usize>topics << 5) + ((<usize>length + 15) & ~15);
  if (end > LOGS_END) return abortWith(TABLE_FULL);
  store<u32>(logsTop, <u32>account, L.ACCOUNT);
  store<u32>(logsTop, topics, L.TOPICS);
  store<u32>(logsTop, length, L.LENGTH);
  store<u32>(logsTop, logsMade, L.LOG_INDEX);
  let at = logsTop + L.HEAD_BYTES;
  for (let i: u32 = 0; i < topics; i++) {
    swap(at, topic - (<usize>i << 5));
    at += 32;
  }
  if (length != 0) memory.copy(at, data, length);
  commit(end);
}

/** Keeps the log that was written from `top` to `end`. */
function commit(end: usize): void {
  hooks.reportLog(logsTop);
  logsTop = end;
  logCount++;
  logsMade++;
}

/** Counts the log of a transfer (`value`: a word) that did not start, if only the caller requested such logs. */
export function skipTransferLog(value: usize): void {
  if (ofEther && !byRule && !isZero(value)) logsMade++;
}

/** The address that emits requested logs of transfers, and the one of EIP-7708. */
const ETHER: usize = memory.data<u8>([
  0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee,
  0xee,
]);
const SYSTEM: usize = memory.data<u8>([
  0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
  0xfe,
]);
/** `Transfer(address,address,uint256)`. */
const TRANSFER: usize = memory.data<u8>([
  0xdd, 0xf2, 0x52, 0xad, 0x1b, 0xe2, 0xc8, 0x9b, 0x69, 0xc2, 0xb0, 0x68, 0xfc, 0x37, 0x8d, 0xaa, 0x95, 0x2b, 0xa7,
  0xf1, 0x63, 0xc4, 0xa1, 0x16, 0x28, 0xf5, 0x5a, 0x4d, 0xf5, 0x23, 0xb3, 0xef,
]);
const TRANSFER_BYTES: usize = L.HEAD_BYTES + 4 * 32;

/** Logs a transfer of ether (`value`: a word) if the caller or the fork requires it. Aborts with TABLE_FULL. */
export function logTransfer(from: usize, to: usize, value: usize): void {
  if (!ofEther || (byRule && from == to)) return;
  if (logsTop + TRANSFER_BYTES > LOGS_END) return abortWith(TABLE_FULL);
  store<u32>(logsTop, <u32>(byRule ? SYSTEM : ETHER), L.ACCOUNT);
  store<u32>(logsTop, 3, L.TOPICS);
  store<u32>(logsTop, 32, L.LENGTH);
  store<u32>(logsTop, logsMade, L.LOG_INDEX);
  const topics = logsTop + L.HEAD_BYTES;
  memory.copy(topics, TRANSFER, 32);
  memory.fill(topics + 32, 0, 64);
  copyAddress(topics + 44, from);
  copyAddress(topics + 76, to);
  swap(topics + 96, value);
  commit(logsTop + TRANSFER_BYTES);
}
