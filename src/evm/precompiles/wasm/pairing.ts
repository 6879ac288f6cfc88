// The product of pairings in WebAssembly. Runs on publisher and estimators where the addon does not serve.
// oxlint-disable no-underscore-dangle -- the names are mcl's
import { STATUS, type Status } from '../functions.js';
import { PAIRING_BYTES, type Mcl, type Place } from './mcl.js';

/** Of points of both groups of a curve. */
export class Pairing {
  readonly #mcl: Mcl;
  readonly #first: Place;
  readonly #second: Place;
  readonly #product: Place;
  readonly #factor: Place;

  constructor(mcl: Mcl) {
    this.#mcl = mcl;
    this.#first = mcl.g1.allocate();
    this.#second = mcl.g2.allocate();
    this.#product = mcl.allocate(PAIRING_BYTES);
    this.#factor = mcl.allocate(PAIRING_BYTES);
  }

  /** Whether the product over all pairs of points in `input`, which are of the subgroups, is one. */
  check(input: Uint8Array): Status {
    const { g1, g2 } = this.#mcl;
    const pairBytes = g1.encodedBytes + g2.encodedBytes;
    this.begin();
    for (let at = 0; at < input.length; at += pairBytes) {
      const middle = at + g1.encodedBytes;
      const first = g1.read(this.#first, input.subarray(at, middle), true);
      if (first !== STATUS.done) return first;
      const second = g2.read(this.#second, input.subarray(middle, at + pairBytes), true);
      if (second !== STATUS.done) return second;
      this.multiply(this.#first, this.#second);
    }
    return this.isOne() ? STATUS.done : STATUS.false;
  }

  /** The product of no pairs. */
  begin(): void {
    this.#mcl.call._mclBnGT_setInt32(this.#product, 1);
  }

  /** One pair more; with a point at infinity nothing changes. */
  multiply(first: Place, second: Place): void {
    const { call } = this.#mcl;
    call._mclBn_millerLoop(this.#factor, first, second);
    call._mclBnGT_mul(this.#product, this.#product, this.#factor);
  }

  /** Whether the product is one. Only `begin` may follow. */
  isOne(): boolean {
    const { call } = this.#mcl;
    call._mclBn_finalExp(this.#product, this.#product);
    return call._mclBnGT_isOne(this.#product) === 1;
  }
}
