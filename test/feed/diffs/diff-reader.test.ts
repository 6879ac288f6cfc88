// Diffs requested from a node: the methods called, refusals, and accounts to read again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { UpstreamDiffReader, type DiffRequest } from '../../../src/feed/diffs/diff-reader.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { UpstreamError } from '../../../src/upstream/upstream.js';
import { bytes } from '../../support/memory-view.js';
import { BLOCKLESS } from './blockless.js';

const FROM = bytes('01', 20);
const FACTORY = bytes('02', 20);
const BORN = bytes('03', 20);
const HASHES = [bytes('a1', 32), bytes('a2', 32)];
const EMPTY_LIST = keccak256(fromHex('0xc0'));
const BLOCK: DiffRequest = {
  block: { number: 7, hash: bytes('b1', 32) },
  accessListHash: EMPTY_LIST,
  transactions: HASHES.map((hash) => ({ hash, from: FROM, to: FACTORY })),
};

type Answers = Readonly<Record<string, unknown>>;

/** A node that responds to each method with one result, or refuses it. */
function readerOf(answers: Answers): { readonly reader: UpstreamDiffReader; readonly requested: string[] } {
  const requested: string[] = [];
  const request = (method: string, params: readonly unknown[]): Promise<unknown> => {
    requested.push(JSON.stringify([method, ...params]));
    if (method in answers) return Promise.resolve(answers[method]);
    return Promise.reject(new UpstreamError('refused', `${method} is not offered`));
  };
  return { reader: new UpstreamDiffReader({ ...BLOCKLESS, request }), requested };
}

const nonces = (nonce: number): unknown => ({ balance: '0x1', nonce });
/** The second transaction increments the factory's nonce but shows no new account. */
const TRACES = [
  { result: { pre: { [toHex(FROM)]: nonces(1) }, post: { [toHex(FROM)]: { nonce: 2 } } } },
  {
    result: {
      pre: { [toHex(FROM)]: nonces(2), [toHex(FACTORY)]: nonces(5) },
      post: { [toHex(FROM)]: { nonce: 3 }, [toHex(FACTORY)]: { nonce: 6 } },
    },
  },
];

void test('prestateTracer is called by hash, and callTracer for transactions that may hide a creation', async () => {
  const calls = { type: 'CALL', calls: [{ type: 'CREATE2', to: toHex(BORN) }] };
  const { reader, requested } = readerOf({ debug_traceBlockByHash: TRACES, debug_traceTransaction: calls });
  const diff = await reader.read('prestate', BLOCK);
  assert.ok(diff.kind === 'traced');
  assert.deepEqual(diff.writes.unverified.map(toHex), [toHex(BORN)]);
  assert.equal(diff.writes.fieldsOf(FROM).nonce, 3n);
  assert.equal(diff.diffs.length, 2);
  assert.deepEqual(requested, [
    JSON.stringify([
      'debug_traceBlockByHash',
      toHex(BLOCK.block.hash),
      { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
    ]),
    JSON.stringify(['debug_traceTransaction', toHex(HASHES[1]!), { tracer: 'callTracer' }]),
  ]);
  assert.deepEqual(reader.offered, { accessList: null, prestate: true });
});

void test('an access list is requested by hash, and not found for a block that the node does not know', async () => {
  const { reader, requested } = readerOf({ eth_getBlockAccessList: [] });
  assert.equal((await reader.read('accessList', BLOCK)).kind, 'list');
  assert.deepEqual(requested, [JSON.stringify(['eth_getBlockAccessList', toHex(BLOCK.block.hash)])]);
  const unknown = readerOf({ eth_getBlockAccessList: null }).reader.read('accessList', BLOCK);
  await assert.rejects(unknown, (error) => error instanceof UpstreamError && error.kind === 'notFound');
});

void test('a block without transactions is not traced', async () => {
  const { reader, requested } = readerOf({});
  assert.equal((await reader.read('prestate', { ...BLOCK, transactions: [] })).kind, 'traced');
  assert.deepEqual(requested, []);
});

void test('a source that is refused is remembered, any other failure is passed on', async () => {
  const { reader } = readerOf({});
  const refused = await reader.read('prestate', BLOCK);
  assert.deepEqual(refused, { kind: 'refused', reason: 'debug_traceBlockByHash is not offered' });
  assert.deepEqual(reader.offered, { accessList: null, prestate: false });
  const malformed = readerOf({ debug_traceBlockByHash: [] }).reader;
  await assert.rejects(malformed.read('prestate', BLOCK), UpstreamError);
  assert.equal(malformed.offered.prestate, null);
});
