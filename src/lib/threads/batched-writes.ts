// Writes bytes in the background, in batches.

/** Accepts bytes at any time. One write at a time; what arrives meanwhile goes into the next one. */
export class BatchedWrites {
  readonly #write: (bytes: Buffer) => Promise<void>;
  readonly #flushMs: number;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #writingBytes = 0;
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;

  /** `write` handles its own failures: it never rejects. `flushMs`: longest time that bytes wait for more. */
  constructor(write: (bytes: Buffer) => Promise<void>, flushMs: number) {
    this.#write = write;
    this.#flushMs = flushMs;
  }

  /** Bytes that wait for more. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** Bytes that are not written yet. */
  get waitingBytes(): number {
    return this.#pendingBytes + this.#writingBytes;
  }

  /** Adds bytes, which must not be changed afterwards. */
  add(...chunks: readonly Uint8Array[]): void {
    for (const chunk of chunks) {
      this.#pending.push(chunk);
      this.#pendingBytes += chunk.length;
    }
    this.#timer ??= setTimeout(() => this.flush(), this.#flushMs);
  }

  /** Writes what is pending now. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#pending.length === 0) return;
    const bytes = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#writingBytes += bytes.length;
    this.#writing = this.#writing.then(() => this.#written(bytes));
  }

  /** Resolves once everything is written. */
  drained(): Promise<void> {
    this.flush();
    return this.#writing;
  }

  async #written(bytes: Buffer): Promise<void> {
    await this.#write(bytes);
    this.#writingBytes -= bytes.length;
  }
}
