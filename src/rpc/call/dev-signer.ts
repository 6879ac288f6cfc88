// Signs for the dev chain's accounts: one transaction of an account at a time, for its nonce.
import { rpcError, type RpcError } from '../../errors.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { fromHex, toHex } from '../../lib/bytes/hex.js';
import { LIMITS } from '../../limits/index.js';
import type { PublisherHost } from '../../publisher/publisher-host.js';
import type { CallResult } from '../answer/call-result.js';

/** The ten accounts, whose keys the publisher has. */
export class DevSigner {
  readonly accounts: readonly Uint8Array[];
  readonly #host: Pick<PublisherHost, 'ask'>;
  /** For each account (address as hex), a promise that settles when its last transaction is answered. */
  readonly #last = new Map<string, Promise<unknown>>();
  #waiting = 0;

  constructor(accounts: readonly Uint8Array[], host: Pick<PublisherHost, 'ask'>) {
    this.accounts = accounts;
    this.#host = host;
  }

  /** True if this account is one of the ten. */
  has(account: Uint8Array): boolean {
    return this.accounts.some((each) => sameBytes(each, account));
  }

  /** Signs a 32-byte digest; returns r, s and the parity of y. */
  async sign(account: Uint8Array, digest: Uint8Array): Promise<Uint8Array | RpcError> {
    const signed = await this.#host.ask({ kind: 'sign', account, digest });
    return typeof signed === 'string' ? fromHex(JSON.parse(signed) as string) : signed;
  }

  /** Calls `send` when the account's earlier transactions are answered. */
  async inTurn(account: Uint8Array, send: () => Promise<CallResult>): Promise<CallResult> {
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
