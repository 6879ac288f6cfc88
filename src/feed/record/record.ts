// Messages that a live feed received, recorded in a file with their times of arrival, and read back.
import { open, type FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { BatchedWrites } from '../../lib/threads/batched-writes.js';
import { LIMITS } from '../../limits/index.js';
import { StartError } from '../../lib/start-error.js';

/**
 * `frame`: a message of the pre-confirmation feed as it arrived. `head`: JSON of a canonical block as the upstream
 * announced it. `down`: the feed's connection was lost; no bytes.
 */
export type RecordKind = 'frame' | 'head' | 'down';

/** One message that arrived. */
export interface Recorded {
  readonly kind: RecordKind;
  /** Milliseconds since 1970, monotonic from the start of the recording. */
  readonly arrivedAtMs: number;
  readonly bytes: Uint8Array;
}

/*
 * file    = magic chunk*
 * chunk   = length (4 bytes, big endian) gzip(record*)      length: of the gzip
 * record  = kind (1) arrivedAtMs (8, float64) length (4) bytes
 *
 * Chunks stand by themselves: what a killed process leaves can be read up to its last whole chunk, and a process that
 * comes after it goes on behind that. Price against one stream: some 10 % more bytes.
 */
const MAGIC = Buffer.from('prestate record 1\n');
const KINDS: readonly RecordKind[] = ['frame', 'head', 'down'];
const CHUNK_PREFIX_BYTES = 4;
const RECORD_PREFIX_BYTES = 13;
/** Unpacked; a record that is accepted when the limit is nearly reached comes on top. */
const CHUNK_BYTES_MAX = LIMITS.recordWaitingBytesMax + LIMITS.feedFrameBytesMax;

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Counted since the record was opened. */
export interface RecorderCounters {
  readonly records: number;
  /** Records that were dropped, because the disk was too slow or refused. */
  readonly lost: number;
  readonly bytesWritten: number;
}

/** Called by the recorder. */
export interface RecorderDeps {
  /** Writing failed; nothing more is recorded. Called once. */
  readonly onError: (reason: string) => void;
}

/**
 * Starts a record, or appends to an existing one. Rejects with StartError if the file is not a record or cannot be
 * opened.
 */
export async function openRecorder(file: string, deps: RecorderDeps): Promise<Recorder> {
  const handle = await openFile(file, 'a+');
  try {
    const { size } = await handle.stat();
    if (size === 0) await handle.appendFile(MAGIC);
    else await handle.truncate(await wholeBytes(handle, file, size));
  } catch (error) {
    await handle.close();
    if (error instanceof StartError) throw error;
    throw new StartError(`${file} cannot be written: ${messageOf(error)}`, 1);
  }
  return new Recorder(handle, deps);
}

/** Accepts records at any time and writes them in the background. */
export class Recorder {
  readonly #handle: FileHandle;
  readonly #deps: RecorderDeps;
  readonly #counters = { records: 0, lost: 0, bytesWritten: 0 };
  readonly #writes = new BatchedWrites((records) => this.#write(records), LIMITS.recordFlushMs);
  #failed = false;

  constructor(handle: FileHandle, deps: RecorderDeps) {
    this.#handle = handle;
    this.#deps = deps;
  }

  /** Counted since the record was opened. */
  get counters(): RecorderCounters {
    return { ...this.#counters };
  }

  /** `bytes` must not be changed afterwards. */
  add(kind: RecordKind, bytes: Uint8Array, arrivedAtMs: number): void {
    if (this.#failed || this.#writes.waitingBytes > LIMITS.recordWaitingBytesMax) {
      this.#counters.lost++;
      return;
    }
    this.#counters.records++;
    this.#writes.add(prefix(kind, bytes, arrivedAtMs), bytes);
    if (this.#writes.pendingBytes >= LIMITS.recordChunkBytes) this.#writes.flush();
  }

  /** Writes what is pending and closes the file. */
  async close(): Promise<void> {
    await this.#writes.drained();
    await this.#handle.close();
  }

  async #write(records: Uint8Array): Promise<void> {
    try {
      if (this.#failed) return;
      const packed = await pack(records);
      const length = Buffer.alloc(CHUNK_PREFIX_BYTES);
      length.writeUInt32BE(packed.length);
      await this.#handle.appendFile(Buffer.concat([length, packed]));
      this.#counters.bytesWritten += CHUNK_PREFIX_BYTES + packed.length;
    } catch (error) {
      this.#failed = true;
      this.#deps.onError(messageOf(error));
    }
  }
}

/** How a record ends: at the end of a chunk, inside one (its process was killed), or with bytes that are no chunk. */
export type RecordEnd = 'whole' | 'truncated' | 'damaged';

/** Everything up to the last whole chunk. Throws StartError if the file is not a record or cannot be read. */
export async function* readRecord(file: string): AsyncGenerator<Recorded, RecordEnd> {
  const handle = await openFile(file, 'r');
  try {
    const { size } = await handle.stat();
    await checkMagic(handle, file);
    for (let at = MAGIC.length; at < size;) {
      // One chunk after the other: all of them at once need not fit into memory.
      const end = await chunkEnd(handle, at, size);
      if (end === null) return 'truncated';
      if (end - at > CHUNK_BYTES_MAX) return 'damaged';
      const records = await unpacked(await readAt(handle, at + CHUNK_PREFIX_BYTES, end - at - CHUNK_PREFIX_BYTES));
      if (records === null) return 'damaged';
      for (const record of split(records)) yield record;
      at = end;
    }
    return 'whole';
  } finally {
    await handle.close();
  }
}

function prefix(kind: RecordKind, bytes: Uint8Array, arrivedAtMs: number): Uint8Array {
  const out = Buffer.alloc(RECORD_PREFIX_BYTES);
  out.writeUInt8(KINDS.indexOf(kind));
  out.writeDoubleBE(arrivedAtMs, 1);
  out.writeUInt32BE(bytes.length, 9);
  return out;
}

/** Whole records only; `unpacked` has checked that they fill the chunk. */
function* split(records: Buffer): Generator<Recorded> {
  for (let at = 0; at < records.length;) {
    const from = at + RECORD_PREFIX_BYTES;
    const end = from + records.readUInt32BE(at + 9);
    const kind = KINDS[records.readUInt8(at)]!;
    yield { kind, arrivedAtMs: records.readDoubleBE(at + 1), bytes: new Uint8Array(records.subarray(from, end)) };
    at = end;
  }
}

async function unpacked(packed: Uint8Array): Promise<Buffer | null> {
  try {
    const records = await unpack(packed, { maxOutputLength: CHUNK_BYTES_MAX });
    return areRecords(records) ? records : null;
  } catch {
    return null;
  }
}

function areRecords(bytes: Buffer): boolean {
  let at = 0;
  while (at + RECORD_PREFIX_BYTES <= bytes.length && bytes.readUInt8(at) < KINDS.length) {
    at += RECORD_PREFIX_BYTES + bytes.readUInt32BE(at + 9);
  }
  return at === bytes.length;
}

async function openFile(file: string, flags: 'r' | 'a+'): Promise<FileHandle> {
  try {
    return await open(file, flags);
  } catch (error) {
    throw new StartError(`${file} cannot be opened: ${messageOf(error)}`, 2);
  }
}

async function checkMagic(handle: FileHandle, file: string): Promise<void> {
  const head = await readAt(handle, 0, MAGIC.length);
  if (!MAGIC.equals(head)) throw new StartError(`${file} is not a record of a feed`, 2);
}

/** Bytes up to the end of the last whole chunk. */
async function wholeBytes(handle: FileHandle, file: string, size: number): Promise<number> {
  await checkMagic(handle, file);
  let at = MAGIC.length;
  while (at < size) {
    const end = await chunkEnd(handle, at, size);
    if (end === null) break;
    at = end;
  }
  return at;
}

/** End of the chunk at `at`; `null`: beyond the end of the file. */
async function chunkEnd(handle: FileHandle, at: number, size: number): Promise<number | null> {
  if (at + CHUNK_PREFIX_BYTES > size) return null;
  const length = (await readAt(handle, at, CHUNK_PREFIX_BYTES)).readUInt32BE();
  const end = at + CHUNK_PREFIX_BYTES + length;
  return end > size ? null : end;
}

/** `length` bytes, fewer only at the end of the file. */
async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
