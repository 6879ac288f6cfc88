// Jobs and outcomes as compact bytes: a message between threads is one buffer, and no objects are cloned. Runs on main and on
// the estimators.
//
// u8, u32: little endian. number: IEEE 754 double. integer: u8 count of 64-bit limbs, limbs, least first.
// bytes: u32 length, bytes. list of X: u32 count, X times count. Fields behind a flag are present when its bit is set.
//
// job      u8 index into JOB_KINDS, u8 flags (JOB below)
//          number version or block, integer gas cap, number time-out in ms, call
//          [stateOverride] list of override · [blockOverride] block
//          [blocks] list of (list of override, u8 1 for a block override, block, list of call)
//          [simulation] bytes header, u8 flags (SIMULATION below)
//          [replay] bytes header, integer gas used, list of bytes (hash, raw, sender)
// call     u32 flags (CALL below), bytes from, integer value, bytes data
//          [to] bytes · [gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, maxFeePerBlobGas] integer each
//          [accessList] list of (bytes address, list of bytes slot)
//          [blobVersionedHashes] list of bytes
//          [authorizationList] list of (integer chainId, bytes address, integer nonce, yParity, r, s)
//          [nonce] integer
// override u8 flags (ACCOUNT below), bytes address, [nonce] integer, [balance] integer, [code] bytes,
//          [state] list of (bytes slot, bytes value), [stateDiff] the same, [movePrecompileToAddress] bytes
// block    u32 flags (BLOCK below), its fields in the order of BLOCK: integers, but bytes for fee recipient, randao and
//          beacon root, list of (integer index, integer validator, bytes address, integer amount) for withdrawals
// outcome  u8 kind (OUTCOME below), then gas: integer; return, revert: bytes; json: text; failure: u8 index into
//          ERROR_NAMES, text; missing: list of bytes address, list of (bytes address, bytes slot);
//          watched: bytes accounts, bytes slots, u8 index into BLOCK_USES, outcome
// handed   u32 limit of the run in ms, job
// task     handed; again for every further job
// judgment bytes code hash, empty for none, outcome
import type { AccessListEntry } from '../../chain/access-list.js';
import type {
  AccountOverride,
  Authorization,
  BlockOverride,
  CallBlock,
  CallRequest,
  Job,
  JobPosition,
  Outcome,
  Replay,
  Simulation,
} from '../../transaction/call-request.js';
import { ERRORS, type ErrorName } from '../../errors.js';
import type { PublishedTransaction, Withdrawal } from '../../state/block.js';
import type { BlockUse } from '../../state/reads.js';
import type { Wants } from '../../state/recording-view.js';
import { ByteReader, ByteWriter } from '../../lib/bytes.js';

const JOB_KINDS = ['estimate', 'call', 'accessList', 'simulate', 'callMany'] as const satisfies readonly Job['kind'][];

const JOB = {
  archive: 1 << 0,
  stateOverride: 1 << 1,
  blockOverride: 1 << 2,
  blocks: 1 << 3,
  simulation: 1 << 4,
  watched: 1 << 5,
  replay: 1 << 6,
} as const;

/** What hardly any job has: an object made by spreads takes ten times as long to make and to read. */
const JOB_SELDOM = JOB.blocks | JOB.simulation | JOB.replay | JOB.watched;

const CALL = {
  to: 1 << 0,
  gas: 1 << 1,
  gasPrice: 1 << 2,
  maxFeePerGas: 1 << 3,
  maxPriorityFeePerGas: 1 << 4,
  maxFeePerBlobGas: 1 << 5,
  accessList: 1 << 6,
  blobVersionedHashes: 1 << 7,
  authorizationList: 1 << 8,
  nonce: 1 << 9,
} as const;

const SIMULATION = {
  traceTransfers: 1 << 0,
  validation: 1 << 1,
  returnFullTransactions: 1 << 2,
  isPreConfirmed: 1 << 3,
} as const;

const ACCOUNT = {
  nonce: 1 << 0,
  balance: 1 << 1,
  code: 1 << 2,
  state: 1 << 3,
  stateDiff: 1 << 4,
  movePrecompileToAddress: 1 << 5,
} as const;

const BLOCK = {
  number: 1 << 0,
  difficulty: 1 << 1,
  time: 1 << 2,
  gasLimit: 1 << 3,
  feeRecipient: 1 << 4,
  prevRandao: 1 << 5,
  baseFeePerGas: 1 << 6,
  blobBaseFee: 1 << 7,
  beaconRoot: 1 << 8,
  withdrawals: 1 << 9,
} as const;

