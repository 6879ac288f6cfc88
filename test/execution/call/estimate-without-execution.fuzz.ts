// Estimates that the main thread answers in its preflight equal those of an estimator on either engine, and every
// simple case is answered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getActivePrecompiles } from '@ethereumjs/evm';
import * as fc from 'fast-check';
import { PreflightEstimates } from '../../../src/execution/call/estimate-on-main-thread.js';
import type { JobOutcome } from '../../../src/transaction/evm-job.js';
import { JobRunner } from '../../../src/execution/call/job-runner.js';
import { FORK_NAMES, transactionRules } from '../../../src/chain/active-forks.js';
import { KernelEngine } from '../../../src/evm/kernel/kernel-engine.js';
import { ReferenceEngine } from '../../../src/evm/reference/reference-engine.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { LIMITS } from '../../../src/limits/index.js';
import { StateMiss, VersionNotKept } from '../../../src/state/views/state-miss.js';
import type { StateView } from '../../../src/state/views/state-view.js';
import { AUTHORITY, signedDelegation } from '../../support/authorization.js';
import { blockEnv, type CallText, chainAt, job } from '../../support/jobs.js';
import { bytes, MemoryView } from '../../support/memory-view.js';
import { rounds } from '../../support/rounds.js';

const WORD_MAX = 2n ** 256n - 1n;
const NONCE_MAX = 2n ** 64n - 1n;
const RICH = '0xa000000000000000000000000000000000000001';
const POOR = '0xa000000000000000000000000000000000000002';
const LAST = '0xa000000000000000000000000000000000000003';
const CONTRACT = '0xc000000000000000000000000000000000000001';
const REVERTING = '0xc000000000000000000000000000000000000002';
const DELEGATED = '0xd000000000000000000000000000000000000001';
const DELEGATED_TO_NOBODY = '0xd000000000000000000000000000000000000002';
const ABSENT = '0xee00000000000000000000000000000000000001';
const PRECOMPILES = [0, 1, 2, 4, 5, 9, 0x0a, 0x0b, 0x11, 0x12, 0x100, 0x101, 0xffff, 0x1_0000];

const VIEW = new MemoryView()
  .put(RICH, { balance: 10n ** 20n })
  .put(POOR, { balance: 21_000n * 7n + 5n })
  .put(LAST, { balance: WORD_MAX, nonce: NONCE_MAX })
  .put(CONTRACT, { balance: 10n ** 18n, nonce: 1n, code: '0x600160005500' })
  .put(REVERTING, { nonce: 1n, code: '0x60006000fd' })
  .put(DELEGATED, { balance: 10n ** 18n, nonce: 1n, code: `0xef0100${CONTRACT.slice(2)}` })
  .put(DELEGATED_TO_NOBODY, { balance: 1n, nonce: 1n, code: `0xef0100${ABSENT.slice(2)}` })
  .put(AUTHORITY, { balance: 1n });

const address = fc.constantFrom(RICH, POOR, LAST, CONTRACT, DELEGATED, ABSENT);
const receiver = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(RICH, POOR, LAST, ABSENT) },
  { weight: 2, arbitrary: fc.constantFrom(CONTRACT, REVERTING, DELEGATED, DELEGATED_TO_NOBODY) },
  { weight: 1, arbitrary: fc.constantFrom(...PRECOMPILES).map((n) => `0x${n.toString(16).padStart(40, '0')}`) },
);
const price = fc.constantFrom(0n, 1n, 6n, 7n, 8n, 10n ** 9n, 2n ** 240n, WORD_MAX);
const fees = fc.oneof(
  fc.constant({}),
  fc.record({ gasPrice: price }),
  fc.record({ maxFeePerGas: price, maxPriorityFeePerGas: price }, { requiredKeys: [] }),
);
const data = fc.oneof(
  { weight: 4, arbitrary: fc.constant(new Uint8Array()) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 80 }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(LIMITS.preflightDataBytesMax, LIMITS.preflightDataBytesMax + 1, 49_153)
      .map((length) => new Uint8Array(length).fill(0x5b)),
  },
);
const accessList = fc.array(
  fc.record({ address: receiver.map((text) => bytes(text, 20)), slots: fc.constant([new Uint8Array(32)]) }),
  {
    maxLength: 3,
  },
);
const blobHash = fc.constantFrom(1, 1, 1, 2).map((version) => `0x0${version}${'ab'.repeat(31)}`);
const rarely = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 4 });
const sometimes = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const call = fc
  .tuple(
    fees,
    fc.record({
      from: address,
      to: fc.oneof({ weight: 9, arbitrary: receiver }, { weight: 1, arbitrary: fc.constant(undefined) }),
      gas: rarely(fc.constantFrom(0n, 20_999n, 21_000n, 21_001n, 53_000n, 16_777_217n, NONCE_MAX)),
      value: fc.constantFrom(0n, 1n, 5n, 10n ** 18n, 10n ** 20n, 2n ** 255n, WORD_MAX),
      data,
      accessList: sometimes(accessList),
      maxFeePerBlobGas: sometimes(fc.constantFrom(0n, 1n, 10n ** 9n, WORD_MAX)),
      blobVersionedHashes: sometimes(fc.array(blobHash, { maxLength: 7 })),
      authorizationList: sometimes(
        fc.array(
          fc.constantFrom(0n, 1n).map((nonce) => signedDelegation(CONTRACT, nonce)),
          { maxLength: 2 },
        ),
      ),
    }),
  )
  .map(([fee, fields]) => {
    return Object.fromEntries(
      Object.entries({ ...fee, ...fields }).filter(([, value]) => value !== undefined),
    ) as CallText;
  });

