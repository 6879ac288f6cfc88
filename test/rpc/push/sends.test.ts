// The topic of submitted transactions: which client receives which status, and how many filters a client may have.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Usage } from '../../../src/fairness/usage.js';
import { Quota } from '../../../src/fairness/quota.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { keccak256 } from '../../../src/lib/bytes/keccak.js';
import { LIMITS } from '../../../src/limits/index.js';
import { OwnTransactions } from '../../../src/rpc/call/own-sends.js';
import { ChainEvents } from '../../../src/rpc/push/chain-events.js';
import { SubmissionEvents, type SendFilter } from '../../../src/rpc/push/sends.js';
import type { SubscriptionUpdates, Topic } from '../../../src/rpc/push/subscriptions.js';
import type { ExecutedBlocks } from '../../../src/rpc/view/executed-blocks.js';
import { devWallet, signed } from '../../feed/keys.js';

const FROM = fromHex(devWallet(0).address);
const SENDER = toHex(FROM);

function desk(): {
  book: OwnTransactions;
  reported: SubmissionEvents;
  send: (client: string, nonce: number) => string;
} {
  const shares = new Quota(new Usage(), 'sendBytes', Infinity, Infinity);
  const book = new OwnTransactions({ shares, nowMs: () => 0, stateNonce: () => 0n });
  const reported = new SubmissionEvents(book, new ChainEvents(), {} as ExecutedBlocks);
  const send = (client: string, nonce: number): string => {
    const raw = signed(devWallet(0), { nonce });
    const handed = book.submit(raw, client)!;
    book.sign(handed, FROM, BigInt(nonce));
    book.accept(handed, 1, null);
    return toHex(keccak256(raw));
  };
  return { book, reported, send };
}

const filter = (client: string, more: Partial<SendFilter> = {}): SendFilter => {
  return { client, from: null, hashes: null, ...more };
};

/** Opens a topic; hashes of what is said go to `said`. */
function open(topic: Topic | object, said: string[]): SubscriptionUpdates {
  return (topic as Topic).begin!((text) => said.push(...hashesOf(text)));
}

function hashesOf(text: string): string[] {
  return (JSON.parse(text) as { hash: string }[]).map(({ hash }) => hash);
}

test('a client receives the status of its own transactions, filtered by sender, and of hashes that it names', () => {
  const { reported: told, send } = desk();
  const named = toHex(keccak256(signed(devWallet(0), { nonce: 2 })));
  const [own, sender, other, hash]: string[][] = [[], [], [], []];
  const speeches = [
    open(told.topic(filter('a')), own!),
    open(told.topic(filter('a', { from: new Set([SENDER]) })), sender!),
    open(told.topic(filter('a', { from: new Set([`0x${'11'.repeat(20)}`]) })), other!),
    open(told.topic(filter('c', { hashes: new Set([named]) })), hash!),
  ];
  const hashes = [send('a', 0), send('b', 1), send('b', 2)];
  assert.deepEqual([own, sender, other, hash], [[hashes[0]], [hashes[0]], [], [named]]);
  assert.deepEqual(
    speeches.map(({ words }) => words),
    [1, 1, 0, 1],
  );
  assert.deepEqual(
    speeches.map((speech) => hashesOf(speech.whole() ?? '[]')),
    [own, sender, other, hash],
  );
  for (const speech of speeches) speech.end();
  send('a', 3);
  assert.deepEqual([own!.length, hash!.length], [1, 1]);
});

test('a client has a bound of filters, freed when they end; other clients have their own', () => {
  const { reported: told } = desk();
  const speeches = Array.from({ length: LIMITS.ownSendFiltersPerClientMax }, (_, at) => {
    const address = `0x${at.toString(16).padStart(40, '0')}`;
    return open(told.topic(filter('a', { from: new Set([address]) })), []);
  });
  const refusal = told.topic(filter('a', { hashes: new Set() }));
  assert.deepEqual(refusal, { error: 'overload', message: 'too many filters of transactions (max 100)' });
  assert.ok('begin' in told.topic(filter('b')));
  speeches[0]!.end();
  assert.ok('begin' in told.topic(filter('a')));
});

test('a poll returns the newest transactions up to the bound', () => {
  const { reported: told, send } = desk();
  const hashes = Array.from({ length: LIMITS.ownSendsToldMax + 3 }, (_, nonce) => send('a', nonce));
  const texts = told.texts(filter('a'));
  assert.deepEqual(hashesOf(`[${texts.join()}]`), hashes.slice(3));
});
