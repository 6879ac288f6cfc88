// Which implementation computes each precompile, and the RFC 9380 vectors that ship with blst.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { KernelEngine } from '../../../src/evm/kernel/kernel-engine.js';
import { LOADED_NATIVE_PRECOMPILES } from '../../../src/evm/precompiles/native-precompiles.js';
import {
  ETHEREUMJS_PRECOMPILES,
  NATIVE_FIRST_PRECOMPILES,
  createPrecompileImplementations,
} from '../../../src/evm/precompiles/precompile-implementations.js';
import { JobRunner } from '../../../src/execution/call/job-runner.js';
import { fromHex } from '../../../src/lib/bytes/hex.js';
import { toBigInt, toBytes } from '../../../src/lib/bytes/big-endian.js';
import { assemble } from '../../support/assembler.js';
import { blockEnv, chainAt, job } from '../../support/jobs.js';
import { MemoryView } from '../../support/memory-view.js';
import type { MakeEngine } from '../../support/programs/compare.js';
import { precompileRunner } from '../../support/precompile-runner.js';
import { HOSTILE_CASES } from './hostile-inputs.js';

const noBlst = LOADED_NATIVE_PRECOMPILES.bls === null ? LOADED_NATIVE_PRECOMPILES.reason : false;

void test('the library set overrides no precompile', () => {
  assert.equal(ETHEREUMJS_PRECOMPILES.functions.size, 0);
  assert.equal(ETHEREUMJS_PRECOMPILES.native.size, 0);
});

const GENERAL_NUMBERS = [0x05, 0x06, 0x07, 0x08, 0x09, 0x100];
const BLS_NUMBERS = [0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11];

void test('without blst the library computes the BLS12-381 precompiles and point evaluation', { skip: noBlst }, () => {
  assert.deepEqual(
    [...createPrecompileImplementations({ ...LOADED_NATIVE_PRECOMPILES, bls: null }).native],
    GENERAL_NUMBERS,
  );
  assert.deepEqual(
    [...createPrecompileImplementations({ ...LOADED_NATIVE_PRECOMPILES, general: null }).native],
    BLS_NUMBERS,
  );
  assert.deepEqual(
    [...createPrecompileImplementations(LOADED_NATIVE_PRECOMPILES).native],
    [...GENERAL_NUMBERS, ...BLS_NUMBERS],
  );
});

void test('every native precompile has hostile inputs to be tested with', { skip: noBlst }, () => {
  assert.deepEqual(new Set(HOSTILE_CASES.keys()), NATIVE_FIRST_PRECOMPILES.native);
});

void test('code with a known mismatch runs with the precompiles of the library', async () => {
  const wrong = new Map([[0x09, () => ({ returnValue: new Uint8Array(64), executionGasUsed: 0n })]]);
  // Empty input, which BLAKE2F rejects.
  const code = assemble(
    'PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 9; PUSH 1000; STATICCALL; PUSH 0; MSTORE; PUSH 32; PUSH 0; RETURN',
  );
  const to = `0x${'cc'.repeat(20)}`;
  for (const isDenylisted of [false, true]) {
    const createEngine: MakeEngine = (rules, state) => {
      const precompiles = { ...ETHEREUMJS_PRECOMPILES, functions: wrong };
      return new KernelEngine({ rules, state, precompiles, isDenylisted: () => isDenylisted });
    };
    const runner = new JobRunner({ rules: createChainRules(chainAt('osaka')), createEngine });
    const outcome = await runner.runJob(job({ to }, { kind: 'call' }), new MemoryView().put(to, { code }), blockEnv());
    assert.equal(outcome.kind === 'return' && toBigInt(outcome.data), isDenylisted ? 0n : 1n);
  }
});

/** A vector: field elements and the point they map to. */
interface Vector {
  readonly u: readonly string[];
  readonly P: { readonly x: string; readonly y: string };
}

function vectorsOf(group: string): readonly Vector[] {
  const folder = join(createRequire(import.meta.url).resolve('c-kzg/package.json'), '../deps/blst/bindings/vectors');
  const file = join(folder, `hash_to_curve/BLS12381${group}_XMD_SHA-256_SSWU_NU_.json`);
  if (!existsSync(file)) return [];
  return (JSON.parse(readFileSync(file, 'utf8')) as { vectors: Vector[] }).vectors;
}

/** Components of elements of the field or its extension, 64 bytes each. */
function encoded(...numbers: readonly string[]): Buffer {
  return Buffer.concat(numbers.flatMap((number) => number.split(',')).map((part) => toBytes(BigInt(part), 64)));
}

for (const [group, number] of [
  ['G1', 0x10],
  ['G2', 0x11],
] as const) {
  void test(`field elements are mapped to ${group} as in RFC 9380`, { skip: noBlst }, async () => {
    const vectors = vectorsOf(group);
    assert.ok(vectors.length > 0);
    const rules = createChainRules(chainAt('osaka')).at(1, 1);
    for (const set of [NATIVE_FIRST_PRECOMPILES, ETHEREUMJS_PRECOMPILES]) {
      const run = precompileRunner(rules, set);
      for (const { u, P } of vectors) {
        const { output } = await run(number, encoded(...u), 10n ** 6n);
        assert.deepEqual(Buffer.from(fromHex(output)), encoded(P.x, P.y));
      }
    }
  });
}
