// A tracer listens to the execution of one transaction and shows what it has heard. Runs on the estimators.
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import type { ForkRules } from '../../evm/reference/fork-rules.js';
import type { BegunFrame, EndedFrame, TraceHooks } from '../../evm/trace-hooks.js';
import type { Log } from '../../state/block.js';
import type { Authorization } from '../../transaction/call-request.js';
import type { AnswerRoom } from '../call/answer-room.js';

/** A transaction that is about to be executed: nothing of it is in the state. */
export interface TracedTransaction {
  readonly from: Uint8Array;
  /** `null` creates a contract. */
  readonly to: Uint8Array | null;
  readonly gasLimit: bigint;
  readonly authorizations: readonly Authorization[];
  readonly coinbase: Uint8Array;
  readonly state: JournaledState;
  readonly rules: ForkRules;
  readonly isPrecompile: (address: Uint8Array) => boolean;
  /** Logs of the transactions before it in its block. */
  readonly logsBefore: number;
}

/** Thrown where a transaction has ended before its first frame. */
export class NothingTraced extends Error {}

/** Thrown where an answer has no room for what a tracer has heard. */
export class AnswerFull extends Error {}

/** Hears nothing, and says so, until a tracer takes what it is for. */
export abstract class Tracer implements TraceHooks {
  readonly stepped?: TraceHooks['stepped'];
  readonly #room: AnswerRoom;

  /** `room`: that of the whole answer. */
  constructor(room: AnswerRoom) {
    this.#room = room;
  }

  /** Takes room for so many characters of the answer. Throws AnswerFull. */
  protected take(characters: number): void {
    if (!this.#room.take(characters)) throw new AnswerFull();
  }

  /** The transaction begins. */
  begin(_transaction: TracedTransaction): void {}
  /** See TraceHooks. */
  entered(_frame: BegunFrame): void {}
  /** See TraceHooks. */
  left(_frame: EndedFrame): void {}
  /** See TraceHooks. */
  logged(_log: Log): void {}
  /** See TraceHooks. */
  named(_address: Uint8Array): void {}
  /** See TraceHooks. */
  called(_address: Uint8Array): void {}
  /** See TraceHooks. */
  namedSlot(_address: Uint8Array, _slot: Uint8Array): void {}
  /** See TraceHooks. */
  creates(_address: Uint8Array): void {}
  /** See TraceHooks. */
  destroys(_address: Uint8Array): void {}
  /** The transaction has ended, and the state is as it leaves it; `gasUsed`: what it has paid for. */
  end(_gasUsed: bigint): void {}

  /** Result as JSON text. */
  abstract text(): string;
}