const question = fc.record({
  call,
  gasCap: fc.constantFrom(50_000_000n, 50_000_000n, 21_000n, 20_000n, 0n),
  env: fc.record({
    gasLimit: fc.constantFrom(30_000_000n, 30_000_000n, 20_000n),
    baseFeePerGas: fc.constantFrom(0n, 7n, 7n),
    excessBlobGas: fc.constantFrom(0n, 50_000_000n),
  }),
});

/** An outcome as text, for counting and comparing. */
function textOf(outcome: JobOutcome): string {
  if (outcome.kind === 'failure') return outcome.message;
  return outcome.kind === 'gas' ? `gas ${outcome.gas}` : outcome.kind;
}

/** Error messages that must occur at least once in the preflight, in forks that know them. */
const TEXTS = [
  /^gas 21000$/,
  /^insufficient funds for transfer$/,
  /^insufficient funds for gas \* price \+ value$/,
  /^gas required exceeds allowance/,
  /insufficient funds for gas \* price \+ value: address 0x[Aa]0{38}\d have \d+ want/,
  /required balance exceeds 256 bits/,
  /max priority fee per gas higher/,
  /max fee per gas less than block base fee/,
  /blob transaction of type create/,
  /missing blob hashes/,
  /has invalid hash version/,
  /max fee per blob gas less/,
  /empty auth list/,
  /cannot be used to create contract/,
  /insufficient gas for floor data gas cost/,
];

for (const [fork, numRuns] of [
  ['amsterdam', rounds(700)],
  ['osaka', rounds(4000)],
  ['cancun', rounds(400)],
  ['berlin', rounds(250)],
] as const) {
  void test(`main's estimates equal an estimator's (${fork})`, async () => {
    const rules = createChainRules(chainAt(fork));
    const kernel = new JobRunner({
      rules,
      createEngine: (forkRules, state) => new KernelEngine({ rules: forkRules, state }),
    });
    const reference = new JobRunner({
      rules,
      createEngine: (forkRules, state) => new ReferenceEngine({ rules: forkRules, state }),
    });
    const preflight = new PreflightEstimates(rules.chain);
    const seen = new Set<string>();
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(question, async ({ call: requested, gasCap, env: changes }) => {
        const estimate = job(requested, { gasCap });
        const env = blockEnv(changes);
        const mine = preflight.answer(estimate, { stateAt: () => ({ view: VIEW, env }) });
        if (mine === null) return;
        answered++;
        seen.add(textOf(mine));
        assert.deepEqual(mine, await kernel.runJob(estimate, VIEW, env));
        assert.deepEqual(mine, await reference.runJob(estimate, VIEW, env));
      }),
      { seed: 5, numRuns },
    );
    assert.ok(answered * 4 > numRuns, `${answered} of ${numRuns} answered`);
    if (fork !== 'osaka') return;
    for (const text of TEXTS)
      assert.ok(
        [...seen].some((one) => text.test(one)),
        `never answered: ${text}`,
      );
  });
}

