// A precompile call that cannot finish before the deadline is not started, on either engine; one that can, or that has
// no deadline, is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EvmEngine, Execution } from '../../../src/evm/evm-engine.js';
import { KernelEngine } from '../../../src/evm/kernel/kernel-engine.js';
import { PrecompileTimePredictor } from '../../../src/evm/precompiles/precompile-time.js';
import { NATIVE_FIRST_PRECOMPILES } from '../../../src/evm/precompiles/precompile-implementations.js';
import { ReferenceEngine, type ReferenceEngineDeps } from '../../../src/evm/reference/reference-engine.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { JournaledState } from '../../../src/evm/journal/journaled-state.js';
import { assemble } from '../../support/assembler.js';
import { chainAt } from '../../support/jobs.js';
import { bytes, MemoryView } from '../../support/memory-view.js';
import { plainContext, plainMessage } from '../../support/message.js';

const CALLER = bytes('aa', 20);
const TARGET = bytes('bb', 20);
const PLENTY = 10n ** 9n;
const HOUR_MS = 3_600_000;

type MakeEngine = (deps: ReferenceEngineDeps) => EvmEngine;

const ENGINES: readonly (readonly [name: string, make: MakeEngine])[] = [
  ['reference', (parts) => new ReferenceEngine(parts)],
  ['kernel', (parts) => new KernelEngine(parts)],
  ['kernel, native', (parts) => new KernelEngine({ ...parts, precompiles: NATIVE_FIRST_PRECOMPILES })],
];

/** Calls BLAKE2F once and returns whether it succeeded. */
function blake2f(rounds: number, gas: number): string {
  return assemble(
    `PUSH ${rounds}; PUSH 224; SHL; PUSH 0; MSTORE`,
    `PUSH 0; PUSH 0; PUSH 213; PUSH 0; PUSH 9; PUSH ${gas}; STATICCALL; PUSH 0; MSTORE; PUSH 32; PUSH 0; RETURN`,
  );
}

/** Runs code with this deadline (in terms of `performance.now()`). */
async function run(make: MakeEngine, code: string, deadline: number): Promise<Execution> {
  const view = new MemoryView().put(CALLER, { balance: 1n }).put(TARGET, { nonce: 1n, code });
  const engine = make({ rules: createChainRules(chainAt('prague')).at(1, 1), state: new JournaledState(view) });
  return engine.execute(plainMessage({ caller: CALLER, to: TARGET }), plainContext({ deadline }), PLENTY);
}

for (const [name, make] of ENGINES) {
  void test(`${name}: a precompile call that would run for days is not started`, async () => {
    const { status } = await run(make, blake2f(4_000_000_000, 5_000_000_000), performance.now() + HOUR_MS);
    assert.equal(status, 'success', 'it has not the gas, so it takes no time');
    const paid = await run(make, blake2f(900_000_000, 950_000_000), performance.now() + 1000);
    assert.equal(paid.status, 'aborted');
  });

  void test(`${name}: a precompile call runs when there is time for it, and without a deadline`, async () => {
    for (const deadline of [performance.now() + HOUR_MS, Infinity]) {
      const { status, returnData } = await run(make, blake2f(10_000, 20_000), deadline);
      assert.equal(status, 'success');
      assert.equal(returnData.at(-1), 1);
    }
  });
}

/** Input of MODEXP: an exponent of ones, and base and modulus of equal length. */
function modexp(bytesOfBase: number, bytesOfExponent: number): Uint8Array {
  const input = new Uint8Array(96 + 2 * bytesOfBase + bytesOfExponent).fill(0xff, 96);
  const view = new DataView(input.buffer);
  view.setUint32(28, bytesOfBase);
  view.setUint32(60, bytesOfExponent);
  view.setUint32(92, bytesOfBase);
  return input;
}

type By = ConstructorParameters<typeof PrecompileTimePredictor>[1];

function msOf(by: By, number: number, input: Uint8Array, gas = PLENTY): number {
  return new PrecompileTimePredictor(number, by).minimumRunMs(input, gas);
}

for (const by of ['native', 'library'] as const) {
  void test(`the foreseen time of a sum or pairing grows with its pairs; ${by}`, () => {
    for (const [number, piece] of [
      [0x0c, 160],
      [0x0e, 288],
      [0x0f, 384],
    ] as const) {
      assert.ok(msOf(by, number, new Uint8Array(piece * 512)) > 50 * msOf(by, number, new Uint8Array(piece)));
    }
  });
}

for (const by of ['native', 'library'] as const) {
  const ms = (number: number, input: Uint8Array, gas?: bigint): number => msOf(by, number, input, gas);

  void test(`the foreseen time of a call grows with the work that its gas pays for; ${by}`, () => {
    assert.equal(ms(0x02, new Uint8Array(100_000)), 0, 'not worth a guess');
    assert.ok(ms(0x08, new Uint8Array(192 * 1000)) > 150 * ms(0x08, new Uint8Array(192)));
    assert.equal(ms(0x08, new Uint8Array(192 * 1000), 1_000_000n), 0, 'gas for 30 pairs at most');
    assert.ok(ms(0x05, modexp(256, 256)) > 10 * ms(0x05, modexp(64, 64)));
    assert.equal(ms(0x05, modexp(256, 256), 1000n), 0);
    assert.equal(ms(0x05, new Uint8Array(0)), 0);
    assert.equal(ms(0x05, modexp(0, 300)), 0);
  });
}

void test('calls that take long enough correct the estimate of their thread', () => {
  const input = new Uint8Array(192 * 10);
  const time = new PrecompileTimePredictor(0x08, 'library');
  const minimumRunMs = time.minimumRunMs(input, PLENTY);
  for (let call = 0; call < 40; call++) time.learn(time.minimumRunMs(input, PLENTY), 3 * minimumRunMs);
  assert.ok(Math.abs(time.minimumRunMs(input, PLENTY) / minimumRunMs - 3) < 0.01);
  for (let call = 0; call < 40; call++) time.learn(1, 1000);
  assert.ok(Math.abs(time.minimumRunMs(input, PLENTY) / minimumRunMs - 3) < 0.01);
  for (let call = 0; call < 99; call++) time.learn(time.minimumRunMs(input, PLENTY), HOUR_MS);
  assert.ok(time.minimumRunMs(input, PLENTY) < 10 * minimumRunMs, 'a machine that stood still is no pace');
});

void test('a call is started if it is foreseen to take up to twice the time left', () => {
  assert.ok(PrecompileTimePredictor.fits(100, 100));
  assert.ok(PrecompileTimePredictor.fits(199, 100));
  assert.ok(!PrecompileTimePredictor.fits(201, 100));
  assert.ok(!PrecompileTimePredictor.fits(0, 0));
});
