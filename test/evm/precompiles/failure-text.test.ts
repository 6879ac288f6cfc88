// Reasons for which precompiles refuse an input, in go-ethereum's words: found by asking a go-ethereum.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { createRules } from '../../../src/evm/reference/fork-rules.js';
import { JobRunner } from '../../../src/execution/call/estimate.js';
import { blockEnv, chainAt, job } from '../../support/jobs.js';
import { MemoryView } from '../../support/memory-view.js';
import { candidateEngine, referenceEngine } from '../../support/programs/engines.js';

const BN = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;
const BLS = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;
const ORDER = 52435875175126190479447740508185965837690552500527637822603658699938581184513n;

function zeros(bytes: number): string {
  return '00'.repeat(bytes);
}

/** Numbers of 32 bytes. */
function words(...values: (number | bigint)[]): string {
  return values.map((value) => value.toString(16).padStart(64, '0')).join('');
}

/** Numbers of 64 bytes. */
function elements(...values: (number | bigint)[]): string {
  return values.map((value) => value.toString(16).padStart(128, '0')).join('');
}

const INFINITY = `c0${zeros(47)}`;

/** The input of a point evaluation: z, y, commitment and proof. */
function evaluation(z: bigint, y: bigint, commitment = INFINITY, proof = INFINITY): string {
  const hash = createHash('sha256').update(Buffer.from(commitment, 'hex')).digest();
  hash[0] = 1;
  return `${hash.toString('hex')}${words(z, y)}${commitment}${proof}`;
}

const FIELD = 'invalid fp.Element encoding';
const CURVE = 'point is not on curve';
const LENGTH = 'invalid input length';
const TOP = 'invalid field element top bytes';
const BLS_CURVE = 'invalid point: not on curve';
const G1 = 'g1 point is not on correct subgroup';
const KZG = 'error verifying kzg proof: ';
const SCALAR = `${KZG}scalar is not canonical when interpreted as a big integer in big-endian`;
const ROOT = `${KZG}invalid compressed coordinate: square root doesn't exist`;
const SUBGROUP = `${KZG}invalid point: subgroup check failed`;

const CASES: readonly (readonly [precompile: number, input: string, text: string])[] = [
  [5, words(1025, 1, 1), 'one or more of base/exponent/modulus length exceeded 1024 bytes'],
  [5, `${'ff'.repeat(32)}${words(1, 1)}`, 'out of gas'],
  [6, words(1, 1), CURVE],
  [6, words(BN, 1), FIELD],
  [6, words(1, BN), FIELD],
  [6, words(1, 2, 1, 1), CURVE],
  [7, words(1, 1), CURVE],
  [7, `${'ff'.repeat(32)}${words(1)}`, FIELD],
  [8, '01', 'bad elliptic curve pairing size'],
  [8, words(1, 1, 0, 0, 0, 0), CURVE],
  [8, words(BN, 1, 0, 0, 0, 0), FIELD],
  [8, words(1, 2, BN, 1, 1, 1), FIELD],
  [8, words(1, 2, 1, 1, 1, 1), CURVE],
  [8, words(0, 0, 0, 1, 0, 1), CURVE],
  [9, '01', LENGTH],
  [9, `${zeros(212)}02`, 'invalid final flag'],
  [10, '01', LENGTH],
  [10, zeros(192), 'mismatched versioned hash'],
  [10, evaluation(1n, 1n), `${KZG}can't verify opening proof`],
  [10, evaluation(ORDER, 0n), SCALAR],
  [10, evaluation(1n, ORDER), SCALAR],
  [10, evaluation(ORDER, ORDER, zeros(48), zeros(48)), SCALAR],
  [10, evaluation(1n, 0n, zeros(48)), `${KZG}short buffer`],
  [10, evaluation(1n, 0n, `40${zeros(47)}`), `${KZG}short buffer`],
  [10, evaluation(1n, 0n, `80${zeros(46)}01`), ROOT],
  [10, evaluation(1n, 0n, `80${zeros(47)}`), SUBGROUP],
  [10, evaluation(1n, 0n, (BLS | (1n << 383n)).toString(16)), `${KZG}${FIELD}`],
  [10, evaluation(1n, 0n, `c0${zeros(46)}01`), `${KZG}invalid infinity point encoding`],
  [10, evaluation(1n, 0n, `e0${zeros(47)}`), `${KZG}invalid point encoding`],
  [10, evaluation(1n, 0n, `20${zeros(47)}`), `${KZG}invalid point encoding`],
  [10, evaluation(1n, 0n, INFINITY, zeros(48)), `${KZG}short buffer`],
  [10, evaluation(1n, 0n, INFINITY, `80${zeros(46)}01`), ROOT],
  [10, evaluation(1n, 0n, INFINITY, `80${zeros(47)}`), SUBGROUP],
  [11, '01', LENGTH],
  [11, `01${zeros(255)}`, TOP],
  [11, elements(BLS, 1, 0, 0), FIELD],
  [11, elements(1, 1, 0, 0), BLS_CURVE],
  [11, elements(0, 0, 1, 1), BLS_CURVE],
  [12, '', LENGTH],
  [12, '01', LENGTH],
  [12, `01${zeros(159)}`, TOP],
  [12, `${elements(1, 1)}${words(1)}`, BLS_CURVE],
  [12, `${elements(0, 2)}${words(1)}`, G1],
  [12, `${elements(BLS, 0)}${words(1)}`, FIELD],
  // The first fault is told.
  [12, `${elements(0, 2)}${words(1)}${elements(1, 1)}${words(1)}`, G1],
  [13, '01', LENGTH],
  [13, `${zeros(64)}01${zeros(447)}`, TOP],
  [13, elements(BLS, 0, 0, 0, 0, 0, 0, 0), FIELD],
  [13, elements(1, 1, 1, 1, 0, 0, 0, 0), BLS_CURVE],
  [14, '', LENGTH],
  [14, `${elements(1, 1, 1, 1)}${words(1)}`, BLS_CURVE],
  [14, `01${zeros(287)}`, TOP],
  [15, '', LENGTH],
  [15, '01', LENGTH],
  [15, `01${zeros(383)}`, TOP],
  [15, elements(1, 1, 0, 0, 0, 0), BLS_CURVE],
  [15, elements(0, 2, 0, 0, 0, 0), G1],
  [15, elements(0, 0, 1, 1, 1, 1), BLS_CURVE],
  [15, elements(BLS, 0, 0, 0, 0, 0), FIELD],
  [16, '01', LENGTH],
  [16, `01${zeros(63)}`, TOP],
  [16, elements(BLS), FIELD],
  [17, '01', LENGTH],
  [17, `01${zeros(127)}`, TOP],
  [17, elements(BLS, 0), FIELD],
  [17, elements(0, BLS), FIELD],
];