const OUTCOME = { gas: 0, return: 1, revert: 2, failure: 3, missing: 4, json: 5, watched: 6 } as const;

const BLOCK_USES = ['none', 'environment', 'anything'] as const satisfies readonly BlockUse[];

const ERROR_NAMES = Object.keys(ERRORS).filter((name): name is ErrorName => name in ERRORS);

const NO_BYTES = new Uint8Array(0);

type WantedSlot = Wants['slots'][number];
type StorageEntry = readonly [slot: Uint8Array, value: Uint8Array];

/** Appends a job. */
export function packJob(job: Job, to: ByteWriter): void {
  const { position } = job;
  to.u8(JOB_KINDS.indexOf(job.kind));
  to.u8(jobFlags(job));
  to.number(position.kind === 'version' ? position.version : position.block);
  to.integer(job.gasCap);
  to.number(job.timeoutMs);
  packCall(job.call, to);
  if (job.stateOverride.length > 0) packList(job.stateOverride, to, packAccountOverride);
  if (job.blockOverride !== null) packBlockOverride(job.blockOverride, to);
  if (job.blocks !== undefined) packList(job.blocks, to, packBlock);
  if (job.simulation !== undefined) packSimulation(job.simulation, to);
  if (job.replay !== undefined) packReplay(job.replay, to);
}

/** A limit beyond every time-out; the largest number that V8 stores without an object. */
export const NO_LIMIT_MS = 0x7fff_ffff;
/** Bytes of a packed limit. */
export const LIMIT_BYTES = 4;

/** Writes the limit of a run in front of its job; returns where the job begins. */
export function packLimit(limitMs: number, to: Buffer, at: number): number {
  return to.writeUInt32LE(limitMs, at);
}

/** A job as a worker has it: its time-out is at most the limit of the run, less than its own in a trial. */
export interface Handed {
  readonly job: Job;
  readonly isTrial: boolean;
}

/** The next job handed to a worker. */
export function unpackHanded(from: ByteReader): Handed {
  const limitMs = from.u32();
  const job = unpackJob(from, limitMs);
  return { job, isTrial: job.timeoutMs === limitMs };
}

/**
 * The next job; its time-out is at most `limitMs`. Its byte arrays are views into the reader's source, valid until that is
 * overwritten. Throws RangeError when the source ends too early.
 */
export function unpackJob(from: ByteReader, limitMs = Infinity): Job {
  const kind = JOB_KINDS[from.u8()]!;
  const flags = from.u8();
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
  if ((flags & JOB_SELDOM) === 0) return job;
  return {
    ...job,
    ...(flags & JOB.blocks && { blocks: unpackList(from, unpackBlock) }),
    ...(flags & JOB.simulation && { simulation: unpackSimulation(from) }),
    ...(flags & JOB.replay && { replay: unpackReplay(from) }),
    ...(flags & JOB.watched && { isWatched: true }),
  };
}

/** The reference's answer to a job that the kernel has answered. */
export interface Judgment {
  readonly outcome: Outcome;
  /** Hash of the called account's code, or of the init code; `null` when there is no account. */
  readonly codeHash: Uint8Array | null;
}

/** Appends a judgment. */
export function packJudgment({ outcome, codeHash }: Judgment, to: ByteWriter): void {
  to.bytes(codeHash ?? NO_BYTES);
  packOutcome(outcome, to);
}

/** The next judgment. */
export function unpackJudgment(from: ByteReader): Judgment {
  const codeHash = from.bytes();
  return { codeHash: codeHash.length === 0 ? null : codeHash.slice(), outcome: unpackOutcome(from) };
}

/** Appends an outcome. */
export function packOutcome(outcome: Outcome, to: ByteWriter): void {
  to.u8(OUTCOME[outcome.kind]);
  switch (outcome.kind) {
    case 'gas':
      return to.integer(outcome.gas);
    case 'return':
    case 'revert':
      return to.bytes(outcome.data);
    case 'json':
      return to.text(outcome.text);
    case 'failure':
      to.u8(ERROR_NAMES.indexOf(outcome.error));
      return to.text(outcome.message);
    case 'missing':
      packList(outcome.wants.accounts, to, packBytes);
      return packList(outcome.wants.slots, to, packWantedSlot);
    case 'watched':
      to.bytes(outcome.reads.accounts);
      to.bytes(outcome.reads.slots);
      to.u8(BLOCK_USES.indexOf(outcome.reads.block));
      packOutcome(outcome.outcome, to);
  }
}

