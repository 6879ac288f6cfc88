// Appends lines of JSON to a file, in the background and in batches.
import { open, type FileHandle } from 'node:fs/promises';
import { StartError } from './start-error.js';

/** Bounds of a file; the reasons are in `src/limits`. */
export interface LineAppenderOptions {
  /** Maximum size of the file in bytes, including what it already contained. */
  readonly fileBytesMax: number;
  /** Bytes that may wait to be written. Lines beyond it are dropped. */
  readonly waitingBytesMax: number;
  /** Maximum time that a line waits for more lines. If the process is killed, the lines of this time may be lost. */
  readonly flushMs: number;
}

/** Called at most once, with the reason in one line, when the file accepts no more lines. */
type OnEnd = (reason: string) => void;

const LINE_FEED = 10;

/** Creates or opens a file to append lines. Rejects with `StartError` if the file cannot be opened. */
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
    // If a killed process has left an incomplete last line, a line feed ends it, so that the next entry gets its own
    // line.
    if (last[0] !== LINE_FEED) await handle.appendFile('\n');
    return new LineAppender(handle, size, options, onEnd);
  } catch (error) {
    throw new StartError(`${file} cannot be written: ${(error as Error).message}`, 2);
  }
}

/**
 * Appends lines to a file. Accepts lines at any time; while one batch is being written, they are collected for the
 * next.
 */
export class LineAppender {
  /** Number of lines that were dropped because the disk was too slow. */
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

  /** Appends a line with this object as JSON. */
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

  /** Writes the waiting lines and closes the file. */
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
