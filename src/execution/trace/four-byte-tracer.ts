// 4byteTracer: counts how often each function is called, by selector and length of the arguments.
import type { StartedFrame } from '../../evm/trace-hooks.js';
import { toHex } from '../../lib/bytes/hex.js';
import { Tracer, type TracedTransaction } from './tracer.js';

const CALLS = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL']);
/** Number of characters in the response for one counter, such as `"0x01020304-1234567":1234567,`. */
const ENTRY_CHARACTERS = 32;

export class FourByteTracer extends Tracer {
  readonly #counts = new Map<string, number>();
  #isPrecompile: TracedTransaction['isPrecompile'] = () => false;

  override begin({ isPrecompile }: TracedTransaction): void {
    this.#isPrecompile = isPrecompile;
  }

  override restarted(): void {
    this.giveBack();
    this.#counts.clear();
  }

  override entered({ kind, to, input }: StartedFrame): void {
    if (input.length < 4 || !CALLS.has(kind) || this.#isPrecompile(to)) return;
    const key = `${toHex(input.subarray(0, 4))}-${input.length - 4}`;
    const count = this.#counts.get(key);
    if (count === undefined) this.take(ENTRY_CHARACTERS);
    this.#counts.set(key, (count ?? 0) + 1);
  }

  text(): string {
    return JSON.stringify(Object.fromEntries([...this.#counts].toSorted(([a], [b]) => (a < b ? -1 : 1))));
  }
}