/**
 * The next outcome. Its data are copies made by `copy`, as the worker's next answers overwrite the source. Throws RangeError
 * as unpackJob.
 */
export function unpackOutcome(from: ByteReader, copy: (bytes: Uint8Array) => Uint8Array = sliced): Outcome {
  const kind = from.u8();
  switch (kind) {
    case OUTCOME.gas:
      return { kind: 'gas', gas: from.integer() };
    case OUTCOME.return:
      return { kind: 'return', data: copy(from.bytes()) };
    case OUTCOME.revert:
      return { kind: 'revert', data: copy(from.bytes()) };
    case OUTCOME.json:
      return { kind: 'json', text: from.text() };
    case OUTCOME.failure:
      return { kind: 'failure', error: ERROR_NAMES[from.u8()]!, message: from.text() };
    case OUTCOME.missing:
      return {
        kind: 'missing',
        wants: { accounts: unpackList(from, copyBytes), slots: unpackList(from, copyWantedSlot) },
      };
    case OUTCOME.watched: {
      const reads = { accounts: copyBytes(from), slots: copyBytes(from), block: BLOCK_USES[from.u8()]! };
      return { kind: 'watched', reads, outcome: unpackOutcome(from, copy) };
    }
    default:
      throw new RangeError(`no outcome has the kind ${kind}`);
  }
}

function jobFlags({ position, stateOverride, blockOverride, blocks, simulation, replay, isWatched }: Job): number {
  return (
    (position.kind === 'archive' ? JOB.archive : 0) |
    (stateOverride.length === 0 ? 0 : JOB.stateOverride) |
    (blockOverride === null ? 0 : JOB.blockOverride) |
    (blocks === undefined ? 0 : JOB.blocks) |
    (simulation === undefined ? 0 : JOB.simulation) |
    (replay === undefined ? 0 : JOB.replay) |
    (isWatched === undefined ? 0 : JOB.watched)
  );
}

function callFlags(call: CallRequest): number {
  return (
    (call.to === null ? 0 : CALL.to) |
    (call.gas === null ? 0 : CALL.gas) |
    (call.gasPrice === null ? 0 : CALL.gasPrice) |
    (call.maxFeePerGas === null ? 0 : CALL.maxFeePerGas) |
    (call.maxPriorityFeePerGas === null ? 0 : CALL.maxPriorityFeePerGas) |
    (call.maxFeePerBlobGas === null ? 0 : CALL.maxFeePerBlobGas) |
    (call.accessList === null ? 0 : CALL.accessList) |
    (call.blobVersionedHashes === null ? 0 : CALL.blobVersionedHashes) |
    (call.authorizationList === null ? 0 : CALL.authorizationList) |
    (call.nonce === undefined ? 0 : CALL.nonce)
  );
}

function unpackPosition(flags: number, at: number): JobPosition {
  return flags & JOB.archive ? { kind: 'archive', block: at } : { kind: 'version', version: at };
}

function packCall(call: CallRequest, to: ByteWriter): void {
  to.u32(callFlags(call));
  to.bytes(call.from);
  to.integer(call.value);
  to.bytes(call.data);
  if (call.to !== null) to.bytes(call.to);
  if (call.gas !== null) to.integer(call.gas);
  if (call.gasPrice !== null) to.integer(call.gasPrice);
  if (call.maxFeePerGas !== null) to.integer(call.maxFeePerGas);
  if (call.maxPriorityFeePerGas !== null) to.integer(call.maxPriorityFeePerGas);
  if (call.maxFeePerBlobGas !== null) to.integer(call.maxFeePerBlobGas);
  if (call.accessList !== null) packList(call.accessList, to, packAccess);
  if (call.blobVersionedHashes !== null) packList(call.blobVersionedHashes, to, packBytes);
  if (call.authorizationList !== null) packList(call.authorizationList, to, packAuthorization);
  if (call.nonce !== undefined) to.integer(call.nonce);
}

