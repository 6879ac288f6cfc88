// Answers the main thread's requests by calling the feed.
import { signDigestAsDevAccount } from '../feed/dev/sign-digest.js';
import type { Feed, AcceptedTransaction } from '../feed/feed.js';
import { toHex, toQuantity } from '../lib/bytes/hex.js';
import { rawTransactionNonce } from '../transaction/raw-transaction-fields.js';
import { recoverSender } from '../transaction/recover-sender.js';
import { UpstreamError } from '../upstream/upstream.js';
import type { PublisherRequestReply, PublisherRequest, NumberedRequest } from './publisher-protocol.js';

type Answering = Pick<Feed, 'submit' | 'waiting' | 'snapshots' | 'upstream' | 'group'>;
type RequestOf<Kind extends PublisherRequest['kind']> = Extract<PublisherRequest, { kind: Kind }>;
/** The result of a request that has failed. */
type Refused = { readonly message: string } & (
  | { readonly kind: 'rejected' }
  | Pick<Extract<PublisherRequestReply, { kind: 'refusal' }>, 'kind' | 'rpc'>
);

/** Runs a request and returns the reply. If the feed does not support the request, the reply says so. */
export async function handleMainThreadRequest(
  { id, ...request }: NumberedRequest,
  feed: Answering,
): Promise<PublisherRequestReply> {
  const result = await resultOf(request, feed);
  return typeof result === 'string' ? { kind: 'response', id, result } : { id, ...result };
}

async function resultOf(request: PublisherRequest, feed: Answering): Promise<string | Refused> {
  switch (request.kind) {
    case 'transaction':
      return submitted(request, feed);
    case 'sender':
      return senderText(request.raw);
    case 'waiting':
      return waitingText(feed.waiting?.(request.named));
    case 'snapshot':
      return textOf(await feed.snapshots?.take());
    case 'revert':
      return textOf(await feed.snapshots?.goBack(request.snapshot));
    case 'sign':
      return signatureText(request);
    case 'report':
      await feed.group?.report(request.send, request.to);
      return '';
    case 'acknowledge':
      feed.group?.acknowledge(request.member, request.send);
      return '';
    case 'fill':
      return filled(request, feed);
    case 'request':
      return requested(request, feed);
  }
}

async function submitted({ raw }: RequestOf<'transaction'>, feed: Answering): Promise<string | Refused> {
  const submission = await feed.submit?.(raw);
  if (submission === undefined) return { kind: 'rejected', message: 'the chain takes no transactions here' };
  return submission.accepted ? textOf(toHex(submission.hash)) : { kind: 'rejected', message: submission.message };
}

function senderText(raw: Uint8Array): string {
  const sender = recoverSender(raw);
  const nonce = rawTransactionNonce(raw);
  return textOf(sender === null || nonce === null ? null : { from: toHex(sender.address), nonce: toQuantity(nonce) });
}

function signatureText({ account, digest }: RequestOf<'sign'>): string | Refused {
  const signature = signDigestAsDevAccount(account, digest);
  return signature === null ? { kind: 'rejected', message: 'unknown account' } : textOf(toHex(signature));
}

function waitingText(found: AcceptedTransaction | null = null): string {
  return textOf(found === null ? null : { from: toHex(found.from), raw: toHex(found.raw) });
}

function textOf(result: unknown): string {
  return JSON.stringify(result ?? null);
}

async function filled({ missing, purpose }: RequestOf<'fill'>, { upstream }: Answering): Promise<string | Refused> {
  if (upstream === undefined) return { kind: 'refusal', message: 'nothing is missing here', rpc: null };
  try {
    await upstream.fill(missing, purpose);
    return '';
  } catch (error) {
    return { kind: 'refusal', message: ofUpstream(error).message, rpc: null };
  }
}

async function requested(request: RequestOf<'request'>, { upstream }: Answering): Promise<string | Refused> {
  const { method, params, untilMs } = request;
  if (upstream === undefined) return { kind: 'refusal', message: 'there is no upstream node', rpc: null };
  try {
    return textOf(await upstream.request(method, params, untilMs));
  } catch (error) {
    const { message, rpc } = ofUpstream(error);
    return { kind: 'refusal', message, rpc };
  }
}

/**
 * Returns an upstream error, so that it can be sent as a reply. Any other error is a bug: it is thrown again and ends
 * the thread.
 */
function ofUpstream(error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error;
  throw error;
}
