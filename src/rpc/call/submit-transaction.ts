// Submits transactions: to the dev chain's transaction pool, or to a live chain's upstream node.
import { monotonicMs } from '../../lib/clock.js';
import { fromHex, parseHex, toHex } from '../../lib/bytes/hex.js';
import { rpcError } from '../../rpc-errors.js';
import { LIMITS } from '../../limits/index.js';
import { keccak256 } from '../../lib/bytes/keccak.js';
import type { TransactionReference, AcceptedTransaction } from '../../feed/feed.js';
import type { PublisherHost } from '../../publisher/publisher-host.js';
import type { NonceSharingGroupEvent } from '../../publisher/publisher-protocol.js';
import { withoutSidecar } from '../../transaction/split-blob-sidecar.js';
import type { ReadView } from '../view/pinned-read-view.js';
import { type CallResult, isError } from '../answer/call-result.js';
import type { SubmittedTransactionTracker } from './submitted-transaction-tracker.js';
import type { SubmittedRawTransaction } from './submitted-nonces.js';
import type { BackingNode } from '../view/backing-node.js';

/** A transaction's nonce that is too high, and the next nonce that the newest state expects. */
export interface NonceGap {
  readonly from: Uint8Array;
  readonly nonce: bigint;
  readonly expected: bigint;
}