// Property initialisers run in the order of the source, which is that of the layout above.
function unpackCall(from: ByteReader): CallRequest {
  const flags = from.u32();
  const call: CallRequest = {
    from: from.bytes(),
    value: from.integer(),
    data: from.bytes(),
    to: flags & CALL.to ? from.bytes() : null,
    gas: flags & CALL.gas ? from.integer() : null,
    gasPrice: flags & CALL.gasPrice ? from.integer() : null,
    maxFeePerGas: flags & CALL.maxFeePerGas ? from.integer() : null,
    maxPriorityFeePerGas: flags & CALL.maxPriorityFeePerGas ? from.integer() : null,
    maxFeePerBlobGas: flags & CALL.maxFeePerBlobGas ? from.integer() : null,
    accessList: flags & CALL.accessList ? unpackList(from, unpackAccess) : null,
    blobVersionedHashes: flags & CALL.blobVersionedHashes ? unpackList(from, unpackBytes) : null,
    authorizationList: flags & CALL.authorizationList ? unpackList(from, unpackAuthorization) : null,
  };
  return flags & CALL.nonce ? { ...call, nonce: from.integer() } : call;
}

function packAccess(entry: AccessListEntry, to: ByteWriter): void {
  to.bytes(entry.address);
  packList(entry.slots, to, packBytes);
}

function unpackAccess(from: ByteReader): AccessListEntry {
  return { address: from.bytes(), slots: unpackList(from, unpackBytes) };
}

function packAuthorization(entry: Authorization, to: ByteWriter): void {
  to.integer(entry.chainId);
  to.bytes(entry.address);
  to.integer(entry.nonce);
  to.integer(entry.yParity);
  to.integer(entry.r);
  to.integer(entry.s);
}

function unpackAuthorization(from: ByteReader): Authorization {
  return {
    chainId: from.integer(),
    address: from.bytes(),
    nonce: from.integer(),
    yParity: from.integer(),
    r: from.integer(),
    s: from.integer(),
  };
}

function packAccountOverride(account: AccountOverride, to: ByteWriter): void {
  to.u8(presence(account, ACCOUNT));
  to.bytes(account.address);
  if (account.nonce !== undefined) to.integer(account.nonce);
  if (account.balance !== undefined) to.integer(account.balance);
  if (account.code !== undefined) to.bytes(account.code);
  if (account.state !== undefined) packList(account.state, to, packStorage);
  if (account.stateDiff !== undefined) packList(account.stateDiff, to, packStorage);
  if (account.movePrecompileToAddress !== undefined) to.bytes(account.movePrecompileToAddress);
}

function unpackAccountOverride(from: ByteReader): AccountOverride {
  const flags = from.u8();
  return {
    address: from.bytes(),
    ...(flags & ACCOUNT.nonce && { nonce: from.integer() }),
    ...(flags & ACCOUNT.balance && { balance: from.integer() }),
    ...(flags & ACCOUNT.code && { code: from.bytes() }),
    ...(flags & ACCOUNT.state && { state: unpackList(from, unpackStorage) }),
    ...(flags & ACCOUNT.stateDiff && { stateDiff: unpackList(from, unpackStorage) }),
    ...(flags & ACCOUNT.movePrecompileToAddress && { movePrecompileToAddress: from.bytes() }),
  };
}

function packBlockOverride(block: BlockOverride, to: ByteWriter): void {
  to.u32(presence(block, BLOCK));
  if (block.number !== undefined) to.integer(block.number);
  if (block.difficulty !== undefined) to.integer(block.difficulty);
  if (block.time !== undefined) to.integer(block.time);
  if (block.gasLimit !== undefined) to.integer(block.gasLimit);
  if (block.feeRecipient !== undefined) to.bytes(block.feeRecipient);
  if (block.prevRandao !== undefined) to.bytes(block.prevRandao);
  if (block.baseFeePerGas !== undefined) to.integer(block.baseFeePerGas);
  if (block.blobBaseFee !== undefined) to.integer(block.blobBaseFee);
  if (block.beaconRoot !== undefined) to.bytes(block.beaconRoot);
  if (block.withdrawals !== undefined) packList(block.withdrawals, to, packWithdrawal);
}

