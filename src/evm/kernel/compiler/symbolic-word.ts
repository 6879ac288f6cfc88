// An EVM word at compile time, and where its parts are.

/** 64 bits of a word: a constant, or the variable that contains them. */
export type SymbolicLimb = bigint | number;

const LIMB_BITS = 64;
const LIMB = 1n << BigInt(LIMB_BITS);

/** A word, whose value never changes. Variables into which parts of it are loaded are recorded. */
export class SymbolicWord {
  /** Limbs, least significant first; `null` if no variable has it. */
  readonly limbs: (SymbolicLimb | null)[];
  /** Variables with two limbs each, the low half first. */
  readonly halves: (number | null)[] = [null, null];
  /** Its position on the stack in memory, in items above the initial top; `null` if it is not in memory. */
  slot: number | null = null;

  constructor(limbs: readonly (SymbolicLimb | null)[] = [null, null, null, null]) {
    this.limbs = [...limbs];
  }

  /** A word stored on the stack in memory. */
  static at(slot: number): SymbolicWord {
    const word = new SymbolicWord();
    word.slot = slot;
    return word;
  }

  static of(value: bigint): SymbolicWord {
    if (value < LIMB) return SymbolicWord.small(value);
    return new SymbolicWord([0n, 64n, 128n, 192n].map((bits) => BigInt.asUintN(LIMB_BITS, value >> bits)));
  }

  /** A word of a single limb. */
  static small(limb: SymbolicLimb): SymbolicWord {
    return new SymbolicWord([limb, 0n, 0n, 0n]);
  }

  /** Value of the word if it is constant. */
  get constant(): bigint | null {
    let value = 0n;
    for (let i = 3; i >= 0; i--) {
      const limb = this.limbs[i];
      if (typeof limb !== 'bigint') return null;
      value = (value << BigInt(LIMB_BITS)) | limb;
    }
    return value;
  }
}
