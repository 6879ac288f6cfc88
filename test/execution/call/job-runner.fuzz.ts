// Random programs of several contracts: the call works with its estimate, and with one gas less it does not do the
// same.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { assemble } from '../../support/assembler.js';
import { estimateOn, job, leastOn, unconfirmed } from '../../support/jobs.js';
import { bytes, MemoryView } from '../../support/memory-view.js';
import { createOracle } from './oracle.js';
import { rounds } from '../../support/rounds.js';

const SENDER = '0x1000000000000000000000000000000000000001';
const CONTRACTS = [0xa1, 0xa2, 0xa3, 0xa4].map((n) => `0x${n.toString(16).padStart(40, 'c')}`);
const DELEGATED = '0xe000000000000000000000000000000000000005';
const ABSENT = '0xdd00000000000000000000000000000000000001';
const OTHERS = [DELEGATED, ABSENT, '0x02', '0x04'];
const GAS_CAP = 600_000n;

const small = fc.nat(3);
const slot = fc.nat(4);

/** Writes a call's success flag and return data to memory, so that the outermost frame returns everything. */
function keep(place: number): string {
  return `PUSH ${0x40 + place * 32}; MSTORE`;
}

const given = fc.oneof(
  { weight: 5, arbitrary: fc.constant('GAS') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(0, 100, 700, 2300, 5000, 30_000, 100_000, 10_000_000).map((gas) => `PUSH ${gas}`),
  },
  { weight: 1, arbitrary: fc.constant('GAS; PUSH 9; SWAP1; SUB') },
);

const call = (targets: string[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom('CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'),
      fc.constantFrom(...targets),
      fc.nat(1),
      given,
      small,
      fc.boolean(),
    )
    .map(([kind, target, value, gas, place, strict]) => {
      const pay = kind === 'CALL' || kind === 'CALLCODE' ? `PUSH ${value};` : '';
      const output = `PUSH 32; PUSH ${0xc0 + place * 32}; PUSH 32; PUSH 0;`;
      const check = strict ? 'DUP1; ISZERO; REF fail; JUMPI;' : '';
      return `${output}${pay} PUSH ${target}; ${gas}; ${kind}; ${check} ${keep(place)}`;
    });

const CREATIONS = [
  assemble('PUSH 5; PUSH 1; SSTORE; PUSH 33; PUSH 0; RETURN'),
  assemble('PUSH 0; PUSH 0; REVERT'),
  assemble('PUSH 0xef; PUSH 0; MSTORE8; PUSH 1; PUSH 0; RETURN'),
  assemble('INVALID'),
];

const create = fc
  .tuple(fc.constantFrom('CREATE', 'CREATE2'), fc.constantFrom(...CREATIONS), small, fc.nat(1))
  .map(([kind, code, place, value]) => {
    const length = (code.length - 2) / 2;
    const salt = kind === 'CREATE2' ? `PUSH ${place};` : '';
    const word = `0x${code.slice(2).padEnd(64, '0')}`;
    return `PUSH ${word}; PUSH 0; MSTORE; ${salt} PUSH ${length}; PUSH 0; PUSH ${value}; ${kind}; ${keep(place)}`;
  });

const statement = (targets: string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.tuple(slot, small).map(([key, value]) => `PUSH ${value}; PUSH ${key}; SSTORE`) },
    { weight: 2, arbitrary: fc.tuple(slot, small).map(([key, place]) => `PUSH ${key}; SLOAD; ${keep(place)}`) },
    { weight: 1, arbitrary: fc.tuple(slot, small).map(([key, value]) => `PUSH ${value}; PUSH ${key}; TSTORE`) },
    { weight: 1, arbitrary: fc.nat(3000).map((at) => `PUSH ${at}; MLOAD; POP`) },
    { weight: 1, arbitrary: fc.nat(200).map((length) => `PUSH 7; PUSH ${length}; PUSH 0; LOG1`) },
    { weight: 1, arbitrary: fc.constantFrom(...targets).map((target) => `PUSH ${target}; BALANCE; POP`) },
    {
      weight: 1,
      arbitrary: fc
        .integer({ min: 1, max: 20 })
        .map((n) => `PUSH ${n}; LABEL loop; PUSH 1; SWAP1; SUB; DUP1; REF loop; JUMPI; POP`),
    },
    { weight: 6, arbitrary: call(targets) },
    { weight: 2, arbitrary: create },
  );

