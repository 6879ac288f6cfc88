// Signs for the dev chain's accounts. Transactions of one account are processed one at a time, so that each gets the
// next nonce.
import { rpcError, type RpcError } from '../../rpc-errors.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { fromHex, toHex } from '../../lib/bytes/hex.js';
import { LIMITS } from '../../limits/index.js';
import type { PublisherHost } from '../../publisher/publisher-host.js';
import type { RpcCallOutcome } from '../answer/call-result.js';

/** Signs for the ten dev accounts. Their keys are on the publisher thread. */
export class DevSigner {
  readonly accounts: readonly Uint8Array[];
  readonly #host: Pick<PublisherHost, 'ask'>;
  /** For each account (address as hex), a promise that settles when the account's last transaction is answered. */
  readonly #last = new Map<string, Promise<unknown>>();
  #waiting = 0;

  constructor(accounts: readonly Uint8Array[], host: Pick<PublisherHost, 'ask'>) {
    this.accounts = accounts;
    this.#host = host;
  }

  /** True if this account is one of the ten dev accounts. */
  has(account: Uint8Array): boolean {
    return this.accounts.some((each) => sameBytes(each, account));
  }

  /** Signs a 32-byte digest. Returns r, s and the parity of y, or an error. */
  async sign(account: Uint8Array, digest: Uint8Array): Promise<Uint8Array | RpcError> {
    const signed = await this.#host.ask({ kind: 'sign', account, digest });
    return typeof signed === 'string' ? fromHex(JSON.parse(signed) as string) : signed;
  }

  /** Calls `send` when all earlier transactions of the account are answered. */
  async inTurn(account: Uint8Array, send: () => Promise<RpcCallOutcome>): Promise<RpcCallOutcome> {
    if (this.#waiting >= LIMITS.poolTransactionsPerSenderMax) return rpcError('overload');
    this.#waiting++;
    const key = toHex(account);
    const next = (this.#last.get(key) ?? Promise.resolve()).then(send, send);
    this.#last.set(key, next);
    try {
      return await next;
    } finally {
      this.#waiting--;
    }
  }
}
