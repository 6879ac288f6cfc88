// Calls and estimates on their way to the pool: what a call with long data costs the main thread.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEV_CHAIN } from '../../../src/feed/dev/genesis.js';
import { RpcArguments } from '../../../src/rpc/params/arguments.js';
import { executionMethods } from '../../../src/rpc/methods/call-and-estimate.js';
import { parseParams } from '../../../src/rpc/params/parse-params-zero-copy.js';
import type { ExecutionDeps } from '../../../src/rpc/methods/call-and-estimate.js';
import type { ReadView } from '../../../src/rpc/view/pinned-read-view.js';
import type { JobOutcome } from '../../../src/transaction/evm-job.js';
import type { BackingNode } from '../../../src/rpc/view/upstream-node-access.js';

const TO = `0x${'aa'.repeat(20)}`;
const DONE: JobOutcome = { kind: 'json', text: '"done"' };

/** Counts how often the parameters are decoded in full. */
class CountingArguments extends RpcArguments {
  copies = 0;

  override get all(): readonly unknown[] {
    this.copies++;
    return super.all;
  }
}

async function copiesOf(backing: BackingNode | null): Promise<number> {
  const args = new CountingArguments([{ to: TO }, 'latest']);
  const readView = { resolve: () => ({ kind: 'version', version: 1 }) } as unknown as ReadView;
  const pool = { submit: () => Promise.resolve(DONE) };
  const preflight = { answer: () => null };
  const parts = {
    chain: DEV_CHAIN,
    backing,
    pool,
    preflight,
    timeoutMs: 1,
    doubt: () => null,
  } as unknown as ExecutionDeps;
  assert.equal(await executionMethods.eth_call(args, readView, parts, { aborted: false }), '"done"');
  return args.copies;
}

void test('the original parameters of a call are kept only if an upstream node may be sent them', async () => {
  const backing = { epoch: () => 1 } as unknown as BackingNode;
  assert.equal(await copiesOf(null), 0);
  assert.equal(await copiesOf(backing), 1);
});

/** A call with long data of one repeated byte, and its dependencies. */
function longCall(byte: string, parts: Partial<ExecutionDeps>): ReturnType<typeof executionMethods.eth_call> {
  const json = JSON.stringify([{ to: TO, data: `0x${byte.repeat(100_000)}` }, 'latest']);
  const { values, long } = parseParams(Buffer.from(json));
  const readView = { resolve: () => ({ kind: 'version', version: 1 }) } as unknown as ReadView;
  const rest = { chain: DEV_CHAIN, preflight: { answer: () => null }, timeoutMs: 60_000, doubt: () => null };
  const deps = { ...rest, ...parts } as unknown as ExecutionDeps;
  return executionMethods.eth_call(new RpcArguments(values as unknown[], long), readView, deps, { aborted: false });
}

function isAll(data: Uint8Array, byte: number): boolean {
  return data.length === 100_000 && data.every((each) => each === byte);
}

void test('memory of long data is used again, but not before its call is answered', async () => {
  const used: Uint8Array[] = [];
  const waiting: ((outcome: JobOutcome) => void)[] = [];
  const pool: ExecutionDeps['pool'] = {
    submit: ({ call: { data } }) => {
      used.push(data);
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
  const backing = { epoch: () => 1, fill: () => Promise.resolve(null) } as unknown as BackingNode;

  const first = longCall('11', { pool, backing });
  const second = longCall('22', { pool, backing });
  waiting[0]!({ kind: 'missing', missingKeys: { accounts: [new Uint8Array(20)], slots: [] } });
  while (used.length < 3) await new Promise(setImmediate);
  assert.deepEqual([isAll(used[0]!, 0x11), isAll(used[1]!, 0x22), isAll(used[2]!, 0x11)], [true, true, true]);
  waiting[2]!(DONE);
  assert.equal(await first, '"done"');
  const third = longCall('33', { pool, backing });
  assert.equal(used[3]!.buffer, used[0]!.buffer);
  assert.ok(isAll(used[1]!, 0x22) && isAll(used[3]!, 0x33));
  for (const answer of waiting) answer(DONE);
  assert.deepEqual(await Promise.all([second, third]), ['"done"', '"done"']);
});
