// Detects whether a transaction calls one of the filter's addresses with one of the filter's selectors.
import type { StartedFrame } from '../../evm/trace-hooks.js';
import { toHex } from '../../lib/bytes/hex.js';
import type { AddressAndSelectorFilter } from '../../transaction/trace-request-types.js';
import { Tracer } from './tracer.js';
import { ResponseSizeBudget } from '../call/response-size-budget.js';

const SELECTOR_BYTES = 4;

/** Tells whether a frame at any depth matches the filter in both address and selector. */
export class CallMatchTracer extends Tracer {
  readonly #addresses: ReadonlySet<string>;
  readonly #selectors: ReadonlySet<string>;
  /** True once a matching frame has started. */
  hasMatched = false;

  constructor({ addresses, selectors }: AddressAndSelectorFilter) {
    super(new ResponseSizeBudget());
    this.#addresses = new Set(addresses);
    this.#selectors = new Set(selectors);
  }

  override restarted(): void {
    this.hasMatched = false;
  }

  override entered({ kind, to, input }: StartedFrame): void {
    if (this.hasMatched) return;
    const isCreation = kind === 'CREATE' || kind === 'CREATE2';
    const selector = isCreation || input.length < SELECTOR_BYTES ? null : input.subarray(0, SELECTOR_BYTES);
    const isCalled = this.#selectors.size === 0 || (selector !== null && this.#selectors.has(toHex(selector)));
    this.hasMatched = isCalled && (this.#addresses.size === 0 || this.#addresses.has(toHex(to)));
  }

  text(): string {
    return String(this.hasMatched);
  }
}
