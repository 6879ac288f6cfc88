// Precompiles by OP Stack fork: which exist, what they cost, and how long their input may be.
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { createEVM, type ExecResult } from '@ethereumjs/evm';
import { p256 } from '@noble/curves/nist.js';
import { JobRunner } from '../../../src/execution/call/job-runner.js';
import { OP_FORK_NAMES, type OpFork } from '../../../src/chain/op/forks.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { assemble } from '../../support/assembler.js';
import { blockEnv, job } from '../../support/jobs.js';
import { MemoryView } from '../../support/memory-view.js';
import { candidateEngine } from '../../support/programs/engines.js';
import { opChainAt } from '../../execution/op/blocks.js';

/** Maximum input length in bytes; `null`: unlimited. */
const LIMITS: Readonly<Record<OpFork, readonly (number | null)[]>> = {
  // pairing of bn256; G1 MSM, G2 MSM and pairing of BLS12-381
  ecotone: [null],
  fjord: [null],
  granite: [112_687],
  holocene: [112_687],
  isthmus: [112_687, 513_760, 488_448, 235_008],
  jovian: [81_984, 288_960, 278_784, 156_672],
  karst: [57_600, 288_960, 278_784, 156_672],
  azul: [81_984, 288_960, 278_784, 156_672],
  beryl: [81_984, 288_960, 278_784, 156_672],
  cobalt: [81_984, 288_960, 278_784, 156_672],
  denim: [81_984, 288_960, 278_784, 156_672],
};
/** Addresses, and the length of one unit of input. */
const LIMITED: readonly (readonly [address: number, unit: number])[] = [
  [0x08, 192],
  [0x0c, 160],
  [0x0e, 288],
  [0x0f, 384],
];

/** op-geth's message. */
const tooLong = (address: number): string =>
  address === 0x08 ? 'bad elliptic curve pairing input size' : 'invalid input length';

type Run = (data: Uint8Array, gasLimit: bigint) => Promise<ExecResult>;

async function precompile(fork: OpFork, address: number): Promise<Run | null> {
  const { common, precompiles } = createChainRules(opChainAt(fork)).at(1, 1);
  const evm = await createEVM({ common: common.copy(), customPrecompiles: precompiles });
  const found = evm.precompiles.get(address.toString(16).padStart(40, '0'));
  return found === undefined ? null : async (data, gasLimit) => found({ data, gasLimit, common, _EVM: evm });
}

for (const fork of OP_FORK_NAMES) {
  test(`${fork}: input beyond a limit fails and uses all gas, up to it only gas decides`, async () => {
    for (const [index, limit] of LIMITS[fork].entries()) {
      const [address, unit] = LIMITED[index]!;
      const run = (await precompile(fork, address))!;
      const longest = Math.floor((limit ?? 1_000_000) / unit) * unit;
      const within = await run(new Uint8Array(longest), 1n);
      assert.equal(within.exceptionError?.error, 'out of gas', `${address}`);
      if (limit === null) continue;
      const over = await run(new Uint8Array(longest + unit), 10n ** 9n);
      assert.equal(over.exceptionError?.error, tooLong(address), `${address}`);
      assert.equal(over.executionGasUsed, 10n ** 9n);
    }
  });
}

test('the BLS12-381 precompiles exist from Isthmus on', async () => {
  assert.equal(await precompile('holocene', 0x0c), null);
  assert.notEqual(await precompile('isthmus', 0x0c), null);
});

const KEY = new Uint8Array(32).fill(3);
const HASH = new Uint8Array(32).fill(0x42);
const SIGNATURE = p256.sign(HASH, KEY, { prehash: false, lowS: false });
const VALID = Buffer.concat([HASH, SIGNATURE, p256.getPublicKey(KEY, false).subarray(1)]);

test('P256VERIFY has the price of each fork', async () => {
  assert.equal(await precompile('ecotone', 0x100), null);
  for (const fork of OP_FORK_NAMES.slice(1)) {
    const price = OP_FORK_NAMES.indexOf(fork) >= OP_FORK_NAMES.indexOf('karst') ? 6900n : 3450n;
    const run = (await precompile(fork, 0x100))!;
    const enough = await run(VALID, price);
    assert.equal(enough.executionGasUsed, price, fork);
    assert.equal(BigInt(toHex(enough.returnValue)), 1n, fork);
    const tooLittle = await run(VALID, price - 1n);
    assert.equal(tooLittle.exceptionError?.error, 'out of gas', fork);
    assert.equal(tooLittle.executionGasUsed, price - 1n, fork);
  }
});

