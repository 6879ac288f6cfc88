// Calls and estimates on their way to the pool: what a long call costs the main thread.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEV_CHAIN } from '../../../src/feed/dev/genesis.js';
import { RpcArguments } from '../../../src/rpc/params/arguments.js';
import { call } from '../../../src/rpc/methods/execution.js';
import type { ExecutionDeps } from '../../../src/rpc/methods/execution.js';
import type { ReadView } from '../../../src/rpc/view/read-view.js';
import type { JobOutcome } from '../../../src/transaction/call-request.js';
import type { Backing } from '../../../src/rpc/view/backing.js';

const TO = `0x${'aa'.repeat(20)}`;
const DONE: JobOutcome = { kind: 'json', text: '"done"' };

/** Counts how often the parameters are made as they came. */
class CountingArguments extends RpcArguments {
  copies = 0;

  override get all(): readonly unknown[] {
    this.copies++;
    return super.all;
  }
}

async function copiesOf(backing: Backing | null): Promise<number> {
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
  assert.equal(await call(args, readView, parts, { aborted: false }), '"done"');
  return args.copies;
}

void test('the original parameters of a call are kept only if an upstream node may be sent them', async () => {
  const backing = { epoch: () => 1 } as unknown as Backing;
  assert.equal(await copiesOf(null), 0);
  assert.equal(await copiesOf(backing), 1);
});
