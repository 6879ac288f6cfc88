// Generates code that moves words between WebAssembly variables and the EVM stack in memory.
import { STACK_BYTES } from '../assembly/shared/memory-layout.js';
import type { PositionedWord } from './symbolic-stack.js';
import { WASM_OP, WASM_TYPE, type WasmFunctionCode } from './wasm-code.js';
import type { SymbolicLimb, SymbolicWord } from './symbolic-word.js';
import { WORD_BYTES } from '../../../lib/bytes/big-endian.js';

const HALF_BYTES = 16;
const LIMB_BYTES = 8;
/** How far the base address is below the initial top, so that all offsets from it are non-negative. */
export const BASE_BELOW_INITIAL_TOP_BYTES = STACK_BYTES;

/** Writes the code of one function at a time. `base` is the variable that has the base address. */
export class StackWordWriter {
  base = 0;
  readonly #code: WasmFunctionCode;

  constructor(code: WasmFunctionCode) {
    this.#code = code;
  }

  /** Returns a limb of a word: a constant, or a variable, into which it is loaded if necessary. */
  limb(word: SymbolicWord, i: number): SymbolicLimb {
    const known = word.limbs[i]!;
    if (known !== null) return known;
    const half = word.halves[i >> 1]!;
    if (half === null) {
      this.#code.get(this.base);
      this.#code.loadI64(offsetOf(word.slot!) + LIMB_BYTES * i);
    } else {
      this.#code.get(half);
      this.#code.extractLane(i & 1);
    }
    return (word.limbs[i] = this.#code.kept(WASM_TYPE.i64));
  }

  /** Returns all limbs of a word. */
  limbs(word: SymbolicWord): [SymbolicLimb, SymbolicLimb, SymbolicLimb, SymbolicLimb] {
    return [this.limb(word, 0), this.limb(word, 1), this.limb(word, 2), this.limb(word, 3)];
  }

  /** Returns a variable with half of a word, loaded if necessary: 0 is the low half, 1 the high half. */
  half(word: SymbolicWord, h: number): number {
    const known = word.halves[h]!;
    if (known !== null) return known;
    this.#pushHalf(word, h);
    return (word.halves[h] = this.#code.kept(WASM_TYPE.v128));
  }

  /** Loads a whole word into variables, so that the word in memory can be overwritten. */
  lift(word: SymbolicWord): void {
    if (word.slot !== null) for (let h = 0; h < 2; h++) this.half(word, h);
  }

  /** Emits code that pushes a limb on WebAssembly's stack. */
  push(limb: SymbolicLimb): void {
    if (typeof limb === 'bigint') this.#code.i64(limb);
    else this.#code.get(limb);
  }

  pushAddress(position: number): void {
    this.#code.get(this.base);
    this.#code.i32(offsetOf(position));
    this.#code.op(WASM_OP.i32Add);
  }

  /** Emits code that writes words to their positions in memory. All are read before the first one is written. */
  store(words: readonly PositionedWord[]): void {
    const stores: (() => void)[] = [];
    for (const [position, word] of words) for (let h = 0; h < 2; h++) this.#prepareStore(position, word, h, stores);
    for (const store of stores.toReversed()) store();
  }

  /**
   * Limbs that are in variables are written one by one, because it would take longer to join them into a vector first.
   */
  #prepareStore(position: number, word: SymbolicWord, h: number, stores: (() => void)[]): void {
    const code = this.#code;
    const offset = offsetOf(position) + HALF_BYTES * h;
    const limbs = word.limbs.slice(2 * h, 2 * h + 2);
    const isHalf = word.halves[h] !== null || limbs.includes(null) || limbs.every((limb) => typeof limb === 'bigint');
    if (isHalf) {
      code.get(this.base);
      this.#pushHalf(word, h);
      stores.push(() => code.storeV128(offset));
      return;
    }
    for (const [i, limb] of limbs.entries()) {
      code.get(this.base);
      this.push(limb!);
      stores.push(() => code.storeI64(offset + LIMB_BYTES * i));
    }
  }

  #pushHalf(word: SymbolicWord, h: number): void {
    const half = word.halves[h]!;
    if (half !== null) return this.#code.get(half);
    const [low, high] = [word.limbs[2 * h]!, word.limbs[2 * h + 1]!];
    if (low !== null && high !== null) return this.#pushJoined(low, high);
    this.#code.get(this.base);
    this.#code.loadV128(offsetOf(word.slot!) + HALF_BYTES * h);
  }

  #pushJoined(low: SymbolicLimb, high: SymbolicLimb): void {
    const code = this.#code;
    if (typeof high === 'number') {
      this.push(low);
      code.splat();
      code.get(high);
      return code.replaceLane(1);
    }
    code.v128(typeof low === 'bigint' ? low : 0n, high);
    if (typeof low === 'bigint') return;
    code.get(low);
    code.replaceLane(0);
  }
}

/** Returns the offset of a stack position from the base address. */
function offsetOf(position: number): number {
  return BASE_BELOW_INITIAL_TOP_BYTES + position * WORD_BYTES;
}
