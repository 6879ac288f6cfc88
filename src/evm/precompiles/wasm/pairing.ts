// The product of pairings in WebAssembly. Runs on publisher and estimators where the addon does not serve.
// oxlint-disable no-underscore-dangle -- the names are mcl's
import { STATUS, type Status } from '../functions.js';
import { PAIRING_BYTES, type IsMember, type Mcl, type Place } from './mcl.js';

/** Pairs that are taken at once: their loops share the squares. */
const PAIRS_MAX = 16;

/** Of points of both groups of a curve. */
export class Pairing {
  readonly #mcl: Mcl;
  readonly #members: readonly [first: IsMember | undefined, second: IsMember | undefined];
  readonly #firsts: Place;
  readonly #seconds: Place;
  readonly #product: Place;
  readonly #factor: Place;

  constructor(mcl: Mcl, ...members: readonly [first: IsMember | undefined, second: IsMember | undefined]) {
    this.#mcl = mcl;
    this.#members = members;
    this.#firsts = mcl.g1.allocate(PAIRS_MAX);
    this.#seconds = mcl.g2.allocate(PAIRS_MAX);
    this.#product = mcl.allocate(PAIRING_BYTES);
    this.#factor = mcl.allocate(PAIRING_BYTES);
  }

  /** Whether the product over all pairs of points in `input`, which are of the subgroups, is one. */
  check(input: Uint8Array): Status {
    const { g1, g2, call } = this.#mcl;
    const pairBytes = g1.encodedBytes + g2.encodedBytes;
    const count = input.length / pairBytes;
    call._mclBnGT_setInt32(this.#product, 1);
    for (let start = 0; start < count; start += PAIRS_MAX) {
      const end = Math.min(count, start + PAIRS_MAX);
      for (let i = start; i < end; i++) {
        const status = this.#readPair(i - start, input.subarray(i * pairBytes, (i + 1) * pairBytes));
        if (status !== STATUS.done) return status;
      }
      call._mclBn_millerLoopVec(this.#factor, this.#firsts, this.#seconds, end - start);
      call._mclBnGT_mul(this.#product, this.#product, this.#factor);
    }
    return isPairingOne(this.#mcl, this.#product) ? STATUS.done : STATUS.false;
  }

  #readPair(index: number, pair: Uint8Array): Status {
    const { g1, g2 } = this.#mcl;
    const [isFirst, isSecond] = this.#members;
    const status = g1.read(this.#firsts + index * g1.bytes, pair.subarray(0, g1.encodedBytes), isFirst);
    if (status !== STATUS.done) return status;
    return g2.read(this.#seconds + index * g2.bytes, pair.subarray(g1.encodedBytes), isSecond);
  }
}

/** Whether the pairings whose loops come to `product` come to one; leaves another number there. */
export function isPairingOne({ call }: Mcl, product: Place): boolean {
  call._mclBn_finalExp(product, product);
  return call._mclBnGT_isOne(product) === 1;
}
