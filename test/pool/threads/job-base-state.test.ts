// An estimator that switches to another table releases the memory of the previous one, whatever it has run on it.
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { JobRunner } from '../../../src/execution/call/job-runner.js';
import { collectGarbage } from '../../../src/lib/memory/garbage-collection.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { StateResolver } from '../../../src/pool/threads/job-base-state.js';
import { TableReader } from '../../../src/state/table/read/table-reader-and-snapshot.js';
import { TableWriter } from '../../../src/state/table/writer.js';
import { account, addressOf, diffOf, hashOf } from '../../state/diffs.js';
import { chainAt, job } from '../../support/jobs.js';
import { candidateEngine } from '../../support/programs/engines.js';

/** Returns the hash of block 0; it also reads storage. */
const CODE = fromHex('0x5f54505f4060005260206000f3');
const CODE_HASH = keccak256(CODE);
const CONTRACT = 7;

function tableBuffer(): SharedArrayBuffer {
  const writer = TableWriter.create({ accounts: 64, slots: 64 });
  const accounts = [account(CONTRACT, 1n, 0n, CODE_HASH)];
  for (let block = 1; block < 4; block++)
    writer.publish(
      diffOf({
        block,
        hash: hashOf(block),
        ...(block === 1 && { accounts, codes: [{ hash: CODE_HASH, bytes: CODE }] }),
      }),
    );
  return writer.buffer;
}

for (const [name, createEngine] of [
  ['kernel', candidateEngine],
  ['reference', undefined],
] as const) {
  test(`the memory of a replaced table is released: ${name}`, async () => {
    const rules = createChainRules(chainAt('prague'));
    const runner = new JobRunner({ rules, ...(createEngine !== undefined && { createEngine }) });
    const resolver = new StateResolver(null);
    /** Runs a call on a new table; returns a weak reference to the table. */
    const runOn = async (generation: number): Promise<WeakRef<SharedArrayBuffer>> => {
      const buffer = tableBuffer();
      const position = { kind: 'version', version: new TableReader(buffer).newest() } as const;
      const state = resolver.at(position, { generation, buffer })!;
      const call = job({ to: toHex(addressOf(CONTRACT)) }, { position, kind: 'call' });
      const outcome = await runner.runJob(call, state.view, state.env);
      assert.equal(outcome.kind, 'return');
      return new WeakRef(buffer);
    };
    const first = await runOn(1);
    // One event-loop tick: a WeakRef keeps its target alive during the tick in which it was created.
    await setImmediate();
    collectGarbage();
    assert.ok(first.deref() !== undefined, 'a table in use is kept');
    await setImmediate();
    assert.equal(resolver.switchTo({ generation: 2, buffer: tableBuffer() }), true);
    collectGarbage();
    assert.ok(first.deref() === undefined, 'its memory is given back');
    const second = await runOn(3);
    await runOn(4);
    await setImmediate();
    collectGarbage();
    assert.ok(second.deref() === undefined, 'a job on another table gives it back, too');
  });
}