/** Inputs that are refused, and the gas that comes before that. */
const PRICED: readonly (readonly [precompile: number, input: string, gas: bigint])[] = [
  [8, zeros(10), 45_000n],
  [8, zeros(200), 79_000n],
  [9, `0000ffff${zeros(208)}02`, 65_535n],
  [15, zeros(10), 37_700n],
  [15, zeros(400), 70_300n],
];

/** Gas of its bytes, before Amsterdam. */
function intrinsicOf(input: string): number {
  return Buffer.from(input, 'hex').reduce((gas, byte) => gas + (byte === 0 ? 4 : 16), 0);
}

for (const [name, createEngine] of [
  ['kernel', candidateEngine],
  ['reference', referenceEngine],
] as const) {
  void describe(`a precompile that refuses its input, on the ${name}`, () => {
    const runner = new JobRunner({ rules: createRules(chainAt('osaka')), createEngine });
    for (const [number, input, gas] of PRICED) {
      void test(`${number.toString(16)} of ${input.slice(0, 40)} is out of gas with less than ${gas}`, async () => {
        const to = `0x${number.toString(16).padStart(40, '0')}`;
        // With call data that the floor counts twice, which is paid before.
        const intrinsic = 21_000n + BigInt(intrinsicOf(input));
        const ended = async (left: bigint): Promise<string> => {
          const asked = job({ to, data: `0x${input}`, gas: intrinsic + left }, { kind: 'call' });
          const outcome = await runner.runJob(asked, new MemoryView(), blockEnv());
          return outcome.kind === 'failure' ? outcome.message : outcome.kind;
        };
        assert.equal(await ended(gas - 1n), 'out of gas');
        assert.notEqual(await ended(gas), 'out of gas');
        const outcome = await runner.runJob(
          job({ to, data: `0x${input}`, gas: intrinsic + gas - 1n }),
          new MemoryView(),
          blockEnv(),
        );
        assert.ok(outcome.kind === 'failure' && outcome.message.startsWith('gas required exceeds allowance'));
      });
    }
    for (const [number, input, text] of CASES) {
      void test(`${number.toString(16)} of ${input.slice(0, 40)} says: ${text}`, async () => {
        const to = `0x${number.toString(16).padStart(40, '0')}`;
        const asked = job({ to, data: `0x${input}`, gas: 10_000_000n }, { kind: 'call' });
        const outcome = await runner.runJob(asked, new MemoryView(), blockEnv());
        assert.deepEqual(outcome, { kind: 'failure', error: 'execution', message: text });
      });
    }
  });
}