/** Submits signed transactions, and answers questions about those that are pending. */
export interface TransactionSubmitter {
  /**
   * True if pending transactions are tracked here, so that it is certain whether an accepted transaction leaves a nonce
   * gap.
   */
  readonly knowsGaps: boolean;
  /** Submits a client's transaction. Returns the transaction hash as JSON, or the error with which it is refused. */
  submit(raw: Uint8Array, client: string | undefined): Promise<CallResult>;
  /**
   * Forwards another node-specific method that submits a transaction to the node, and tracks the transaction. Returns
   * `null` if the method does not submit one, or if transactions are not tracked.
   */
  passOn(method: string, params: readonly unknown[], client: string | undefined): Promise<CallResult> | null;
  /**
   * Returns the nonce gap because of which a transaction waits for another one of its sender; `null` if there is none
   * or it is unknown. A gap that pending transactions fill does not count.
   */
  gap(raw: Uint8Array): Promise<NonceGap | null>;
  /**
   * Returns a transaction that the dev chain has accepted but not published in a block yet; `null` if there is none.
   */
  waiting(named: TransactionReference): Promise<AcceptedTransaction | null>;
  /** Tracks a transaction that another instance of the group has submitted, and acknowledges the event. */
  learn(event: NonceSharingGroupEvent): void;
  /** Calls `at` with a read view of the newest state version, and returns its result. */
  look<T>(at: (readView: ReadView) => T): T;
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
export function isAlreadyKnown(result: CallResult): boolean {
  return isError(result) && KNOWN.test(result.message);
}

export function createTransactionSubmitter(deps: TransactionSubmitterDeps): TransactionSubmitter {
  const { host, backing, own } = deps;
  return {
    knowsGaps: own !== null,
    submit: (raw, client) => {
      if (backing === null) return host.ask({ kind: 'transaction', raw });
      return own === null ? sentOn(raw, backing) : counted(raw, client, () => sentOn(raw, backing), own, deps);
    },
    passOn: (method, params, client) => {
      const [tag] = params;
      const raw = typeof tag === 'string' && tag.startsWith('0x') ? parseHex(tag, 2) : null;
      if (raw === null || own === null || backing === null || !SEND_RAW.test(method)) return null;
      const send = (): Promise<CallResult> => backing.request(method, params, monotonicMs() + LIMITS.passedOnMsMax);
      return counted(raw, client, send, own, deps);
    },
    gap: (raw) => gapOf(raw, deps),
    waiting: async (named) => (backing === null ? waitingIn(await host.ask({ kind: 'waiting', named })) : null),
    learn: (event) => void learned(event, deps),
    look: (at) => readAt(deps.readView(), at),
  };
}

function sentOn(raw: Uint8Array, backing: BackingNode): Promise<CallResult> {
  return backing.request('eth_sendRawTransaction', [toHex(raw)], monotonicMs() + LIMITS.passedOnMsMax);
}

/** Submits a transaction and tracks it. Its sender is recovered while the node processes it. */
async function counted(
  raw: Uint8Array,
  client: string | undefined,
  send: () => Promise<CallResult>,
  own: SubmittedTransactionTracker,
  deps: TransactionSubmitterDeps,
): Promise<CallResult> {
  const submitted = own.submit(raw, client);
  if (submitted === null) return rpcError('overload', 'too many transactions on their way');
  const sign = async (): Promise<Signed | null> => {
    const signed = await signerOf(submitted.raw, deps);
    if (signed !== null) own.sign(submitted, fromHex(signed.from), BigInt(signed.nonce));
    return signed;
  };
  const [answer, signed] = await Promise.all([send(), sign()]);
  if (isError(answer) && !isAlreadyKnown(answer)) {
    own.refuse(submitted);
    return answer;
  }
  own.accept(submitted, headOf(deps));
  if (signed !== null) await report(submitted, signed, deps);
  return answer;
}

/**
 * Reports a submitted transaction to the group, and waits until all instances count it in their `pending` nonces,
 * because the client's next request may go to another instance.
 */
async function report(
  { raw, client, atMs }: SubmittedRawTransaction,
  { from, nonce }: Signed,
  { host }: TransactionSubmitterDeps,
): Promise<void> {
  const send = { raw, from: fromHex(from), nonce: BigInt(nonce), client, ageMs: monotonicMs() - atMs };
  await host.ask({ kind: 'report', send, to: null });
}

async function learned(event: NonceSharingGroupEvent, deps: TransactionSubmitterDeps): Promise<void> {
  const { own, host } = deps;
  if (own === null) return;
  if (event.kind === 'member') {
    for (const send of own.reports()) await host.ask({ kind: 'report', send, to: event.member });
    return;
  }
  own.learn(event.send, headOf(deps));
  await host.ask({ kind: 'acknowledge', member: event.member, send: event.sendId });
}

/** Returns the number of the newest block. */
function headOf({ readView }: TransactionSubmitterDeps): number {
  return readAt(readView(), ({ pinned }) => pinned.record.heads.latest);
}

/**
 * Sender and nonce of a transaction as the publisher returns them: an address and a quantity, both hexadecimal text.
 */
interface Signed {
  readonly from: string;
  readonly nonce: string;
}

function waitingIn(answer: CallResult): AcceptedTransaction | null {
  const found =
    typeof answer === 'string' ? (JSON.parse(answer) as { readonly from: string; readonly raw: string } | null) : null;
  if (found === null) return null;
  const raw = fromHex(found.raw);
  return { hash: keccak256(raw), from: fromHex(found.from), raw };
}

async function signerOf(raw: Uint8Array, { host }: TransactionSubmitterDeps): Promise<Signed | null> {
  const sender = await host.ask({ kind: 'sender', raw });
  return typeof sender === 'string' ? (JSON.parse(sender) as Signed | null) : null;
}

async function gapOf(raw: Uint8Array, deps: TransactionSubmitterDeps): Promise<NonceGap | null> {
  const signed = await signerOf(withoutSidecar(raw), deps);
  if (signed === null) return null;
  const { from, nonce } = signed;
  const address = fromHex(from);
  const stateNonce = await nonceOf(address, deps);
  const expected = stateNonce === null ? null : (deps.own?.nextSent(address, stateNonce) ?? stateNonce);
  return expected === null || BigInt(nonce) <= expected ? null : { from: address, nonce: BigInt(nonce), expected };
}

/** Returns the account's nonce in the newest state; `null` if the state table lacks it and it cannot be fetched. */
async function nonceOf(address: Uint8Array, { backing, readView }: TransactionSubmitterDeps): Promise<bigint | null> {
  const untilMs = monotonicMs() + LIMITS.fillMsMax;
  for (let tries = 0; tries < LIMITS.fillTriesMax; tries++) {
    const { nonce, missingKeys } = readNonce(address, readView());
    if (missingKeys === null) return nonce;
    if (backing === null || (await backing.fill(missingKeys, untilMs)) !== null) return null;
  }
  return null;
}

function readNonce(
  address: Uint8Array,
  readView: ReadView,
): { readonly nonce: bigint; readonly missingKeys: ReturnType<ReadView['takeMissingKeys']> } {
  return readAt(readView, (view) => {
    const { version, record } = view.pinned;
    const position = { kind: 'version', version, block: record.coordinates.block } as const;
    const nonce = view.view(position).account(address)?.nonce ?? 0n;
    return { nonce, missingKeys: view.takeMissingKeys() };
  });
}

function readAt<T>(readView: ReadView, at: (readView: ReadView) => T): T {
  readView.pinned.begin();
  try {
    return at(readView);
  } finally {
    readView.pinned.end();
  }
}
