// Questions of main, answered by what the feed can do. Runs on the publisher.
import type { Feed, SignedTransaction } from '../feed/feed.js';
import { toHex, toQuantity } from '../lib/bytes/hex.js';
import { nonceOf } from '../transaction/raw-fields.js';
import { senderOf } from '../transaction/sender.js';
import { UpstreamError } from '../upstream/upstream.js';
import type { FromPublisher, Question } from './protocol.js';

type Answering = Pick<Feed, 'submit' | 'waiting' | 'waitingAt' | 'snapshots' | 'upstream'>;
type Asked<Kind extends Question['kind']> = Extract<Question, { kind: Kind }>;

/** The answer to a question; a feed that cannot do what is asked for refuses. */
export function answer(question: Question, feed: Answering): Promise<FromPublisher> {
  switch (question.kind) {
    case 'transaction':
      return submitted(question, feed);
    case 'sender':
      return Promise.resolve({ kind: 'response', id: question.id, result: senderText(question.raw) });
    case 'waiting':
      return Promise.resolve({ kind: 'response', id: question.id, result: waitingText(feed.waiting?.(question.hash)) });
    case 'waitingAt': {
      const result = waitingText(feed.waitingAt?.(question.from, question.nonce));
      return Promise.resolve({ kind: 'response', id: question.id, result });
    }
    case 'snapshot':
    case 'revert':
      return snapshotted(question, feed);
    case 'fill':
      return filled(question, feed);
    case 'request':
      return requested(question, feed);
  }
}

async function submitted({ id, raw }: Asked<'transaction'>, feed: Answering): Promise<FromPublisher> {
  const submission = await feed.submit?.(raw);
  if (submission === undefined) return { kind: 'rejected', id, message: 'the chain takes no transactions here' };
  if (!submission.accepted) return { kind: 'rejected', id, message: submission.message };
  return { kind: 'accepted', id, hash: submission.hash };
}

function senderText(raw: Uint8Array): string {
  const sender = senderOf(raw);
  const nonce = nonceOf(raw);
  return JSON.stringify(
    sender === null || nonce === null ? null : { from: toHex(sender.address), nonce: toQuantity(nonce) },
  );
}

function waitingText(found: SignedTransaction | null = null): string {
  return JSON.stringify(found === null ? null : { from: toHex(found.from), raw: toHex(found.raw) });
}

/** `null` where the chain takes no snapshots. */
async function snapshotted(question: Asked<'snapshot' | 'revert'>, { snapshots }: Answering): Promise<FromPublisher> {
  const result = question.kind === 'snapshot' ? snapshots?.take() : snapshots?.goBack(question.snapshot);
  return { kind: 'response', id: question.id, result: JSON.stringify((await result) ?? null) };
}

async function filled({ id, wants, purpose }: Asked<'fill'>, { upstream }: Answering): Promise<FromPublisher> {
  if (upstream === undefined) return { kind: 'unfilled', id, message: 'nothing is missing here' };
  try {
    await upstream.fill(wants, purpose);
    return { kind: 'filled', id };
  } catch (error) {
    return { kind: 'unfilled', id, message: ofUpstream(error).message };
  }
}

async function requested(question: Asked<'request'>, { upstream }: Answering): Promise<FromPublisher> {
  const { id, method, params, untilMs } = question;
  if (upstream === undefined) return { kind: 'refusal', id, message: 'there is no upstream node', rpc: null };
  try {
    const result = await upstream.request(method, params, untilMs);
    return { kind: 'response', id, result: JSON.stringify(result ?? null) };
  } catch (error) {
    const { message, rpc } = ofUpstream(error);
    return { kind: 'refusal', id, message, rpc };
  }
}

/** Throws any other error on: that is a bug, and ends the thread. */
function ofUpstream(error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error;
  throw error;
}