void test('the preflight answers every plain transfer, and no call that runs code', () => {
  const preflight = new PreflightEstimates(chainAt('osaka'));
  const states = { stateAt: () => ({ view: VIEW, env: blockEnv() }) };
  const answer = (requested: CallText): string => {
    const outcome = preflight.answer(job({ from: RICH, value: 1n, ...requested }), states);
    return outcome === null ? 'a worker' : textOf(outcome);
  };
  for (const to of [POOR, LAST, ABSENT, `0x${'0'.repeat(35)}10000`]) assert.equal(answer({ to }), 'gas 21000');
  for (const to of [CONTRACT, REVERTING, DELEGATED, DELEGATED_TO_NOBODY]) {
    assert.equal(answer({ to }), 'a worker');
    assert.equal(answer({ to, from: ABSENT, gasPrice: 7n }), 'a worker', 'not even what it would refuse');
  }
  for (const number of PRECOMPILES.slice(0, -1))
    assert.equal(answer({ to: `0x${number.toString(16).padStart(40, '0')}` }), 'a worker');
  assert.equal(answer({}), 'a worker', 'a creation');
  assert.equal(answer({ to: POOR, data: '0x00' }), 'a worker', 'data');
  assert.equal(answer({ to: POOR, authorizationList: [signedDelegation(CONTRACT, 0n)] }), 'a worker');
  assert.equal(answer({ from: LAST, to: POOR }), 'gas 21000', 'the last nonce is none of a transfer’s business');
});

void test('the preflight leaves overrides, large calls and archived state to an estimator', () => {
  const preflight = new PreflightEstimates(chainAt('osaka'));
  const states = { stateAt: () => ({ view: VIEW, env: blockEnv() }) };
  const requested = { from: RICH, to: POOR };
  const none = (changes: Parameters<typeof job>[1], text: CallText = requested): void =>
    assert.equal(preflight.answer(job(text, changes), states), null);
  none({ kind: 'call' });
  none({ position: { kind: 'archive', block: 1 } });
  none({ stateOverride: [{ address: bytes(ABSENT, 20) }] });
  none({ blockOverride: {} });
  const items = Array.from({ length: LIMITS.preflightItemsMax + 1 }, () => ({ address: bytes(ABSENT, 20), slots: [] }));
  none({}, { ...requested, from: ABSENT, value: 1n, accessList: items });
  none({}, { ...requested, from: ABSENT, value: 1n, data: new Uint8Array(LIMITS.preflightDataBytesMax + 1) });
  assert.equal(
    textOf(preflight.answer(job({ ...requested, from: ABSENT, gasPrice: 7n }), states)!),
    'insufficient funds for transfer',
  );
});

function failing(error: Error): Pick<StateView, 'account'> {
  return {
    account: () => {
      throw error;
    },
  };
}

void test('the preflight leaves missing state to an estimator, and does not hide faults', () => {
  const preflight = new PreflightEstimates(chainAt('osaka'));
  const env = blockEnv();
  const on = (error: Error): JobOutcome | null =>
    preflight.answer(job({ from: RICH, to: POOR }), { stateAt: () => ({ view: failing(error), env }) });
  assert.equal(on(new StateMiss(bytes(RICH, 20), null)), null);
  assert.equal(on(new VersionNotKept(3)), null);
  assert.throws(() => on(new Error('a fault')), /a fault/);
});

const EIPS = [1559, 2780, 3860, 7594, 7623, 7708, 7843, 7928, 7954, 7976, 7981, 8037, 8038, 8246, 8282] as const;

void test('transaction rules are those of the library for the fork', () => {
  for (const fork of [...FORK_NAMES, 'dao']) {
    const chain = chainAt(fork);
    const whole = createChainRules(chain).at(1, 1);
    const { common, transactionGasMax, executionGasMax } = transactionRules(chain, 0);
    for (const eip of EIPS)
      assert.equal(common.isActivatedEIP(eip), whole.common.isActivatedEIP(eip), `${fork} ${eip}`);
    for (const name of ['homestead', 'istanbul'] as const)
      assert.equal(common.gteHardfork(name), whole.common.gteHardfork(name), `${fork} ${name}`);
    const isTwofold = whole.common.isActivatedEIP(8037);
    const highest = isTwofold ? 2n ** 32n - 1n : 16_777_216n;
    assert.equal(transactionGasMax, whole.common.gteHardfork('osaka') ? highest : null);
    assert.equal(executionGasMax, isTwofold ? 16_777_216n : null);
    for (const precompile of getActivePrecompiles(whole.common).keys()) assert.match(precompile, /^0{36}[\da-f]{4}$/);
  }
});