async function p256Verify(data: Uint8Array): Promise<ExecResult> {
  return (await precompile('fjord', 0x100))!(data, 10_000n);
}

test('P256VERIFY returns nothing for an invalid signature, at the same price', async (t) => {
  const changed = (at: number): Uint8Array => {
    const data = Uint8Array.from(VALID);
    data[at]! ^= 1;
    return data;
  };
  const without = (start: number): Uint8Array => Uint8Array.from(VALID).fill(0, start, start + 32);
  const cases: readonly (readonly [what: string, data: Uint8Array])[] = [
    ['another hash', changed(0)],
    ['another r', changed(40)],
    ['another s', changed(70)],
    ['a point that is not on the curve', changed(159)],
    ['r of zero', without(32)],
    ['s of zero', without(64)],
    ['no point', Uint8Array.from(VALID).fill(0, 96)],
    ['numbers out of range', Uint8Array.from(VALID).fill(0xff, 32)],
    ['a byte too few', VALID.subarray(1)],
    ['a byte too many', Buffer.concat([VALID, Uint8Array.of(0)])],
    ['nothing', new Uint8Array(0)],
  ];
  for (const [what, data] of cases) {
    await t.test(what, async () => {
      const result = await p256Verify(data);
      assert.deepEqual(result, { returnValue: new Uint8Array(0), executionGasUsed: 3450n });
    });
  }
  await t.test('P256VERIFY accepts a high s', async () => {
    const order = p256.Point.Fn.ORDER;
    const s = order - BigInt(toHex(SIGNATURE.subarray(32)));
    const data = Uint8Array.from(VALID);
    data.set(Buffer.from(s.toString(16).padStart(64, '0'), 'hex'), 64);
    assert.equal((await p256Verify(data)).returnValue.length, 32);
  });
});

test('estimates and calls use the precompiles of their chain', async () => {
  const price = async (fork: OpFork): Promise<bigint> => {
    const runner = new JobRunner({ rules: createChainRules(opChainAt(fork)), createEngine: candidateEngine });
    const requested = job({ to: `0x${'0100'.padStart(40, '0')}`, data: VALID });
    const outcome = await runner.runJob(requested, new MemoryView(), blockEnv());
    return outcome.kind === 'gas' ? outcome.gas : -1n;
  };
  const data = VALID.reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), 0n);
  assert.equal(await price('ecotone'), 21_000n + data);
  assert.equal(await price('fjord'), 21_000n + data + 3450n);
});

test('a contract sees a precompile fail on input that is too long', async () => {
  const caller = `0x${'ca'.repeat(20)}`;
  // 301 pairs of zeros, whose product is one.
  const code = assemble(
    'PUSH 0',
    'PUSH 0',
    'PUSH 57792',
    'PUSH 0',
    'PUSH 8',
    'PUSH 20000000',
    'STATICCALL',
    'PUSH 0',
    'MSTORE',
    'PUSH 32',
    'PUSH 0',
    'RETURN',
  );
  for (const [fork, succeeds] of [
    ['azul', 1n],
    ['karst', 0n],
  ] as const) {
    const runner = new JobRunner({ rules: createChainRules(opChainAt(fork)), createEngine: candidateEngine });
    const requested = job({ to: caller }, { kind: 'call' });
    const outcome = await runner.runJob(requested, new MemoryView().put(caller, { code }), blockEnv());
    assert.equal(outcome.kind === 'return' && BigInt(toHex(outcome.data)), succeeds, fork);
  }
});

test('estimates leave out the L1 and operator fees, so an account without ether can be estimated', async () => {
  const runner = new JobRunner({ rules: createChainRules(opChainAt('jovian')), createEngine: candidateEngine });
  const outcome = await runner.runJob(job({ to: `0x${'bb'.repeat(20)}` }), new MemoryView(), blockEnv());
  assert.deepEqual(outcome, { kind: 'gas', gas: 21_000n });
});
