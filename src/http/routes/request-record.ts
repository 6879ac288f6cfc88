// Records request bodies in a file of lines `{"t_ms": …, "body": "…"}`, which load tests replay.
import { open, type FileHandle } from 'node:fs/promises';
import { BatchedWrites } from '../../lib/threads/batched-writes.js';
import {
  responseBytes,
  type RpcResponse,
  type Caller,
  type BodyBytes,
  type LeastPosition,
  type RpcService,
} from '../../rpc/answer/response.js';
import { StartError } from '../../lib/start-error.js';

/** Bounds of a record; the reasons are in `src/limits`. */
export interface RequestRecordOptions {
  /** Largest size of the file in bytes, including what it already contained. */
  readonly requestRecordBytesMax: number;
  readonly requestRecordWaitingBytesMax: number;
  readonly recordFlushMs: number;
}

/** The clock and the callback of a record. */
export interface RequestRecordDeps {
  /** Milliseconds since 1970, with fractions. */
  readonly nowMs: () => number;
  /** Called at most once, with the reason in one line, when recording ends. */
  readonly onEnd: (reason: string) => void;
}

/** Creates the file, or appends to an existing one. Rejects with `StartError` if it cannot be opened. */
export async function openRequestRecord(
  file: string,
  options: RequestRecordOptions,
  deps: RequestRecordDeps,
): Promise<RequestRecord> {
  try {
    const handle = await open(file, 'a');
    return new RequestRecord(handle, (await handle.stat()).size, options, deps);
  } catch (error) {
    throw new StartError(`${file} cannot be written: ${(error as Error).message}`, 2);
  }
}

/** Accepts bodies at any time and writes them in the background. */
export class RequestRecord {
  /** Bodies that were not recorded, because the disk was too slow. */
  lost = 0;
  readonly #handle: FileHandle;
  readonly #options: RequestRecordOptions;
  readonly #deps: RequestRecordDeps;
  readonly #writes: BatchedWrites;
  #fileBytes: number;
  #isOver = false;

  constructor(handle: FileHandle, fileBytes: number, options: RequestRecordOptions, deps: RequestRecordDeps) {
    this.#handle = handle;
    this.#fileBytes = fileBytes;
    this.#options = options;
    this.#deps = deps;
    this.#writes = new BatchedWrites((lines) => this.#write(lines), options.recordFlushMs);
  }

  /** Records a body; its bytes may be reused when this returns. */
  add(body: Uint8Array): void {
    if (this.#isOver) return;
    const line = lineOf(this.#deps.nowMs(), body);
    const { requestRecordBytesMax, requestRecordWaitingBytesMax } = this.#options;
    if (this.#fileBytes + line.length > requestRecordBytesMax) return this.#end('the record of requests is full');
    if (this.#writes.waitingBytes + line.length > requestRecordWaitingBytesMax) {
      this.lost++;
      return;
    }
    this.#fileBytes += line.length;
    this.#writes.add(line);
  }

  /** Writes what is buffered and closes the file. */
  async close(): Promise<void> {
    this.#isOver = true;
    await this.#writes.drained();
    await this.#handle.close();
  }

  async #write(lines: Buffer): Promise<void> {
    try {
      await this.#handle.appendFile(lines);
    } catch (error) {
      this.#end(`requests cannot be recorded: ${(error as Error).message}`);
    }
  }

  #end(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#deps.onEnd(reason);
  }
}

/** Times are rounded to the microsecond. */
function lineOf(nowMs: number, body: Uint8Array): Buffer {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  return Buffer.from(`${JSON.stringify({ t_ms: Math.round(nowMs * 1000) / 1000, body: text })}\n`);
}

/** Wraps the service to record each body. */
export function recorded(service: RpcService, record: RequestRecord): RpcService {
  return {
    answer(body: BodyBytes, caller: Caller, least: LeastPosition | null = null): RpcResponse | Promise<RpcResponse> {
      record.add(responseBytes(body));
      return service.answer(body, caller, least);
    },
  };
}
