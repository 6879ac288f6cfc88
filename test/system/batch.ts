// Several calls in one body: answered in order, from one snapshot.
import assert from 'node:assert/strict';
import type { RpcAnswer, Server } from '../support/server.js';

export type Call = readonly [method: string, ...params: unknown[]];

export interface Block {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly timestamp: string;
  readonly transactions: readonly string[];
}

/** Results of a batch, and the position of the snapshot they were read from: block x 2^20 + increment. */
export interface Results {
  readonly results: readonly unknown[];
  readonly position: number;
}

const INCREMENTS_MAX = 2 ** 20;

/** The responses, some of which may be errors. */
export async function queryAll(server: Server, calls: readonly Call[]): Promise<{ answers: RpcAnswer[]; at: Headers }> {
  const body = calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }));
  const { status, headers, text } = await server.post(JSON.stringify(body));
  const answers = JSON.parse(text) as RpcAnswer[];
  const isRefused = answers.every(({ error }) => error?.code === -32_005);
  assert.equal(status, isRefused ? 429 : 200, text.slice(0, 200));
  assert.deepEqual(
    answers.map(({ id }) => id),
    calls.map((_, id) => id),
  );
  return { answers, at: headers };
}

/** The results; an error fails the test. */
export async function batch(server: Server, ...calls: readonly Call[]): Promise<Results> {
  const { answers, at } = await queryAll(server, calls);
  for (const [i, { error }] of answers.entries())
    assert.equal(error, undefined, `${JSON.stringify(calls[i])}: ${error?.code} ${error?.message}`);
  const position = Number(at.get('x-block-number')) * INCREMENTS_MAX + Number(at.get('x-preconf-index'));
  return { results: answers.map(({ result }) => result), position };
}
