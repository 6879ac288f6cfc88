// Encodes jobs as compact bytes.
//
//   job  u8 index into JOB_KINDS, u32 flags (JOB below)
//        number version or block, integer gas cap, number time-out in ms, call
//        [stateOverride] list of override · [blockOverride] block
//        [blocks] list of (list of override, u8 1 for a block override, block, list of call)
//        [simulation] bytes header, text JSON of its options
//        [replay] bytes header, integer gas used, list of bytes (hash, raw, sender)
//        [tip] integer
//        [trace] text JSON
//        [bundle] bytes header, list of bytes, text JSON of its options
import type { ByteReader, ByteWriter } from '../../lib/bytes/byte-reader-writer.js';
import type { PublishedTransaction } from '../../state/block.js';
import type { Bundle, CallBlock, Job, JobPosition, Replay, Simulation } from '../../transaction/call-request.js';
import type { Trace } from '../../transaction/trace-request.js';
import { packCall, unpackCall } from './call.js';
import { packBytes, packList, presenceFlags, unpackBytes, unpackList } from './lists-and-flags.js';
import { packAccountOverride, packBlockOverride, unpackAccountOverride, unpackBlockOverride } from './override.js';

const JOB_KINDS = [
  'estimate',
  'call',
  'accessList',
  'simulate',
  'callMany',
  'trace',
  'bundle',
] as const satisfies readonly Job['kind'][];

/**
 * Flags of rarely used fields. A field is set only if its flag is: an object built by spreads takes ten times as long
 * to build and to read.
 */
const RARE = {
  blocks: 1 << 3,
  simulation: 1 << 4,
  isWatched: 1 << 5,
  replay: 1 << 6,
  tip: 1 << 7,
  trace: 1 << 8,
  bundle: 1 << 9,
} as const;
const JOB = { archive: 1 << 0, stateOverride: 1 << 1, blockOverride: 1 << 2, ...RARE } as const;

export function packJob(job: Job, to: ByteWriter): void {
  const { position } = job;
  to.u8(JOB_KINDS.indexOf(job.kind));
  to.u32(jobFlags(job));
  to.number(position.kind === 'version' ? position.version : position.block);
  to.integer(job.gasCap);
  to.number(job.timeoutMs);
  packCall(job.call, to);
  if (job.stateOverride.length > 0) packList(job.stateOverride, to, packAccountOverride);
  if (job.blockOverride !== null) packBlockOverride(job.blockOverride, to);
  if (job.blocks !== undefined) packList(job.blocks, to, packBlock);
  if (job.simulation !== undefined) packSimulation(job.simulation, to);
  if (job.replay !== undefined) packReplay(job.replay, to);
  if (job.tip !== undefined) to.integer(job.tip);
  if (job.trace !== undefined) to.text(JSON.stringify(job.trace));
  if (job.bundle !== undefined) packBundle(job.bundle, to);
}

/**
 * Decodes the next job. Its time-out is at most `limitMs`. Its byte arrays are views of the reader's source and valid
 * until that is overwritten. Throws RangeError if the source is too short.
 */
export function unpackJob(from: ByteReader, limitMs = Infinity): Job {
  const kind = JOB_KINDS[from.u8()]!;
  const flags = from.u32();
  const at = from.number();
  const gasCap = from.integer();
  const timeoutMs = Math.min(from.number(), limitMs);
  const job: Job = {
    kind,
    position: unpackPosition(flags, at),
    gasCap,
    timeoutMs,
    call: unpackCall(from),
    stateOverride: flags & JOB.stateOverride ? unpackList(from, unpackAccountOverride) : [],
    blockOverride: flags & JOB.blockOverride ? unpackBlockOverride(from) : null,
  };
  if (flags < JOB.blocks) return job;
  return {
    ...job,
    ...(flags & JOB.blocks && { blocks: unpackList(from, unpackBlock) }),
    ...(flags & JOB.simulation && { simulation: unpackSimulation(from) }),
    ...(flags & JOB.replay && { replay: unpackReplay(from) }),
    ...(flags & JOB.tip && { tip: from.integer() }),
    ...(flags & JOB.trace && { trace: JSON.parse(from.text()) as Trace }),
    ...(flags & JOB.bundle && { bundle: unpackBundle(from) }),
    ...(flags & JOB.isWatched && { isWatched: true }),
  };
}

function jobFlags(job: Job): number {
  return (
    (job.position.kind === 'archive' ? JOB.archive : 0) |
    (job.stateOverride.length === 0 ? 0 : JOB.stateOverride) |
    (job.blockOverride === null ? 0 : JOB.blockOverride) |
    presenceFlags(job, RARE)
  );
}

function unpackPosition(flags: number, at: number): JobPosition {
  return flags & JOB.archive ? { kind: 'archive', block: at } : { kind: 'version', version: at };
}

function packBlock({ stateOverride, blockOverride, calls }: CallBlock, to: ByteWriter): void {
  packList(stateOverride, to, packAccountOverride);
  to.u8(blockOverride === null ? 0 : 1);
  if (blockOverride !== null) packBlockOverride(blockOverride, to);
  packList(calls, to, packCall);
}

function unpackBlock(from: ByteReader): CallBlock {
  return {
    stateOverride: unpackList(from, unpackAccountOverride),
    blockOverride: from.u8() === 1 ? unpackBlockOverride(from) : null,
    calls: unpackList(from, unpackCall),
  };
}

function packSimulation({ parentHeader, ...options }: Simulation, to: ByteWriter): void {
  to.bytes(parentHeader);
  to.text(JSON.stringify(options));
}

function unpackSimulation(from: ByteReader): Simulation {
  return { parentHeader: from.bytes(), ...(JSON.parse(from.text()) as Omit<Simulation, 'parentHeader'>) };
}

function packBundle({ parentHeader, transactions, senders: _senders, ...options }: Bundle, to: ByteWriter): void {
  to.bytes(parentHeader);
  packList(transactions, to, packBytes);
  to.text(JSON.stringify(options));
}

function unpackBundle(from: ByteReader): Bundle {
  const [parentHeader, transactions] = [from.bytes(), unpackList(from, unpackBytes)];
  return { parentHeader, transactions, ...(JSON.parse(from.text()) as Omit<Bundle, 'parentHeader' | 'transactions'>) };
}

function packReplay({ header, cumulativeGasUsed, transactions }: Replay, to: ByteWriter): void {
  to.bytes(header);
  to.integer(cumulativeGasUsed);
  packList(transactions, to, packTransaction);
}

function unpackReplay(from: ByteReader): Replay {
  return { header: from.bytes(), cumulativeGasUsed: from.integer(), transactions: unpackList(from, unpackTransaction) };
}

function packTransaction({ hash, raw, from }: PublishedTransaction, to: ByteWriter): void {
  to.bytes(hash);
  to.bytes(raw);
  to.bytes(from);
}

function unpackTransaction(from: ByteReader): PublishedTransaction {
  return { hash: from.bytes(), raw: from.bytes(), from: from.bytes() };
}
