// Logs of a message. They are collected for blocks, but not for estimates.
import { abortExecution } from '../abort-reason';
import * as hooks from '../frame-and-log-hooks';
import { hasRule } from '../rules';
import { copyAddress, isZero, byteSwap } from '../words/word';
import { LOGS, LOGS_END } from '../shared/memory-layout';
import * as L from '../shared/log-fields';
import { TRANSFER_LOGS } from '../shared/rule-flags';
import { TABLE_FULL } from '../shared/status';

/** True if logs are collected. */
export let collectsLogs: bool = false;
/** True if transfers of ether are logged as well. */
let ofEther: bool = false;
/** True if the fork requires logs of transfers (EIP-7708); false if only the message's FLAG_TRANSFERS does. */
let byRule: bool = false;
/** Number of logs, without those of failed frames. */
export let logCount: u32 = 0;
/** Number of logs made, including those of failed frames. */
export let logsMade: u32 = 0;
/** Address of the next log. */
export let logsTop: usize = LOGS;

/**
 * Highest end of the logs in earlier messages and failed frames. The host uses it to report the kernel's memory usage.
 */
let peak: usize = LOGS;

/** Returns the highest end that the logs ever had. */
export function logsPeak(): usize {
  return max(logsTop, peak);
}

/** Clears the logs before an execution. `keep` and `transfers` are the message's FLAG_LOGS and FLAG_TRANSFERS. */
export function beginLogs(keep: bool, transfers: bool): void {
  collectsLogs = keep;
  byRule = hasRule(TRANSFER_LOGS);
  ofEther = transfers || (keep && byRule);
  logCount = 0;
  logsMade = 0;
  peak = logsPeak();
  logsTop = LOGS;
}

/**
 * Drops the logs of a failing frame. `mark` is the end of the logs at the frame's start, `countMark` the number of logs
 * at that time.
 */
export function revertLogs(mark: usize, countMark: u32): void {
  peak = logsPeak();
  logsTop = mark;
  logCount = countMark;
}

/**
 * Adds a log. `topic` is the address of the first topic; the next topics are at lower addresses, as on the stack.
 * Aborts with TABLE_FULL.
 */
export function addLog(account: usize, topics: u32, topic: usize, data: usize, length: u32): void {
  if (!collectsLogs) return;
  const end = logsTop + L.HEAD_BYTES + (<usize>topics << 5) + ((<usize>length + 15) & ~15);
  if (end > LOGS_END) return abortExecution(TABLE_FULL);
  store<u32>(logsTop, <u32>account, L.ACCOUNT_ENTRY);
  store<u32>(logsTop, topics, L.TOPIC_COUNT);
  store<u32>(logsTop, length, L.LENGTH);
  store<u32>(logsTop, logsMade, L.LOG_INDEX);
  let at = logsTop + L.HEAD_BYTES;
  for (let i: u32 = 0; i < topics; i++) {
    byteSwap(at, topic - (<usize>i << 5));
    at += 32;
  }
  if (length != 0) memory.copy(at, data, length);
  commit(end);
}

/** Adds the log that was written from `logsTop` to `end` to the message's logs. */
function commit(end: usize): void {
  hooks.reportLog(logsTop);
  logsTop = end;
  logCount++;
  logsMade++;
}

/**
 * If only FLAG_TRANSFERS requires logs of transfers: counts the log of a transfer whose frame is refused (depth,
 * balance or collision), because go-ethereum's log numbers count it, too. `value` is a word.
 */
export function countRefusedTransferLog(value: usize): void {
  if (ofEther && !byRule && !isZero(value)) logsMade++;
}

/** Address that emits logs of transfers if only the message's FLAG_TRANSFERS requires them. */
const ETHER: usize = memory.data<u8>([
  0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee,
  0xee,
]);
/** Address that emits logs of transfers if the fork requires them (EIP-7708). */
const SYSTEM: usize = memory.data<u8>([
  0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
  0xfe,
]);
/** Topic of `Transfer(address,address,uint256)`. */
const TRANSFER: usize = memory.data<u8>([
  0xdd, 0xf2, 0x52, 0xad, 0x1b, 0xe2, 0xc8, 0x9b, 0x69, 0xc2, 0xb0, 0x68, 0xfc, 0x37, 0x8d, 0xaa, 0x95, 0x2b, 0xa7,
  0xf1, 0x63, 0xc4, 0xa1, 0x16, 0x28, 0xf5, 0x5a, 0x4d, 0xf5, 0x23, 0xb3, 0xef,
]);
const TRANSFER_BYTES: usize = L.HEAD_BYTES + 4 * 32;

/** Logs a transfer of ether, if FLAG_TRANSFERS or the fork requires it. `value` is a word. Aborts with TABLE_FULL. */
export function logTransfer(from: usize, to: usize, value: usize): void {
  if (!ofEther || (byRule && from == to)) return;
  if (logsTop + TRANSFER_BYTES > LOGS_END) return abortExecution(TABLE_FULL);
  store<u32>(logsTop, <u32>(byRule ? SYSTEM : ETHER), L.ACCOUNT_ENTRY);
  store<u32>(logsTop, 3, L.TOPIC_COUNT);
  store<u32>(logsTop, 32, L.LENGTH);
  store<u32>(logsTop, logsMade, L.LOG_INDEX);
  const topics = logsTop + L.HEAD_BYTES;
  memory.copy(topics, TRANSFER, 32);
  memory.fill(topics + 32, 0, 64);
  copyAddress(topics + 44, from);
  copyAddress(topics + 76, to);
  byteSwap(topics + 96, value);
  commit(logsTop + TRANSFER_BYTES);
}
