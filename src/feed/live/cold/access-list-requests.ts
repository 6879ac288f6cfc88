// Asks the upstream node which state upcoming transactions and calls read (EIP-2930, `eth_createAccessList`). This is
// one request, instead of one read for each step from a slot to what its value leads to.
import type { BlockTransaction } from '../../../transaction/signed-transaction.js';
import { fromHex, toHex, toQuantity } from '../../../lib/bytes/hex.js';
import { mergedMissingKeys, NO_MISSING_KEYS, type MissingKeys } from '../../../state/views/miss-recording-view.js';
import { UpstreamError, type Upstream } from '../../../upstream/upstream.js';

/** Hints, computed on the state after `anchor`: what is wrong or absent in them is found missing later. */
export class AccessListRequests {
  readonly #upstream: Pick<Upstream, 'request'>;
  /** Whether the node offers the method; `null` if it was not tried yet. */
  #isOffered: boolean | null = null;

  constructor(upstream: Pick<Upstream, 'request'>) {
    this.#upstream = upstream;
  }

  /** The keys that these transactions read. A node not tried yet is asked about the first one alone. */
  async ofTransactions(transactions: readonly BlockTransaction[], anchor: Uint8Array): Promise<MissingKeys> {
    const alone = this.#isOffered === null ? 1 : 0;
    const lists = (some: readonly BlockTransaction[]): Promise<MissingKeys[]> =>
      Promise.all(some.map((transaction) => this.ofCall(callOf(transaction), anchor)));
    const first = await lists(transactions.slice(0, alone));
    return mergedMissingKeys([...first, ...(await lists(transactions.slice(alone)))]);
  }

  /** The keys that a call reads. `call` is in the form of eth_call. */
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

function callOf({ from, to, gasLimit, value, data }: BlockTransaction): object {
  const called = to === null ? {} : { to: toHex(to) };
  return { from: toHex(from), ...called, gas: toQuantity(gasLimit), value: toQuantity(value), input: toHex(data) };
}

const ADDRESS = /^0x[0-9a-f]{40}$/i;
const WORD = /^0x[0-9a-f]{64}$/i;

/** The keys in a response. Malformed entries are left out. */
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
