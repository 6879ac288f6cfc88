// Asks the upstream node which state upcoming transactions and calls will read (`eth_createAccessList`, EIP-2930).
// Without this, each slot whose key depends on a value that is missing itself would cost one more round trip.
import type { SignedOrDepositTransaction } from '../../../transaction/signed-transaction.js';
import { fromHex, toHex, toQuantity } from '../../../lib/bytes/hex.js';
import { mergedMissingKeys, NO_MISSING_KEYS, type MissingKeys } from '../../../state/views/miss-recording-view.js';
import { UpstreamError, type Upstream } from '../../../upstream/upstream.js';

/**
 * Requests access lists, computed on the state after block `anchor`. They are only hints: a key that a list lacks is
 * fetched when the execution misses it.
 */
export class AccessListRequester {
  readonly #upstream: Pick<Upstream, 'request'>;
  /** Whether the node offers eth_createAccessList; `null` if it was not tried yet. */
  #isOffered: boolean | null = null;

  constructor(upstream: Pick<Upstream, 'request'>) {
    this.#upstream = upstream;
  }

  /**
   * Returns the keys that these transactions will read. While it is unknown whether the node offers
   * eth_createAccessList, the list of the first transaction is requested before the others.
   */
  async ofTransactions(transactions: readonly SignedOrDepositTransaction[], anchor: Uint8Array): Promise<MissingKeys> {
    const alone = this.#isOffered === null ? 1 : 0;
    const lists = (some: readonly SignedOrDepositTransaction[]): Promise<MissingKeys[]> =>
      Promise.all(some.map((transaction) => this.ofCall(callOf(transaction), anchor)));
    const first = await lists(transactions.slice(0, alone));
    return mergedMissingKeys([...first, ...(await lists(transactions.slice(alone)))]);
  }

  /** Returns the keys that a call will read. `call` has the form of eth_call's parameter. */
  async ofCall(call: unknown, anchor: Uint8Array): Promise<MissingKeys> {
    if (this.#isOffered === false) return NO_MISSING_KEYS;
    try {
      const answer = await this.#upstream.request('eth_createAccessList', [call, { blockHash: toHex(anchor) }]);
      this.#isOffered = true;
      return missingKeysIn(answer);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      if (error.kind === 'refused') this.#isOffered = false;
      return NO_MISSING_KEYS;
    }
  }
}

function callOf({ from, to, gasLimit, value, data }: SignedOrDepositTransaction): object {
  const called = to === null ? {} : { to: toHex(to) };
  return { from: toHex(from), ...called, gas: toQuantity(gasLimit), value: toQuantity(value), input: toHex(data) };
}

const ADDRESS = /^0x[0-9a-f]{40}$/i;
const WORD = /^0x[0-9a-f]{64}$/i;

/** Returns the keys in a response. Malformed entries are left out. */
function missingKeysIn(answer: unknown): MissingKeys {
  const list = (answer as { accessList?: unknown } | null)?.accessList;
  const entries = Array.isArray(list) ? (list as readonly { address?: unknown; storageKeys?: unknown }[]) : [];
  const known = entries.filter(({ address }) => typeof address === 'string' && ADDRESS.test(address));
  return {
    accounts: known.map(({ address }) => fromHex(address as string)),
    slots: known.flatMap(({ address, storageKeys }) =>
      (Array.isArray(storageKeys) ? (storageKeys as readonly unknown[]) : [])
        .filter((key): key is string => typeof key === 'string' && WORD.test(key))
        .map((key) => ({ address: fromHex(address as string), slot: fromHex(key) })),
    ),
  };
}
