// Base class of tracers. A tracer receives the events of one transaction's execution and renders them.
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import type { ForkRules } from '../../evm/reference/fork-rules.js';
import type { StartedFrame, EndedFrame, TraceHooks } from '../../evm/trace-hooks.js';
import type { Log } from '../../state/complete-block.js';
import type { Authorization } from '../../transaction/evm-job.js';
import type { ResponseSizeBudget } from '../call/response-size-budget.js';

/** A transaction that is about to be executed and has not changed the state yet. */
export interface TracedTransaction {
  readonly from: Uint8Array;
  /** The recipient; `null` if the transaction creates a contract. */
  readonly to: Uint8Array | null;
  readonly gasLimit: bigint;
  readonly authorizations: readonly Authorization[];
  readonly coinbase: Uint8Array;
  readonly state: JournaledState;
  readonly rules: ForkRules;
  readonly isPrecompile: (address: Uint8Array) => boolean;
  /** Number of logs of earlier transactions in the block. */
  readonly logsBefore: number;
  /** Position in its block; `null` if the transaction is only simulated by a call. */
  readonly included: IncludedTransaction | null;
}

/** The position of a transaction in a block. */
interface IncludedTransaction {
  /** Hash of the block as hex; `null` if the block has no hash yet. */
  readonly blockHash: string | null;
  readonly blockNumber: number;
  readonly hash: Uint8Array;
  readonly index: number;
}

/** Thrown if a transaction ended before its first call frame started, so that there is no trace. */
export class NothingTracedError extends Error {}

/** Thrown if a trace exceeds the size limit of the response. */
export class TraceTooLargeError extends Error {}

/** Base class: ignores all events. Subclasses override the methods of the events that they need. */
export abstract class Tracer implements TraceHooks {
  readonly stepped?: TraceHooks['stepped'];
  readonly seesLogs: boolean = false;
  readonly seesState: boolean = false;
  readonly seesChanges: boolean = false;
  readonly #budget: ResponseSizeBudget;
  #reserved = 0;

  /** `budget` is the remaining size of the whole response. */
  constructor(budget: ResponseSizeBudget) {
    this.#budget = budget;
  }

  /** Reserves characters of the response. Throws `TraceTooLargeError` if too few are left. */
  protected take(characters: number): void {
    this.#reserved += characters;
    if (!this.#budget.take(characters)) throw new TraceTooLargeError();
  }

  /** Releases all characters that this tracer has reserved. */
  protected giveBack(): void {
    this.#budget.take(-this.#reserved);
    this.#reserved = 0;
  }

  /** Called when the transaction starts. */
  begin(_transaction: TracedTransaction): void {}
  restarted(): void {}
  entered(_frame: StartedFrame): void {}
  left(_frame: EndedFrame): void {}
  logged(_log: Log): void {}
  named(_address: Uint8Array): void {}
  called(_address: Uint8Array): void {}
  namedSlot(_address: Uint8Array, _slot: Uint8Array, _before: Uint8Array, _after: Uint8Array | null): void {}
  creates(_address: Uint8Array): void {}
  destroys(_address: Uint8Array): void {}
  /**
   * Called when the transaction has ended and its changes are in the state. `gasUsed` is the gas that the sender pays
   * for.
   */
  end(_gasUsed: bigint): void {}

  /** Returns the result as JSON text. */
  abstract text(): string;
}
