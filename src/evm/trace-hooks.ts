// The events of an execution that are reported to a tracer: go-ethereum's hooks, in its order.
import type { Log } from '../state/complete-block.js';

/** The instruction that has started a frame. The outermost frame is a CALL or a CREATE. */
export type FrameKind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CREATE' | 'CREATE2' | 'SELFDESTRUCT';

/** A frame when it starts, even if it is refused at once. A SELFDESTRUCT is reported as a frame of its own. */
export interface StartedFrame {
  readonly kind: FrameKind;
  /** The account whose code has made the call, 20 bytes. */
  readonly from: Uint8Array;
  /** The account whose code is called, or the contract that is created, 20 bytes. */
  readonly to: Uint8Array;
  readonly input: Uint8Array;
  /** Gas that it may use, including the stipend. */
  readonly gas: bigint;
  /** Wei; for a DELEGATECALL those of the frame around it; `null` for a STATICCALL. */
  readonly value: bigint | null;
}

export interface EndedFrame {
  /** The output of a return or a revert, or the code of a contract that was created. */
  readonly output: Uint8Array;
  readonly gasUsed: bigint;
  /** Why its changes are reverted, in go-ethereum's words. */
  readonly error: string | null;
}

/** An instruction that is about to be executed, or cannot be. */
export interface TracedStep {
  readonly pc: number;
  readonly code: number;
  /** Gas left before it. */
  readonly gas: bigint;
  /** Its own gas, and the gas that it passes on. */
  readonly cost: bigint;
  /** 1 for the outermost frame. */
  readonly depth: number;
  /** The account whose storage the frame reads and writes. */
  readonly self: Uint8Array;
  readonly refund: bigint;
  /** The stack with the top as the last item. */
  readonly stack: readonly bigint[];
  /** Returns the memory as a copy, which is valid while the step is being reported. */
  readonly memory: () => Uint8Array;
  readonly returnData: Uint8Array;
  readonly error: string | null;
}

/** The callbacks of a tracer. It may read the bytes that it gets, but not keep them: they may be views. */
export interface TraceHooks {
  /** Called when the message is executed again by another engine, so that earlier reports are void. */
  restarted(): void;
  /** Called when a frame starts. It is within those that have started and not ended. */
  entered(frame: StartedFrame): void;
  /** Called when the innermost frame ends. */
  left(frame: EndedFrame): void;
  /** If false, `logged` need not be called. */
  readonly seesLogs: boolean;
  /** Called when the innermost frame makes a log. */
  logged(log: Log): void;
  /** If false, `named` and `namedSlot` need not be called. */
  readonly seesState: boolean;
  /**
   * Called when an instruction that was paid for accesses an account. This and `namedSlot` may be called late, but
   * before any change of the message is in the state.
   */
  named(address: Uint8Array): void;
  /** Called when a CALL of any kind that was paid for accesses the account that it calls. */
  called(address: Uint8Array): void;
  /** SLOAD or SSTORE, paid for, accesses a slot. `value` is what it had before the message, big endian. */
  namedSlot(address: Uint8Array, slot: Uint8Array, value: Uint8Array): void;
  /** Called when CREATE or CREATE2, paid for, is to create a contract at this address. */
  creates(address: Uint8Array): void;
  /** Called when an account is to be destroyed by its code. Its beneficiary was already reported. */
  destroys(address: Uint8Array): void;
  /** Called for each step; absent if steps are not reported, because that takes most of the time. */
  readonly stepped?: ((step: TracedStep) => void) | undefined;
}
