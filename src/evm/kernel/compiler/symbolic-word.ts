// An EVM word at compile time: where each of its parts is.

/** 64 bits of a word: a constant, or the variable that contains them. */
export type SymbolicLimb = bigint | number;

const LIMB_BITS = 64;
const LIMB = 1n << BigInt(LIMB_BITS);

/** A word, whose value never changes. It records the variables into which parts of it are loaded. */
export class SymbolicWord {
  /** Limbs, least significant first. `null` if no variable contains the limb. */
  readonly limbs: (SymbolicLimb | null)[];
  /** Vector variables with two limbs each, the low half first. */
  readonly halves: (number | null)[] = [null, null];
  /** Position on the stack in memory, in items above the initial top; `null` if the word is not in memory. */
  slot: number | null = null;

  constructor(limbs: readonly (SymbolicLimb | null)[] = [null, null, null, null]) {
    this.limbs = [...limbs];
  }

  /** Makes a word that is stored on the stack in memory. */
  static at(slot: number): SymbolicWord {
    const word = new SymbolicWord();
    word.slot = slot;
    return word;
  }

  static of(value: bigint): SymbolicWord {
    if (value < LIMB) return SymbolicWord.small(value);
    return new SymbolicWord([0n, 64n, 128n, 192n].map((bits) => BigInt.asUintN(LIMB_BITS, value >> bits)));
  }

  /** Makes a word from its lowest limb; the others are zero. */
  static small(limb: SymbolicLimb): SymbolicWord {
    return new SymbolicWord([limb, 0n, 0n, 0n]);
  }

  /** Value of the word if it is constant; otherwise `null`. */
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
