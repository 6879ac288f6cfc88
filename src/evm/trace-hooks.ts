// Moments of an execution as a tracer hears of them: go-ethereum's hooks, in its order.
import type { Log } from '../state/block.js';

/** Instruction that has begun a frame; the outermost one is a CALL or a CREATE. */
export type FrameKind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CREATE' | 'CREATE2' | 'SELFDESTRUCT';

/** A frame as it begins, be it that it is refused at once. A SELFDESTRUCT is told as a frame of its own. */
export interface StartedFrame {
  readonly kind: FrameKind;
  /** 20 bytes: the account whose code has made the call. */
  readonly from: Uint8Array;
  /** 20 bytes: the account whose code is called, or the contract that is made. */
  readonly to: Uint8Array;
  readonly input: Uint8Array;
  /** Gas that it may use, the stipend included. */
  readonly gas: bigint;
  /** Wei; of a DELEGATECALL those of the frame around it; `null` for a STATICCALL. */
  readonly value: bigint | null;
}

/** The end of a frame. */
export interface EndedFrame {
  /** Returned, reverted with, or the code of a contract that was made. */
  readonly output: Uint8Array;
  readonly gasUsed: bigint;
  /** Reason for which its changes are undone, in go-ethereum's words. */
  readonly error: string | null;
}

/** An instruction that is about to be executed, or cannot be. */
export interface TracedStep {
  readonly pc: number;
  readonly code: number;
  /** Left before it. */
  readonly gas: bigint;
  /** Its own gas and that which it hands on. */
  readonly cost: bigint;
  /** 1 for the outermost frame. */
  readonly depth: number;
  /** Account whose storage the frame reads and writes. */
  readonly self: Uint8Array;
  readonly refund: bigint;
  /** Top last. */
  readonly stack: readonly bigint[];
  /** Bytes; its own, for as long as the step is told. */
  readonly memory: () => Uint8Array;
  readonly returnData: Uint8Array;
  readonly error: string | null;
}

/** Ears of a tracer. Bytes are its own to look at, not to keep: they may be views of memory that changes. */
export interface TraceHooks {
  /** The message is executed anew, by another engine: what was reported of it is void. */
  restarted(): void;
  /** A frame begins; it lies inside of those that have begun and not ended. */
  entered(frame: StartedFrame): void;
  /** The innermost frame ends. */
  left(frame: EndedFrame): void;
  /** A log of the innermost frame. */
  logged(log: Log): void;
  /** False: `named` and `namedSlot` may be left out. */
  readonly seesState: boolean;
  /**
   * An instruction that has been paid for names an account. This and `namedSlot` may come late, but before any change
   * of the message is in the state.
   */
  named(address: Uint8Array): void;
  /** A CALL, of any kind, that has been paid for names whom it calls. */
  called(address: Uint8Array): void;
  /** SLOAD or SSTORE, paid for, names a slot of an account, which was `value` before the message: big endian. */
  namedSlot(address: Uint8Array, slot: Uint8Array, value: Uint8Array): void;
  /** CREATE or CREATE2, paid for, is to make a contract here. */
  creates(address: Uint8Array): void;
  /** The account is to be destroyed by its code; whoever inherits has been named. */
  destroys(address: Uint8Array): void;
  /** Absent: steps are not told, which takes most of the time. */
  readonly stepped?: ((step: TracedStep) => void) | undefined;
}
