// Events of an execution that are reported to a tracer: the same events as go-ethereum's tracing hooks, in the same
// order.
import type { Log } from '../state/complete-block.js';

/** Instruction that has started a frame. The outermost frame counts as a CALL or a CREATE. */
export type FrameKind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CREATE' | 'CREATE2' | 'SELFDESTRUCT';

/**
 * A call frame at its start. It is reported even if it is refused at once. A SELFDESTRUCT is reported as a frame, too.
 */
export interface StartedFrame {
  readonly kind: FrameKind;
  /** Account whose code has made the call, 20 bytes. */
  readonly from: Uint8Array;
  /** Account whose code is called, or the contract that is created, 20 bytes. */
  readonly to: Uint8Array;
  readonly input: Uint8Array;
  /** Gas that the frame may use, including the stipend. */
  readonly gas: bigint;
  /** Value in wei. For a DELEGATECALL, the value of the calling frame; `null` for a STATICCALL. */
  readonly value: bigint | null;
}

export interface EndedFrame {
  /** Output of RETURN or REVERT, or the code of a created contract. */
  readonly output: Uint8Array;
  readonly gasUsed: bigint;
  /** Why the frame failed, with go-ethereum's text; `null` if it succeeded. */
  readonly error: string | null;
}

/** An instruction that is about to be executed, or that fails. */
export interface TracedStep {
  readonly pc: number;
  readonly code: number;
  /** Gas left before the instruction. */
  readonly gas: bigint;
  /** Gas of the instruction, including gas that it passes on to a call. */
  readonly cost: bigint;
  /** Call depth; 1 for the outermost frame. */
  readonly depth: number;
  /** Account whose storage the frame reads and writes. */
  readonly self: Uint8Array;
  readonly refund: bigint;
  /** Stack items; the top is the last one. */
  readonly stack: readonly bigint[];
  /** Returns a copy of the memory. Only valid while the instruction is being reported. */
  readonly memory: () => Uint8Array;
  readonly returnData: Uint8Array;
  readonly error: string | null;
}

/**
 * Callbacks of a tracer. They must not keep the byte arrays that they get, which may be views of memory that changes,
 * but for those of slots.
 */
export interface TraceHooks {
  /** Called when another engine executes the message again from its start, so that earlier reports are void. */
  restarted(): void;
  /** Called when a frame starts. All frames that have started and not ended enclose it. */
  entered(frame: StartedFrame): void;
  /** Called when the innermost frame ends. */
  left(frame: EndedFrame): void;
  /** Whether the tracer needs `logged`. */
  readonly seesLogs: boolean;
  /** Called when the innermost frame makes a log. */
  logged(log: Log): void;
  /** Whether the tracer needs `named` and `namedSlot`. */
  readonly seesState: boolean;
  /** Whether the tracer also examines the state after the transaction. */
  readonly seesChanges: boolean;
  /**
   * Called when an instruction accesses an account after its gas was paid. Calls of this function and of `namedSlot`
   * may come later than the access, but before the message's changes are written to the state.
   */
  named(address: Uint8Array): void;
  /** Called when any kind of CALL accesses its callee, after the call's gas was paid. */
  called(address: Uint8Array): void;
  /**
   * Called when an SLOAD or SSTORE accesses a slot, after its gas was paid. `before` and `after` are the slot's values
   * before and after the message, big endian; `after` is `null` if it is not known yet, and is only right if
   * `seesChanges`. If a slot is reported several times, its first `before` and its last `after` count.
   */
  namedSlot(address: Uint8Array, slot: Uint8Array, before: Uint8Array, after: Uint8Array | null): void;
  /** Called with the address at which a CREATE or CREATE2 whose gas was paid is to create a contract. */
  creates(address: Uint8Array): void;
  /** Called when an account will be destroyed by SELFDESTRUCT. The beneficiary was already reported. */
  destroys(address: Uint8Array): void;
  /**
   * Called for each instruction. Absent if the tracer does not need them, because reporting them takes most of the
   * time.
   */
  readonly stepped?: ((step: TracedStep) => void) | undefined;
}
