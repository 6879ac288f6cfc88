// Answers a batch: in one go where main has the time, else slice by slice, all from one version. Runs on main.
import type { TimeSlices } from '../../clients/slices.js';
import type { Answer } from '../answer/answer.js';
import type { AnswerMemory } from '../answer/answer-memory.js';
import { AnswerPieces } from '../answer/answer-pieces.js';
import type { AnswerWriter } from '../answer/encode.js';
import type { ErrorCounts } from '../answer/error-counts.js';
import type { LargeAnswers } from '../answer/large-answers.js';
import type { Request } from '../call/request.js';
import type { RowAnswers } from '../call/row-answers.js';
import type { ReadView } from '../view/read-view.js';

/** Parts that a batch is answered with; the writer is shared, and free between two slices. */
export interface BatchParts {
  readonly writer: AnswerWriter;
  readonly rows: RowAnswers;
  readonly memory: AnswerMemory;
  readonly slices: TimeSlices;
  readonly large: LargeAnswers;
  readonly errors: ErrorCounts;
  /** The read view of the present table. */
  readonly readView: () => ReadView;
}

/** Plain reads, at some 0.1 us, that are as much work as any other row: so often is the clock looked at. */
const PLAIN_READS_A_LOOK = 256;
/** Bytes in the writer from which on they become a piece. */
const WRITER_BYTES = 256 * 1024;

/**
 * One batch while it is answered. Rows are answered in their order; results that come later are put in their places.
 */
export class Batch {
  readonly #request: Request;
  readonly #parts: BatchParts;
  readonly #pieces: AnswerPieces;
  #row = 0;
  /** A row was answered: the next one is separated from it. */
  #isAnswered = false;
  /** The writer has the whole answer so far. */
  #isWhole = true;

  constructor(request: Request, parts: BatchParts) {
    this.#request = request;
    this.#parts = parts;
    this.#pieces = new AnswerPieces(parts, request.asker);
  }

  /** `readView` is pinned. `null`: the writer has the whole answer, or nothing where there were only notifications. */
  answer(readView: ReadView): Promise<Answer> | null {
    const { writer } = this.#parts;
    writer.openBatch();
    this.#fill(readView);
    const isDone = this.#row === this.#request.count;
    if (isDone && this.#isWhole) {
      if (this.#isAnswered) writer.closeBatch();
      else writer.reset();
      return null;
    }
    if (isDone) return this.#finish(readView);
    this.#add();
    return this.#goOn(readView, readView.pinned.hold());
  }

  /** Answers rows until all are answered or the slice is over. */
  #fill(readView: ReadView): void {
    let plainReads = 0;
    while (this.#row < this.#request.count) {
      if (plainReads >= PLAIN_READS_A_LOOK) {
        if (this.#parts.slices.isOver()) return;
        plainReads = 0;
      }
      plainReads += this.#answerRun(readView) || this.#answerRow(readView);
      if (this.#parts.writer.length >= WRITER_BYTES) this.#flush();
    }
  }

  /** Keeps the writer short: one that has grown is let go and made again, which costs more than a copy. */
  #flush(): void {
    this.#isWhole = false;
    this.#add();
  }

  /** Rows that are answered together; 0 where the next one is not of their kind. */
  #answerRun(readView: ReadView): number {
    const { writer, rows } = this.#parts;
    const before = writer.length;
    this.#request.isFull ||= this.#pieces.isFull;
    if (this.#isAnswered) writer.separate();
    const count = rows.answerRun(this.#request, this.#row, readView);
    if (count === 0) writer.truncate(before);
    else this.#isAnswered = true;
    this.#row += count;
    return count;
  }

  /** One row; its work in plain reads. */
  #answerRow(readView: ReadView): number {
    const { writer, rows } = this.#parts;
    const before = writer.length;
    if (this.#isAnswered) writer.separate();
    const start = writer.length;
    const waiting = rows.answer(this.#request, this.#row++, readView);
    if (waiting !== null && waiting.id !== '') {
      this.#isWhole = false;
      this.#isAnswered = true;
      this.#add();
      this.#pieces.wait(waiting.id, waiting.result);
    } else if (writer.length === start) writer.truncate(before);
    else this.#isAnswered = true;
    return PLAIN_READS_A_LOOK;
  }

  /** The rest, in later turns of the event loop, from the version that `release` lets go; nothing once nobody waits for it. */
  async #goOn(first: ReadView, release: () => void): Promise<Answer> {
    const { writer, slices, memory } = this.#parts;
    const { epoch, pinned } = first;
    const { version, position } = pinned;
    const { asker } = this.#request;
    this.#request.keep();
    while (this.#row < this.#request.count) {
      await slices.turn(asker.client);
      if (asker.aborted) break;
      const readView = this.#parts.readView();
      writer.reset();
      this.#request.answeredBytes = this.#pieces.bytes;
      if (memory.isFull) this.#refuseRest('overload');
      else if (readView.epoch !== epoch || !readView.pinned.beginAt(version)) this.#refuseRest('stateReset');
      else this.#fillPinned(readView);
      this.#add();
    }
    release();
    return this.#joined(position);
  }

  #fillPinned(readView: ReadView): void {
    try {
      this.#fill(readView);
    } finally {
      readView.pinned.end();
    }
  }

  #refuseRest(reason: 'overload' | 'stateReset'): void {
    const { writer, rows } = this.#parts;
    this.#request.wasReset ||= reason === 'stateReset';
    for (; this.#row < this.#request.count; this.#row++) {
      const before = writer.length;
      if (this.#isAnswered) writer.separate();
      const start = writer.length;
      rows.refuse(this.#request, this.#row, reason);
      if (reason === 'overload') this.#request.overloads++;
      if (writer.length === start) writer.truncate(before);
      else this.#isAnswered = true;
    }
  }

  #finish({ pinned }: ReadView): Promise<Answer> {
    this.#add();
    return this.#joined(pinned.position);
  }

  /** Adds the writer's bytes as a piece. */
  #add(): void {
    const { writer } = this.#parts;
    this.#pieces.add(writer.bytes());
    this.#request.answeredBytes = this.#pieces.bytes;
    writer.reset();
  }

  async #joined(position: Answer['position']): Promise<Answer> {
    this.#pieces.add(CLOSE_BATCH);
    const bytes = await this.#pieces.join();
    if (!this.#isAnswered) return { status: 204, bytes: NO_BYTES, position: null };
    const overloads = this.#request.overloads + this.#pieces.overloads;
    return { status: overloads === this.#request.count ? 429 : 200, bytes, position };
  }
}

const CLOSE_BATCH = Buffer.from(']');
const NO_BYTES = new Uint8Array();
