// First stage of a body: it waits for main's time where it is large, and becomes one piece. Runs on main.
import type { TimeSlices } from '../../clients/slices.js';
import { rpcError } from '../../errors.js';
import { copyBytes, LongBytes, releaseBytes } from '../../lib/bytes/long-bytes.js';
import { BufferPool } from '../../lib/memory/buffer-pool.js';
import { LIMITS } from '../../limits/index.js';
import { lasting, NOTHING, type Answer, type Asked } from '../answer/answer.js';
import type { AnswerMemory } from '../answer/answer-memory.js';
import { answerText } from '../answer/answer-text.js';
import { writtenText } from '../answer/answer-writer.js';
import type { ErrorCounts } from '../answer/error-counts.js';
import type { DecodeStage } from './decode.js';
import type { RunStage } from './run.js';

/** Bounds of what waits, and the stages behind. */
export interface AdmitParts {
  readonly memory: AnswerMemory;
  readonly slices: TimeSlices;
  readonly errors: ErrorCounts;
  readonly decode: DecodeStage;
  readonly run: RunStage;
}

/** Memory of long bodies in one piece, used again. */
const WHOLES = new BufferPool((bytes) => new ArrayBuffer(bytes), LIMITS.longBodiesKeptBytesMax);
/** The answer to a body that is not even decoded. */
const OVERLOADED: Answer = {
  status: 429,
  bytes: writtenText(answerText('null', rpcError('overload'))),
  position: null,
};

/**
 * A large body waits for a slice of main's time, as some take longer than one to read; not one of plain reads alone. A long
 * one is read in steps.
 */
export class AdmitStage {
  readonly #parts: AdmitParts;

  constructor(parts: AdmitParts) {
    this.#parts = parts;
  }

  /** Answers a body that is not of plain reads alone, as far as is known. */
  answer(body: Uint8Array | LongBytes, asked: Asked): Answer | Promise<Answer> {
    const isLarge = body.length > LIMITS.bodyAtOnceBytesMax;
    const isLong = body.length >= LIMITS.bodyInStepsBytesMin;
    return isLong || (isLarge && this.#parts.slices.isBusy()) ? this.#later(body, asked) : this.#whole(body, asked);
  }

  async #later(body: Uint8Array | LongBytes, asked: Asked): Promise<Answer> {
    const { memory, slices, errors } = this.#parts;
    const { length } = body;
    if (!memory.take(length)) {
      releaseBytes(body);
      errors.add('overload');
      return OVERLOADED;
    }
    // Borrowed bytes are the caller's again once this awaits.
    const kept = body instanceof LongBytes ? body : copyBytes(body);
    await slices.turn(asked.asker.client);
    asked.timing?.waited();
    memory.give(length);
    if (asked.asker.aborted) {
      releaseBytes(kept);
      return NOTHING;
    }
    const isInSteps = kept instanceof LongBytes && length >= LIMITS.bodyInStepsBytesMin;
    return isInSteps ? this.#inSteps(kept, asked) : lasting(this.#whole(kept, asked));
  }

  /** A body in pieces is made one first, which lasts as long as borrowed bytes do, and may be of plain reads. */
  #whole(body: Uint8Array | LongBytes, asked: Asked): Answer | Promise<Answer> {
    const { decode, run } = this.#parts;
    if (!(body instanceof LongBytes)) return decode.answer(body, asked);
    const buffer = WHOLES.take(body.length);
    try {
      const whole = wholeIn(buffer, body);
      const plain = asked.least === null ? run.plain(whole, asked.timing) : null;
      return plain ?? decode.answer(whole, asked);
    } finally {
      WHOLES.give(buffer);
    }
  }

  /** Made one piece part by part, decoded and answered, each in a slice of its own where the one before is over. */
  async #inSteps(body: LongBytes, asked: Asked): Promise<Answer> {
    const buffer = WHOLES.take(body.length);
    const whole = new Uint8Array(buffer, 0, body.length);
    const rest = (): Promise<void> => this.#rest(asked);
    try {
      for (let at = 0; at < whole.length && !asked.asker.aborted; await rest()) at += body.moveFirst(whole, at);
      if (asked.asker.aborted) return NOTHING;
      return await this.#parts.decode.answerInSteps(whole, asked, rest);
    } finally {
      body.release();
      WHOLES.give(buffer);
    }
  }

  async #rest({ asker, timing }: Asked): Promise<void> {
    if (!this.#parts.slices.isOver()) return;
    await this.#parts.slices.turn(asker.client);
    timing?.waited();
  }
}

/** A body in one piece at the beginning of `buffer`; its own memory is given back. */
function wholeIn(buffer: ArrayBuffer, body: LongBytes): Uint8Array {
  const whole = new Uint8Array(buffer, 0, body.length);
  for (let at = 0; at < whole.length;) at += body.moveFirst(whole, at);
  return whole;
}
