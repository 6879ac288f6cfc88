// Calls a tracer's hooks when call frames start and end, and when logs are made, in the kernel.
import type { TraceHooks, FrameKind } from '../trace-hooks.js';
import * as STATUS from './assembly/shared/status.js';
import type { Kernel, KernelTracerHooks } from './kernel.js';
import { ADDRESS_BYTES, EMPTY_BYTES } from '../../lib/bytes/big-endian.js';

export interface HooksHostDeps {
  /** Returns go-ethereum's text for the reason (status.ts) why the ending frame has halted or was refused. */
  readonly haltText: (reason: number) => string;
  /** Records the error that a hook has thrown. Returns the value with which the kernel aborts the execution. */
  readonly abort: (error: unknown) => number;
}

const SELFDESTRUCT = 0xff;
const KINDS: Readonly<Record<number, FrameKind>> = {
  0xf0: 'CREATE',
  0xf1: 'CALL',
  0xf2: 'CALLCODE',
  0xf4: 'DELEGATECALL',
  0xf5: 'CREATE2',
  0xfa: 'STATICCALL',
  [SELFDESTRUCT]: 'SELFDESTRUCT',
};
const ENDED = { output: EMPTY_BYTES, gasUsed: 0n, error: null };

/** Connects the tracing hooks of each message with one kernel. */
export class HooksHost implements KernelTracerHooks {
  readonly #deps: HooksHostDeps;
  #connected: Kernel | null = null;
  #hooks: TraceHooks | null = null;
  /** Number of call frames that have started and not ended. */
  #open = 0;

  constructor(deps: HooksHostDeps) {
    this.#deps = deps;
  }

  /** Sets the kernel whose memory is read. */
  connect(kernel: Kernel): void {
    this.#connected = kernel;
  }

  /** Starts a message; `hooks` is `null` if it is not traced. */
  begin(hooks: TraceHooks | null): void {
    this.#hooks = hooks;
    this.#open = 0;
  }

  entered(opcode: number, from: number, to: number, value: number, input: number, bytes: number, gas: bigint): number {
    const kernel = this.#kernel;
    const kind = KINDS[opcode]!;
    const frame = {
      kind,
      from: this.#bytesAt(from, ADDRESS_BYTES),
      to: this.#bytesAt(to, ADDRESS_BYTES),
      input: this.#bytesAt(input, bytes),
      gas,
      value: kind === 'STATICCALL' ? null : kernel.word(value),
    };
    return this.#call((hooks) => {
      if (kind === 'SELFDESTRUCT') {
        hooks.named(frame.to);
        hooks.destroys(frame.from);
        hooks.entered(frame);
        return hooks.left(ENDED);
      }
      const isCall = kind !== 'CREATE' && kind !== 'CREATE2';
      if (this.#open++ > 0 && isCall) hooks.called(frame.to);
      hooks.entered(frame);
    });
  }

  left(how: number, reason: number, gasUsed: bigint, output: number, bytes: number): number {
    this.#open--;
    return this.#call((hooks) =>
      hooks.left({ output: this.#bytesAt(output, bytes), gasUsed, error: this.#errorOf(how, reason) }),
    );
  }

  logged(log: number): number {
    return this.#hooks!.seesLogs ? this.#call((hooks) => hooks.logged(this.#kernel.logAt(log))) : 0;
  }

  creates(address: number): number {
    return this.#call((hooks) => hooks.creates(this.#bytesAt(address, ADDRESS_BYTES)));
  }

  get #kernel(): Kernel {
    if (this.#connected === null) throw new Error('no kernel is connected');
    return this.#connected;
  }

  #errorOf(how: number, reason: number): string | null {
    if (how === STATUS.SUCCESS) return null;
    return how === STATUS.REVERT ? 'execution reverted' : this.#deps.haltText(reason);
  }

  #bytesAt(at: number, length: number): Uint8Array {
    return length === 0 ? EMPTY_BYTES : this.#kernel.bytes.subarray(at, at + length);
  }

  #call(hook: (hooks: TraceHooks) => void): number {
    try {
      hook(this.#hooks!);
      return 0;
    } catch (error) {
      return this.#deps.abort(error);
    }
  }
}
