// What the service is asked, kept in a file of lines `{"t_ms": …, "body": "…"}`, for load tests that ask it again. Runs on main.
import { open, type FileHandle } from 'node:fs/promises';
import { LongBytes } from '../lib/long-bytes.js';
import type { Answer, Asker, LeastPosition, RpcService } from '../rpc/answer.js';
import { StartError } from '../start-error.js';

/** Bounds of a record; their reasons in limits.ts. */
export interface RequestRecordOptions {
  /** Of the file; what is there before counts. */
  readonly requestRecordBytesMax: number;
  readonly requestRecordWaitingBytesMax: number;
  readonly recordFlushMs: number;
}

/** What a record calls, and the clock. */
export interface RequestRecordParts {
  /** Milliseconds since 1970, with fractions. */
  readonly nowMs: () => number;
  /** Nothing more is recorded, for a reason in a line. Called at most once. */
  readonly onEnd: (reason: string) => void;
}

/** Begins a record, or goes on behind one that is there. Rejects with StartError where the file cannot be had. */
export async function openRequestRecord(
  file: string,
  options: RequestRecordOptions,
  parts: RequestRecordParts,
): Promise<RequestRecord> {
  try {
    const handle = await open(file, 'a');
    return new RequestRecord(handle, (await handle.stat()).size, options, parts);
  } catch (error) {
    throw new StartError(`${file} cannot be written: ${(error as Error).message}`, 2);
  }
}

/** Takes bodies at any time and writes them in the background. */
export class RequestRecord {
  /** Bodies that were left out, because the disk was too slow. */
  lost = 0;
  readonly #handle: FileHandle;
  readonly #options: RequestRecordOptions;
  readonly #parts: RequestRecordParts;
  #fileBytes: number;
  #pending: Buffer[] = [];
  #waitingBytes = 0;
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #isOver = false;

  constructor(handle: FileHandle, fileBytes: number, options: RequestRecordOptions, parts: RequestRecordParts) {
    this.#handle = handle;
    this.#fileBytes = fileBytes;
    this.#options = options;
    this.#parts = parts;
  }

  /** Notes a body; its bytes are free again when this returns. */
  add(body: Uint8Array): void {
    if (this.#isOver) return;
    const line = lineOf(this.#parts.nowMs(), body);
    const { requestRecordBytesMax, requestRecordWaitingBytesMax, recordFlushMs } = this.#options;
    if (this.#fileBytes + line.length > requestRecordBytesMax) return this.#end('the record of requests is full');
    if (this.#waitingBytes + line.length > requestRecordWaitingBytesMax) {
      this.lost++;
      return;
    }
    this.#fileBytes += line.length;
    this.#waitingBytes += line.length;
    this.#pending.push(line);
    this.#timer ??= setTimeout(() => this.#flush(), recordFlushMs);
  }

  /** Writes what is left and closes the file. */
  async close(): Promise<void> {
    this.#isOver = true;
    this.#flush();
    await this.#writing;
    await this.#handle.close();
  }

  #flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#pending.length === 0) return;
    const lines = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#writing = this.#writing.then(() => this.#write(lines));
  }

  async #write(lines: Buffer): Promise<void> {
    try {
      await this.#handle.appendFile(lines);
    } catch (error) {
      this.#end(`requests cannot be recorded: ${(error as Error).message}`);
    } finally {
      this.#waitingBytes -= lines.length;
    }
  }

  #end(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#parts.onEnd(reason);
  }
}

/** Times to the microsecond. */
function lineOf(nowMs: number, body: Uint8Array): Buffer {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  return Buffer.from(`${JSON.stringify({ t_ms: Math.round(nowMs * 1000) / 1000, body: text })}\n`);
}

/** The service, with each body it is asked in the record. */
export function recorded(service: RpcService, record: RequestRecord): RpcService {
  return {
    refuse(body: Uint8Array): Answer {
      record.add(body);
      return service.refuse(body);
    },
    answer(body: Uint8Array | LongBytes, asker: Asker, least: LeastPosition | null = null): Answer | Promise<Answer> {
      record.add(body instanceof LongBytes ? body.toBytes() : body);
      return service.answer(body, asker, least);
    },
  };
}