/** A statement that reads the remaining gas: rare, because the estimate then needs a search. */
const gasReader = fc.oneof(
  { weight: 15, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom('GAS; PUSH 20000; GT; REF fail; JUMPI', 'GAS; POP') },
);

const ending = fc.oneof(
  { weight: 12, arbitrary: fc.constant('PUSH 0x140; PUSH 0; RETURN') },
  { weight: 2, arbitrary: fc.constant('PUSH 0x140; PUSH 0; REVERT') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('STOP', 'INVALID', `PUSH ${SENDER}; SELFDESTRUCT`, `PUSH ${ABSENT}; SELFDESTRUCT`),
  },
);

/** A contract that only calls those after it, and so never itself. */
function contract(level: number): fc.Arbitrary<string> {
  const callees = CONTRACTS.slice(level + 1);
  return fc
    .tuple(fc.array(statement([...callees, ...callees, ...OTHERS]), { minLength: 1, maxLength: 5 }), gasReader, ending)
    .map(([statements, reader, end]) => {
      const loops = statements.filter((text) => text.includes('loop'));
      const body = statements.filter((text) => !loops.includes(text) || text === loops[0]);
      return assemble(...body, reader, end, 'LABEL fail; PUSH 0x40; PUSH 0; REVERT');
    });
}

const world = fc.tuple(fc.tuple(contract(0), contract(1), contract(2), contract(3)), fc.nat(1));

/** Number of estimates that are above the minimum gas. */
let less = 0;

for (const [fork, seed] of [
  ['osaka', 11],
  ['cancun', 12],
  ['london', 13],
  ['byzantium', 14],
] as const) {
  void test(`the estimate is the least gas with which the call does the same (${fork})`, async () => {
    const oracle = await createOracle(fork);
    const counts = { estimates: 0, exact: 0, excused: 0, less: 0, failures: 0 };
    await fc.assert(
      fc.asyncProperty(world, async ([codes, value]) => {
        const view = new MemoryView()
          .put(SENDER, { balance: 10n ** 18n })
          .put(DELEGATED, { code: `0xef0100${CONTRACTS[3]!.slice(2)}` });
        for (const [i, code] of codes.entries())
          view.put(CONTRACTS[i]!, { balance: 3n, nonce: 1n, code, storage: { '00': 1n, '02': 2n } });
        const to = CONTRACTS[0]!;
        const question = { from: bytes(SENDER, 20), to: bytes(to, 20), value: BigInt(value) };
        const requested = job({ from: SENDER, to, value: BigInt(value) }, { gasCap: GAS_CAP });
        const estimate = await estimateOn(fork, requested, view);
        assert.equal(unconfirmed.count, 0, 'the tracked need did not work');
        const atCap = await oracle(question, GAS_CAP, view);
        assert.equal(typeof estimate === 'number', atCap.succeeded, String(estimate));
        if (typeof estimate !== 'number') return void counts.failures++;
        counts.estimates++;
        const atEstimate = await oracle(question, BigInt(estimate), view);
        assert.ok(atEstimate.succeeded, `${estimate} does not work`);
        // If code reads its gas, frames may end differently with the same effect.
        const isLike = atEstimate.statuses === atCap.statuses || atEstimate.effects === atCap.effects;
        assert.ok(isLike, `frames end otherwise at ${estimate}: ${atEstimate.statuses}, ${atCap.statuses}`);
        const below = await oracle(question, BigInt(estimate) - 1n, view);
        const least = Number(await leastOn(fork, requested, view));
        assert.ok(least < estimate ? below.succeeded : !below.succeeded, `${least} is not the least; ${estimate}`);
        if (least < estimate) {
          counts.less++;
          assert.ok((await oracle(question, BigInt(least), view)).succeeded, `the least, ${least}, does not work`);
          assert.ok(!(await oracle(question, BigInt(least) - 1n, view)).succeeded, `less than ${least} works`);
        }
        if (!below.succeeded || below.trace !== atCap.trace) return void counts.exact++;
        // A callee with a fixed gas amount that uses it up: the estimate deliberately provides that amount in full.
        assert.ok(atCap.innerHalt, `${estimate - 1} works the same way`);
        counts.excused++;
      }),
      { seed, numRuns: rounds(fork === 'osaka' ? 60 : 40) },
    );
    assert.ok(counts.estimates > 10 && counts.excused * 10 < counts.estimates, JSON.stringify(counts));
    less += counts.less;
  });
}

void test('some calls succeed with less gas than their estimate', () => {
  assert.ok(less > 0);
});
