// A file of lines of JSON that is appended to in the background, in batches.
import { open, type FileHandle } from 'node:fs/promises';
import { StartError } from './start-error.js';

/** Bounds of a file; the reasons are in `src/limits`. */
export interface LineAppenderOptions {
  /** Largest size of the file in bytes, including what it already contained. */
  readonly fileBytesMax: number;
  /** Bytes that wait to be written; lines beyond it are dropped. */
  readonly waitingBytesMax: number;
  /** Longest time that a line waits for more: a kill loses that much. */
  readonly flushMs: number;
}

/** Called at most once, with the reason in one line, when the file accepts no more lines. */
type OnEnd = (reason: string) => void;

const LINE_FEED = 10;

/** Creates the file, or appends to an existing one. Rejects with `StartError` if it cannot be opened. */
export async function openLineAppender(
  file: string,
  options: LineAppenderOptions,
  onEnd: OnEnd,
): Promise<LineAppender> {
  try {
    const handle = await open(file, 'a+');
    const { size } = await handle.stat();
    const last = Buffer.alloc(1, LINE_FEED);
    if (size > 0) await handle.read(last, 0, 1, size - 1);
    // What a killed process has left of its last line stays a line of its own.
    if (last[0] !== LINE_FEED) await handle.appendFile('\n');
    return new LineAppender(handle, size, options, onEnd);
  } catch (error) {
    throw new StartError(`${file} cannot be written: ${(error as Error).message}`, 2);
  }
}

/** Accepts lines at any time. One write at a time; what arrives meanwhile goes into the next one. */
export class LineAppender {
  /** Lines that were dropped because the disk was too slow. */
  lost = 0;
  readonly #handle: FileHandle;
  readonly #options: LineAppenderOptions;
  readonly #onEnd: OnEnd;
  #fileBytes: number;
  #pending: Buffer[] = [];
  #waitingBytes = 0;
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #isOver = false;

  constructor(handle: FileHandle, fileBytes: number, options: LineAppenderOptions, onEnd: OnEnd) {
    this.#handle = handle;
    this.#fileBytes = fileBytes;
    this.#options = options;
    this.#onEnd = onEnd;
  }

  /** Appends a line. */
  add(entry: object): void {
    if (this.#isOver) return;
    const line = Buffer.from(`${JSON.stringify(entry)}\n`);
    const { fileBytesMax, waitingBytesMax, flushMs } = this.#options;
    if (this.#fileBytes + line.length > fileBytesMax) return this.#end('the file is full');
    if (this.#waitingBytes + line.length > waitingBytesMax) {
      this.lost++;
      return;
    }
    this.#fileBytes += line.length;
    this.#waitingBytes += line.length;
    this.#pending.push(line);
    this.#timer ??= setTimeout(() => this.#flush(), flushMs);
  }

  /** Writes what is pending and closes the file. */
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
      this.#end((error as Error).message);
    }
    this.#waitingBytes -= lines.length;
  }

  #end(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd(reason);
  }
}
