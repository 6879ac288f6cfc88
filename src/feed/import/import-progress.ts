// Shows the progress of an import, as a line of text and as a share from 0 to 1.
import { LIMITS } from '../../limits/index.js';
import type { FeedSink } from '../feed.js';

/**
 * Counts executed blocks and their bytes in the file. The remaining time and number of blocks are estimated from the
 * bytes that are not read yet.
 */
export class ImportProgress {
  readonly #sink: Pick<FeedSink, 'progress'>;
  readonly #fileBytes: number | null;
  readonly #nowMs: () => number;
  readonly #startMs: number;
  #reportedMs: number;
  #number: number;
  #blocks = 0;
  #gas = 0n;
  #readBytes = 0;
  #passedBytes = 0;

  /**
   * `number`: the number of the newest archived block, after which the import continues. `fileBytes`: size of the chain
   * file; `null` if unknown.
   */
  constructor(
    sink: Pick<FeedSink, 'progress'>,
    number: number,
    fileBytes: number | null,
    nowMs = () => performance.now(),
  ) {
    this.#sink = sink;
    this.#number = number;
    this.#fileBytes = fileBytes;
    this.#nowMs = nowMs;
    this.#startMs = this.#reportedMs = nowMs();
  }

  /** Called when the next block was read from the file; `bytes` is its size. */
  read(bytes: number): void {
    this.#readBytes += bytes;
    if (this.#blocks === 0) this.#passedBytes = this.#readBytes - bytes;
  }

  /** Called when the block that was read last has been executed; `gas` is the gas that it used. */
  add(gas: bigint): void {
    this.#number++;
    this.#blocks++;
    this.#gas += gas;
    const now = this.#nowMs();
    if (now - this.#reportedMs < LIMITS.importProgressMs) return;
    this.#reportedMs = now;
    this.#report(this.#seconds(now));
  }

  /** Called when all blocks were executed; `last` is the number of the last one. */
  end(last: number): void {
    if (this.#blocks === 0) return this.#sink.progress(`block ${last} is the head, nothing to import`);
    const mgas = this.#mgas(this.#seconds(this.#nowMs()));
    this.#sink.progress(`imported ${this.#blocks} blocks up to block ${last}, ${mgas}`);
  }

  #report(seconds: number): void {
    const pace = `${Math.round(this.#blocks / seconds)} blocks/s, ${this.#mgas(seconds)}`;
    const block = `block ${this.#number}`;
    if (this.#fileBytes === null) return this.#sink.progress(`importing: ${block}, ${pace}`, null);
    const left = (this.#fileBytes - this.#readBytes) / (this.#readBytes - this.#passedBytes);
    const last = this.#number + Math.round(this.#blocks * left);
    const share = this.#readBytes / this.#fileBytes;
    const percent = `${Math.floor(100 * share)} %`;
    const time = `${timeText(seconds * left)} left`;
    this.#sink.progress(`importing: ${percent}, ${time}, ${block} of about ${last}, ${pace}`, share);
  }

  #seconds(now: number): number {
    return Math.max(now - this.#startMs, 1) / 1000;
  }

  #mgas(seconds: number): string {
    return `${(Number(this.#gas) / 1e6 / seconds).toFixed(1)} Mgas/s`;
  }
}

/** Formats a duration as `12 s`, `3 min 20 s` or `2 h 5 min`. */
function timeText(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
