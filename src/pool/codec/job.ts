// Encodes jobs as compact bytes. Each field is listed after its type, a method of ByteWriter. Fields in brackets are
// only encoded if they are present, which the flags say.
//
//   job  u8 index into JOB_KINDS, u32 flags (FLAGS, then those of RARE)
//        number version or block, integer gas cap, number time-out in ms, call
//        [stateOverride] list of override · [blockOverride] block · the fields of RARE that are present
//
// A worker gets a job as an envelope: u32 time limit of the run in ms, job.
import type { ByteReader, ByteWriter } from '../../lib/bytes/byte-reader-writer.js';
import type { AnnouncedTransaction } from '../../state/complete-block.js';
import type {
  Bundle,
  CallsInBlock,
  Job,
  JobReadPosition,
  BlockReplay,
  SimulationParams,
} from '../../transaction/evm-job.js';
import type { JobTrace } from '../../transaction/trace-request-types.js';
import { packCall, unpackCall } from './call.js';
import { BYTES_CODEC, INTEGER_CODEC, OptionalFieldsCodec, listCodec, structCodec } from './field-codecs.js';
import { ACCOUNT_OVERRIDE_CODEC, BLOCK_OVERRIDE_CODEC } from './override.js';

/**
 * A time limit that is longer than every time-out. It is the largest number that V8 stores without allocating an
 * object.
 */
export const NO_TIMEOUT_MS = 0x7fff_ffff;

/** Bytes of an encoded time limit. */
export const TIMEOUT_BYTES = 4;

const JOB_KINDS = [
  'estimate',
  'call',
  'accessList',
  'simulate',
  'callMany',
  'trace',
  'bundle',
] as const satisfies readonly Job['kind'][];

const FLAGS = { archive: 1 << 0, stateOverride: 1 << 1, blockOverride: 1 << 2 } as const;
/** Number of flags in FLAGS. The flags of rare fields follow them. */
const RARE_SHIFT = 3;

const OVERRIDES = listCodec(ACCOUNT_OVERRIDE_CODEC);
const BLOCK_LIST = listCodec(BLOCK_OVERRIDE_CODEC);
const BYTE_STRINGS = listCodec(BYTES_CODEC);
const TRANSACTIONS = listCodec(
  structCodec<AnnouncedTransaction>({ hash: BYTES_CODEC, raw: BYTES_CODEC, from: BYTES_CODEC }),
);

/**
 * Fields that few jobs have. They are set only if their flag is, because an object built by spreads takes ten times as
 * long to build and read.
 */
const RARE = new OptionalFieldsCodec<
  Pick<Job, 'blocks' | 'simulation' | 'replay' | 'tip' | 'trace' | 'bundle' | 'isWatched'>
>({
  blocks: listCodec(
    structCodec<CallsInBlock>({
      stateOverride: OVERRIDES,
      blockOverride: {
        pack: (block, to) => BLOCK_LIST.pack(block === null ? [] : [block], to),
        unpack: (from) => BLOCK_LIST.unpack(from)[0] ?? null,
      },
      calls: listCodec({ pack: packCall, unpack: unpackCall }),
    }),
  ),
  simulation: {
    pack({ parentHeader, ...options }, to) {
      to.bytes(parentHeader);
      to.text(JSON.stringify(options));
    },
    unpack: (from) => ({
      parentHeader: from.bytes(),
      ...(JSON.parse(from.text()) as Omit<SimulationParams, 'parentHeader'>),
    }),
  },
  replay: structCodec<BlockReplay>({
    header: BYTES_CODEC,
    cumulativeGasUsed: INTEGER_CODEC,
    transactions: TRANSACTIONS,
  }),
  tip: INTEGER_CODEC,
  trace: { pack: (trace, to) => to.text(JSON.stringify(trace)), unpack: (from) => JSON.parse(from.text()) as JobTrace },
  bundle: {
    pack({ parentHeader, transactions, senders: _senders, ...options }, to) {
      to.bytes(parentHeader);
      BYTE_STRINGS.pack(transactions, to);
      to.text(JSON.stringify(options));
    },
    unpack(from) {
      const [parentHeader, transactions] = [from.bytes(), BYTE_STRINGS.unpack(from)];
      return {
        parentHeader,
        transactions,
        ...(JSON.parse(from.text()) as Omit<Bundle, 'parentHeader' | 'transactions'>),
      };
    },
  },
  isWatched: { pack: () => {}, unpack: () => true },
});

export function packJob(job: Job, to: ByteWriter): void {
  const { position, stateOverride, blockOverride } = job;
  const rare = RARE.flagsOf(job);
  to.u8(JOB_KINDS.indexOf(job.kind));
  to.u32(
    (position.kind === 'archive' ? FLAGS.archive : 0) |
      (stateOverride.length === 0 ? 0 : FLAGS.stateOverride) |
      (blockOverride === null ? 0 : FLAGS.blockOverride) |
      (rare << RARE_SHIFT),
  );
  to.number(position.kind === 'version' ? position.version : position.block);
  to.integer(job.gasCap);
  to.number(job.timeoutMs);
  packCall(job.call, to);
  if (stateOverride.length > 0) OVERRIDES.pack(stateOverride, to);
  if (blockOverride !== null) BLOCK_OVERRIDE_CODEC.pack(blockOverride, to);
  if (rare !== 0) RARE.packThese(rare, job, to);
}

/**
 * Decodes the next job. Its time-out is reduced to `limitMs`. Its byte arrays are views of the reader's memory, and
 * valid until that is overwritten. Throws RangeError if the memory ends too early.
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
    stateOverride: flags & FLAGS.stateOverride ? OVERRIDES.unpack(from) : [],
    blockOverride: flags & FLAGS.blockOverride ? BLOCK_OVERRIDE_CODEC.unpack(from) : null,
  };
  const rare = flags >> RARE_SHIFT;
  if (rare !== 0) RARE.unpackThese(rare, from, job);
  return job;
}

/** Writes the time limit of a job in front of the job. Returns the offset at which the job starts. */
export function packTimeoutMs(limitMs: number, to: Buffer, at: number): number {
  return to.writeUInt32LE(limitMs, at);
}

/** Decodes the next job for a worker thread. The job's time-out is reduced to the time limit in front of it. */
export function unpackEnvelope(from: ByteReader): Job {
  return unpackJob(from, from.u32());
}

function unpackPosition(flags: number, at: number): JobReadPosition {
  return flags & FLAGS.archive ? { kind: 'archive', block: at } : { kind: 'version', version: at };
}
