// Submits transactions: to the dev chain's transaction pool, or to a live chain's upstream node.
import { monotonicMs } from '../../lib/clock.js';
import { fromHex, parseHex, toHex } from '../../lib/bytes/hex.js';
import { rpcError } from '../../rpc-errors.js';
import { LIMITS } from '../../limits/index.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import type { HashOrSenderNonce, AcceptedTransaction } from '../../feed/feed.js';
import type { PublisherHost } from '../../publisher/publisher-host.js';
import type { NonceSharingGroupEvent } from '../../publisher/publisher-protocol.js';
import { withoutSidecar } from '../../transaction/split-blob-sidecar.js';
import type { ReadView } from '../view/pinned-read-view.js';
import { type RpcCallOutcome, isError } from '../answer/call-result.js';
import type { SubmittedTransactionTracker } from './submitted-transaction-tracker.js';
import type { SubmittedRawTransaction } from './submitted-nonces.js';
import type { SenderNonce } from '../view/sender-nonce-search.js';
import type { BackingNode } from '../view/upstream-node-access.js';

/** A transaction's nonce that is too high, and the next nonce that the newest state expects. */
export interface NonceGap extends SenderNonce {
  readonly expected: bigint;
}

interface TransactionSubmitterDeps {
  readonly host: Pick<PublisherHost, 'ask'>;
  /** The upstream node; `null` on a dev chain, or if this is a replica that submits transactions to its executor. */
  readonly backing: BackingNode | null;
  /** The tracked transactions; `null` if transactions are not tracked. */
  readonly own: SubmittedTransactionTracker | null;
  readonly readView: () => ReadView;
}

/**
 * Matches methods of some nodes whose first parameter is a signed transaction: eth_sendRawTransactionConditional of
 * OP-Stack nodes, which includes the transaction only in a block that meets certain conditions, and
 * base_sendRawTransactionValidity.
 */
const SEND_RAW = /^[a-z]+_sendRawTransaction[A-Z]\w*$/;

/** Matches the error messages of nodes that already have the transaction: go-ethereum, reth, Besu and others. */
const KNOWN = /already.?known|already imported|^known transaction/i;

/** True if a refusal says that the node already has the transaction. */
export function isAlreadyKnown(result: RpcCallOutcome): boolean {
  return isError(result) && KNOWN.test(result.message);
}

/** Submits signed transactions, and answers questions about those that are pending. */
export class TransactionSubmitter {
  readonly #deps: TransactionSubmitterDeps;

  constructor(deps: TransactionSubmitterDeps) {
    this.#deps = deps;
  }

  /**
   * True if this program tracks pending transactions, so that it is certain whether an accepted transaction leaves a
   * nonce gap.
   */
  get knowsGaps(): boolean {
    return this.#deps.own !== null;
  }

  /** Submits a client's transaction. Returns the transaction hash as JSON, or the error with which it is refused. */
  submit(raw: Uint8Array, client: string | undefined): Promise<RpcCallOutcome> {
    const { host, backing, own } = this.#deps;
    if (backing === null) return host.ask({ kind: 'transaction', raw });
    const send = (): Promise<RpcCallOutcome> =>
      backing.request('eth_sendRawTransaction', [toHex(raw)], monotonicMs() + LIMITS.passedOnMsMax);
    return own === null ? send() : this.#tracked(raw, client, send, own);
  }

  /**
   * If a node-specific method submits a transaction, forwards the call to the node and tracks the transaction. Returns
   * `null` if the method does not submit a transaction, or if transactions are not tracked.
   */
  passOn(method: string, params: readonly unknown[], client: string | undefined): Promise<RpcCallOutcome> | null {
    const { backing, own } = this.#deps;
    const [tag] = params;
    const raw = typeof tag === 'string' && tag.startsWith('0x') ? parseHex(tag, 2) : null;
    if (raw === null || own === null || backing === null || !SEND_RAW.test(method)) return null;
    const send = (): Promise<RpcCallOutcome> => backing.request(method, params, monotonicMs() + LIMITS.passedOnMsMax);
    return this.#tracked(raw, client, send, own);
  }