function unpackBlockOverride(from: ByteReader): BlockOverride {
  const flags = from.u32();
  return {
    ...(flags & BLOCK.number && { number: from.integer() }),
    ...(flags & BLOCK.difficulty && { difficulty: from.integer() }),
    ...(flags & BLOCK.time && { time: from.integer() }),
    ...(flags & BLOCK.gasLimit && { gasLimit: from.integer() }),
    ...(flags & BLOCK.feeRecipient && { feeRecipient: from.bytes() }),
    ...(flags & BLOCK.prevRandao && { prevRandao: from.bytes() }),
    ...(flags & BLOCK.baseFeePerGas && { baseFeePerGas: from.integer() }),
    ...(flags & BLOCK.blobBaseFee && { blobBaseFee: from.integer() }),
    ...(flags & BLOCK.beaconRoot && { beaconRoot: from.bytes() }),
    ...(flags & BLOCK.withdrawals && { withdrawals: unpackList(from, unpackWithdrawal) }),
  };
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

function packSimulation(simulation: Simulation, to: ByteWriter): void {
  to.bytes(simulation.parentHeader);
  to.u8(
    (simulation.traceTransfers ? SIMULATION.traceTransfers : 0) |
      (simulation.validation ? SIMULATION.validation : 0) |
      (simulation.returnFullTransactions ? SIMULATION.returnFullTransactions : 0) |
      (simulation.isPreConfirmed ? SIMULATION.isPreConfirmed : 0),
  );
}

function unpackSimulation(from: ByteReader): Simulation {
  const parentHeader = from.bytes();
  const flags = from.u8();
  return {
    parentHeader,
    isPreConfirmed: (flags & SIMULATION.isPreConfirmed) !== 0,
    traceTransfers: (flags & SIMULATION.traceTransfers) !== 0,
    validation: (flags & SIMULATION.validation) !== 0,
    returnFullTransactions: (flags & SIMULATION.returnFullTransactions) !== 0,
  };
}

function packReplay({ header, gasUsed, transactions }: Replay, to: ByteWriter): void {
  to.bytes(header);
  to.integer(gasUsed);
  packList(transactions, to, packTransaction);
}

function unpackReplay(from: ByteReader): Replay {
  return { header: from.bytes(), gasUsed: from.integer(), transactions: unpackList(from, unpackTransaction) };
}

function packTransaction({ hash, raw, from }: PublishedTransaction, to: ByteWriter): void {
  to.bytes(hash);
  to.bytes(raw);
  to.bytes(from);
}

function unpackTransaction(from: ByteReader): PublishedTransaction {
  return { hash: from.bytes(), raw: from.bytes(), from: from.bytes() };
}

function packWithdrawal({ index, validatorIndex, address, amount }: Withdrawal, to: ByteWriter): void {
  to.integer(index);
  to.integer(validatorIndex);
  to.bytes(address);
  to.integer(amount);
}

function unpackWithdrawal(from: ByteReader): Withdrawal {
  return { index: from.integer(), validatorIndex: from.integer(), address: from.bytes(), amount: from.integer() };
}

/** The bits of the fields that are present. */
function presence<Field extends string>(
  fields: { readonly [name in NoInfer<Field>]?: unknown },
  bits: Readonly<Record<Field, number>>,
): number {
  let flags = 0;
  for (const name in bits) if (fields[name] !== undefined) flags |= bits[name];
  return flags;
}

function packStorage([slot, value]: StorageEntry, to: ByteWriter): void {
  to.bytes(slot);
  to.bytes(value);
}

function unpackStorage(from: ByteReader): StorageEntry {
  return [from.bytes(), from.bytes()];
}

function packBytes(bytes: Uint8Array, to: ByteWriter): void {
  to.bytes(bytes);
}

function unpackBytes(from: ByteReader): Uint8Array {
  return from.bytes();
}

function packWantedSlot({ address, slot }: WantedSlot, to: ByteWriter): void {
  to.bytes(address);
  to.bytes(slot);
}

function copyWantedSlot(from: ByteReader): WantedSlot {
  return { address: copyBytes(from), slot: copyBytes(from) };
}

function copyBytes(from: ByteReader): Uint8Array {
  return sliced(from.bytes());
}

function sliced(bytes: Uint8Array): Uint8Array {
  return bytes.slice();
}

function packList<Item>(items: readonly Item[], to: ByteWriter, pack: (item: Item, to: ByteWriter) => void): void {
  to.u32(items.length);
  for (const item of items) pack(item, to);
}

function unpackList<Item>(from: ByteReader, unpack: (from: ByteReader) => Item): Item[] {
  const count = from.u32();
  const items: Item[] = [];
  for (let index = 0; index < count; index++) items.push(unpack(from));
  return items;
}
