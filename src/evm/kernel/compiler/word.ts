// A word of the EVM while code is compiled: what of it is where. Runs on publisher and estimators.

/** 64 bits of a word: a constant, or the variable that has them. */
export type Limb = bigint | number;

const LIMB_BITS = 64;
const LIMB = 1n << BigInt(LIMB_BITS);

/** Its value never changes; variables that come to have parts of it are noted. */
export class Word {
  /** Least first; `null` where no variable has one. */
  readonly limbs: (Limb | null)[];
  /** Variables of two limbs, the lower half first. */
  readonly halves: (number | null)[] = [null, null];
  /** Its place on the stack in memory, items above the top with which the trace begins; `null`: nowhere. */
  slot: number | null = null;

  constructor(limbs: readonly (Limb | null)[] = [null, null, null, null]) {
    this.limbs = [...limbs];
  }

  /** Word that lies on the stack. */
  static at(slot: number): Word {
    const word = new Word();
    word.slot = slot;
    return word;
  }

  static of(value: bigint): Word {
    if (value < LIMB) return Word.small(value);
    return new Word([0n, 64n, 128n, 192n].map((bits) => BigInt.asUintN(LIMB_BITS, value >> bits)));
  }

  /** One of a single limb. */
  static small(limb: Limb): Word {
    return new Word([limb, 0n, 0n, 0n]);
  }

  /** Value of the word where that is a constant. */
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