  /**
   * Returns the nonce gap because of which a transaction waits for another transaction of its sender; `null` if there
   * is no gap or it is unknown. A gap that pending transactions fill does not count.
   */
  async gap(raw: Uint8Array): Promise<NonceGap | null> {
    const signed = await this.#signerOf(withoutSidecar(raw));
    if (signed === null) return null;
    const { from, nonce } = signed;
    const stateNonce = await this.#nonceOf(from);
    const expected = stateNonce === null ? null : (this.#deps.own?.nextSent(from, stateNonce) ?? stateNonce);
    return expected === null || nonce <= expected ? null : { from, nonce, expected };
  }

  /**
   * Returns a transaction that the dev chain has accepted but not published in a block yet; `null` if there is none.
   */
  async waiting(named: HashOrSenderNonce): Promise<AcceptedTransaction | null> {
    const { host, backing } = this.#deps;
    if (backing !== null) return null;
    const answer = await host.ask({ kind: 'waiting', named });
    const found = parsed(answer) as { readonly from: string; readonly raw: string } | null;
    if (found === null) return null;
    const raw = fromHex(found.raw);
    return { hash: keccak256(raw), from: fromHex(found.from), raw };
  }

  /** Tracks a transaction that another instance of the group has submitted, and acknowledges the event. */
  learn(event: NonceSharingGroupEvent): void {
    const { own } = this.#deps;
    if (own !== null) void this.#learn(event, own);
  }

  /** Calls `at` with a read view of the newest state version, and returns the result of `at`. */
  look<T>(at: (readView: ReadView) => T): T {
    return this.#deps.readView().atNewest(at);
  }

  /** Submits a transaction and tracks it. Its sender is recovered while the node processes it. */
  async #tracked(
    raw: Uint8Array,
    client: string | undefined,
    send: () => Promise<RpcCallOutcome>,
    own: SubmittedTransactionTracker,
  ): Promise<RpcCallOutcome> {
    const submitted = own.submit(raw, client);
    if (submitted === null) return rpcError('overload', 'too many transactions on their way');
    const sign = async (): Promise<SenderNonce | null> => {
      const signed = await this.#signerOf(submitted.raw);
      if (signed !== null) own.sign(submitted, signed.from, signed.nonce);
      return signed;
    };
    const [answer, signed] = await Promise.all([send(), sign()]);
    if (isError(answer) && !isAlreadyKnown(answer)) {
      own.refuse(submitted);
      return answer;
    }
    own.accept(submitted, this.#head());
    if (signed !== null) await this.#report(submitted, signed);
    return answer;
  }

  /**
   * Reports a submitted transaction to the group, and waits until all instances count it in their `pending` nonces,
   * because the client's next request may go to another instance.
   */
  async #report({ raw, client, atMs }: SubmittedRawTransaction, { from, nonce }: SenderNonce): Promise<void> {
    const send = { raw, from, nonce, client, ageMs: monotonicMs() - atMs };
    await this.#deps.host.ask({ kind: 'report', send, to: null });
  }

  async #learn(event: NonceSharingGroupEvent, own: SubmittedTransactionTracker): Promise<void> {
    const { host } = this.#deps;
    if (event.kind === 'member') {
      for (const send of own.reports()) await host.ask({ kind: 'report', send, to: event.member });
      return;
    }
    own.learn(event.send, this.#head());
    await host.ask({ kind: 'acknowledge', member: event.member, send: event.sendId });
  }

  /** Returns the number of the newest block. */
  #head(): number {
    return this.look(({ pinned }) => pinned.record.heads.latest);
  }

  /** Returns sender and nonce of a transaction, which the publisher recovers. */
  async #signerOf(raw: Uint8Array): Promise<SenderNonce | null> {
    const answer = await this.#deps.host.ask({ kind: 'sender', raw });
    const found = parsed(answer) as { readonly from: string; readonly nonce: string } | null;
    return found === null ? null : { from: fromHex(found.from), nonce: BigInt(found.nonce) };
  }

  /** Returns the account's nonce in the newest state; `null` if the state table lacks it and it cannot be fetched. */
  async #nonceOf(address: Uint8Array): Promise<bigint | null> {
    const { backing } = this.#deps;
    const untilMs = monotonicMs() + LIMITS.fillMsMax;
    for (let tries = 0; tries < LIMITS.fillTriesMax; tries++) {
      const { nonce, missingKeys } = this.look((readView) => {
        const account = readView.pendingState().account(address);
        return { nonce: account?.nonce ?? 0n, missingKeys: readView.takeMissingKeys() };
      });
      if (missingKeys === null) return nonce;
      if (backing === null || (await backing.fill(missingKeys, untilMs)) !== null) return null;
    }
    return null;
  }
}

/** Parses an answer of the publisher, which is JSON; `null` if it is an error. */
function parsed(answer: RpcCallOutcome): unknown {
  return typeof answer === 'string' ? JSON.parse(answer) : null;
}
