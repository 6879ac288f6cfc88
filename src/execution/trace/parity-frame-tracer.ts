// Lists a transaction's frames in Parity's form (`trace` of trace_call); each has its position in the call tree.
import type { EndedFrame, StartedFrame } from '../../evm/trace-hooks.js';
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import { Tracer, type TracedTransaction } from './tracer.js';

/** Result of a frame. Only creations have `address` and `code`. */
interface FrameResult {
  address?: string;
  readonly code?: string;
  readonly gasUsed: string;
  readonly output?: string;
}

/** JSON of a frame. Members are in OpenEthereum's order; undefined ones are left out. */
export interface ParityFrame {
  action: object;
  error: string | undefined;
  result: FrameResult | null;
  subtraces: number;
  readonly traceAddress: readonly number[];
  readonly type: 'call' | 'create' | 'suicide';
}

/** A frame that has not ended. */
interface OpenFrame {
  readonly frame: StartedFrame;
  /** The frame's JSON; `null` for a call to a precompile without a value transfer, which Parity does not show. */
  readonly json: ParityFrame | null;
}

/** Approximate number of characters in the response for a frame without its byte strings. */
const FRAME_CHARACTERS = 420;

/**
 * Pairs of the start of an error text of go-ethereum and Parity's text for the same error. Other error texts are not
 * replaced.
 */
const ERRORS: readonly (readonly [start: string, text: string])[] = [
  ['execution reverted', 'Reverted'],
  ['out of gas', 'Out of gas'],
  ['contract creation code storage out of gas', 'Out of gas'],
  ['gas uint64 overflow', 'Out of gas'],
  ['max code size exceeded', 'Out of gas'],
  ['invalid jump destination', 'Bad jump destination'],
  ['invalid opcode', 'Bad instruction'],
  ['stack underflow', 'Stack underflow'],
  ['stack limit reached', 'Out of stack'],
  ['return data out of bounds', 'Out of bounds'],
  ['precompiled failed', 'Built-in failed'],
  ['invalid input length', 'Built-in failed'],
];
const REVERTED = 'execution reverted';

/** Lists calls, creations and self-destructs in the order in which they started. */
export class ParityTracer extends Tracer {
  readonly #open: OpenFrame[] = [];
  protected frames: ParityFrame[] = [];
  protected isPrecompile: TracedTransaction['isPrecompile'] = () => false;

  override begin({ isPrecompile }: TracedTransaction): void {
    this.isPrecompile = isPrecompile;
  }

  override restarted(): void {
    this.giveBack();
    this.#open.length = 0;
    this.frames = [];
  }

  override entered(frame: StartedFrame): void {
    const outer = this.#open.at(-1)?.json;
    const isListed = outer === undefined || !this.isHidden(frame);
    const json = isListed ? this.#listed(frame, outer ?? null) : null;
    this.#open.push({ frame: { ...frame, to: frame.to.slice() }, json });
  }

  override left(end: EndedFrame): void {
    const { frame, json } = this.#open.pop()!;
    if (json !== null && json.type !== 'suicide') this.ended(json, end, frame.to);
  }

  /** Completes the JSON of a frame that has ended. `address` is the account whose code has run. */
  protected ended(json: ParityFrame, end: EndedFrame, address: Uint8Array): void {
    if (end.error !== null) json.error = parityErrorText(end.error);
    if (end.error !== null && end.error !== REVERTED) return;
    this.take(2 * end.output.length);
    const [gasUsed, output] = [toQuantity(end.gasUsed), toHex(end.output)];
    json.result = json.type === 'create' ? { address: toHex(address), code: output, gasUsed } : { gasUsed, output };
  }

  text(): string {
    return JSON.stringify(this.frames);
  }

  /** Hides precompile calls inside a frame, unless they transfer ether. */
  protected isHidden({ kind, to, value }: StartedFrame): boolean {
    return kind !== 'SELFDESTRUCT' && (value ?? 0n) === 0n && this.isPrecompile(to);
  }

  #listed(frame: StartedFrame, outer: ParityFrame | null): ParityFrame {
    this.take(FRAME_CHARACTERS + 2 * frame.input.length);
    const traceAddress = outer === null ? [] : [...outer.traceAddress, outer.subtraces++];
    const ofFrame = { action: actionOf(frame), error: undefined, result: null, subtraces: 0, traceAddress };
    const json: ParityFrame = { ...ofFrame, type: typeOf(frame) };
    this.frames.push(json);
    return json;
  }
}

function typeOf({ kind }: StartedFrame): ParityFrame['type'] {
  if (kind === 'SELFDESTRUCT') return 'suicide';
  return kind === 'CREATE' || kind === 'CREATE2' ? 'create' : 'call';
}

function actionOf({ kind, from, to, input, gas, value }: StartedFrame): object {
  const wei = toQuantity(value ?? 0n);
  if (kind === 'SELFDESTRUCT') return { address: toHex(from), balance: wei, refundAddress: toHex(to) };
  if (kind === 'CREATE' || kind === 'CREATE2')
    return {
      creationMethod: kind.toLowerCase(),
      from: toHex(from),
      gas: toQuantity(gas),
      init: toHex(input),
      value: wei,
    };
  return {
    callType: kind.toLowerCase(),
    from: toHex(from),
    gas: toQuantity(gas),
    input: toHex(input),
    to: toHex(to),
    value: wei,
  };
}

/** Translates an error text of go-ethereum to Parity's; returns it unchanged if Parity has none. */
export function parityErrorText(text: string): string {
  return ERRORS.find(([start]) => text.startsWith(start))?.[1] ?? text;
}
