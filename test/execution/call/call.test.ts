// eth_call, overrides and delegations: what code observes, and the errors if it cannot run.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { AccountOverride, BlockOverride, Job } from '../../../src/transaction/evm-job.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { toBigInt } from '../../../src/lib/bytes/big-endian.js';
import { assemble } from '../../support/assembler.js';
import { AUTHORITY, signedDelegation } from '../../support/authorization.js';
import { estimateOn, job, runOn, unconfirmed, type CallText } from '../../support/jobs.js';
import { bytes, MemoryView } from '../../support/memory-view.js';

const SENDER = '0x1000000000000000000000000000000000000001';
const MAIN = '0xc000000000000000000000000000000000000001';
const OTHER = '0x2000000000000000000000000000000000000002';
const MOVED = '0x3000000000000000000000000000000000000003';
const ETHER = 10n ** 18n;
const ORDER = secp256k1.Point.Fn.ORDER;
const ANSWER = 'PUSH 0; MSTORE; PUSH 32; PUSH 0; RETURN';

function state(main = 'STOP'): MemoryView {
  return new MemoryView()
    .put(SENDER, { balance: ETHER })
    .put(MAIN, { code: main.startsWith('0x') ? main : assemble(main), storage: { '01': 5n, '02': 6n } });
}

/** A call's result as hex, or its error message. */
async function answer(text: CallText, view = state(), changes: Partial<Job> = {}): Promise<string> {
  const outcome = await runOn('osaka', job({ from: SENDER, ...text }, { kind: 'call', ...changes }), view);
  switch (outcome.kind) {
    case 'return':
      return toHex(outcome.data);
    case 'revert':
      return `reverted ${toHex(outcome.data)}`;
    case 'failure':
      return outcome.message;
    default:
      throw new Error('a call answered gas');
  }
}

/** The word that `code`, run at MAIN, leaves on the stack. */
async function word(code: string, changes: Partial<Job> = {}, text: CallText = {}): Promise<bigint> {
  return toBigInt(fromHex(await answer({ to: MAIN, ...text }, state(`${code}; ${ANSWER}`), changes)));
}

/** The word that a MAIN of one instruction returns under these fee fields. */
async function see(opcode: string, text: CallText): Promise<bigint> {
  return toBigInt(fromHex(await answer({ to: MAIN, gas: 100_000n, ...text }, answering(opcode))));
}

/** Code of one instruction that returns its result. */
function answering(opcode: string): MemoryView {
  return state(`${opcode}${assemble(ANSWER).slice(2)}`);
}

function overridden(override: Omit<AccountOverride, 'address'>): Partial<Job> {
  return { stateOverride: [{ address: bytes(MAIN, 20), ...override }] };
}

void describe('eth_call', () => {
  void test('a call returns data, revert data or the reason of a halt', async () => {
    assert.equal(await answer({ to: OTHER }), '0x');
    assert.equal(await answer({ to: MAIN }, state(`PUSH 1; SLOAD; ${ANSWER}`)), `0x${'5'.padStart(64, '0')}`);
    assert.equal(
      await answer({ to: MAIN }, state('PUSH 0xab; PUSH 0; MSTORE8; PUSH 1; PUSH 0; REVERT')),
      'reverted 0xab',
    );
    assert.equal(await answer({ to: MAIN }, state('PUSH 0; PUSH 0; REVERT')), 'reverted 0x');
    assert.equal(await answer({ to: MAIN }, state('INVALID')), 'invalid opcode: INVALID');
    assert.equal(await answer({ to: MAIN, gas: 60_000n }, state('0x5b600056')), 'out of gas');
  });

  void test('a call gets the gas cap unless it requests less', async () => {
    assert.equal(await word('GAS'), 50_000_000n - 21000n - 2n);
    assert.equal(await word('GAS', {}, { gas: 100_000n }), 100_000n - 21000n - 2n);
    assert.equal(await word('GAS', { gasCap: 90_000n }, { gas: 100_000n }), 90_000n - 21000n - 2n);
  });

  void test('lack of funds, fees below the base fee and too little gas are refused', async () => {
    const funds = 'err: insufficient funds for gas * price + value: address';
    assert.equal(
      await answer({ to: OTHER, value: 2n * ETHER }),
      `${funds} ${SENDER} have ${ETHER} want ${2n * ETHER} (supplied gas 50000000)`,
    );
    assert.equal(
      await answer({ to: OTHER, gas: 30_000n, gasPrice: ETHER }),
      `${funds} ${SENDER} have ${ETHER} want ${30_000n * ETHER} (supplied gas 30000)`,
    );
    assert.equal(
      await answer({ to: OTHER, gas: 20_000n }),
      'err: intrinsic gas too low: have 20000, want 21000 (supplied gas 20000)',
    );
    assert.equal(
      await answer({ to: OTHER, maxFeePerGas: 6n, gas: 30_000n }),
      `err: max fee per gas less than block base fee: address ${SENDER}, maxFeePerGas: 6, baseFee: 7 (supplied gas 30000)`,
    );
  });

  void test('GASPRICE and BASEFEE return the fees of the call', async () => {
    const opcodes = { price: '0x3a', base: '0x48' };
    assert.equal(await see(opcodes.base, {}), 0n);
    assert.equal(await see(opcodes.base, { gasPrice: 9n }), 7n);
    assert.equal(await see(opcodes.price, { gasPrice: 9n }), 9n);
    assert.equal(await see(opcodes.price, { maxFeePerGas: 100n, maxPriorityFeePerGas: 2n }), 9n);
    assert.equal(await see(opcodes.price, {}), 0n);
  });

  void test('the sender has paid for its gas when code runs', async () => {
    const paid = ETHER - (await word('CALLER; BALANCE', {}, { gas: 100_000n, gasPrice: 10n }));
    assert.equal(paid, 1_000_000n);
  });

  void test('BLOCKHASH returns the hash that the view has', async () => {
    const view = state(`0x606340${assemble(ANSWER).slice(2)}`);
    view.setBlockHash(99, new Uint8Array(32).fill(0x99));
    assert.equal(await answer({ to: MAIN }, view), `0x${'99'.repeat(32)}`);
  });

  void test('the point evaluation precompile verifies a KZG proof', async () => {
    const data =
      '0x01e798154708fe7789429634053cbf9f99b619f9f084048927333fce637f549b564c0a11a0f704f4fc3e8acfe0f8245f0ad1347b378fbf96e206da11a5d3630624d25032e67a7e6a4910df5834b8fe70e6bcfeeac0352434196bdf4b2485d5a18f59a8d2a1a625a17f3fea0fe5eb8c896db3764f3185481bc22f91b4aaffcca25f26936857bc3a7c2539ea8ec3a952b7873033e038326e87ed3e1276fd140253fa08e9fc25fb2d9a98527fc22a2c9612fbeafdad446cbc7bcdbdcd780af2c16a';
    const modulus = '73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001';
    assert.equal(await answer({ to: '0x0a', data }), `0x${'1000'.padStart(64, '0')}${modulus}`);
    assert.notEqual(await answer({ to: '0x0a', data: `${data.slice(0, -2)}6b` }), `0x${modulus}`);
  });
});

void describe('overrides', () => {
  void test('balance, code, storage and single slots are overridden', async () => {
    assert.equal(await word('ADDRESS; BALANCE', overridden({ balance: 77n })), 77n);
    const code = fromHex(assemble(`PUSH 42; ${ANSWER}`));
    assert.equal(await word('PUSH 1', overridden({ code })), 42n);
    const slots = [[bytes('01', 32), bytes('09', 32)]] as const;
    assert.equal(await word('PUSH 1; SLOAD; PUSH 2; SLOAD; ADD', overridden({ stateDiff: slots })), 9n + 6n);
    assert.equal(await word('PUSH 1; SLOAD; PUSH 2; SLOAD; ADD', overridden({ state: slots })), 9n);
  });

  void test('a sender pays from its overridden balance', async () => {
    const stateOverride = [{ address: bytes(OTHER, 20), balance: ETHER }];
    assert.equal(await answer({ from: OTHER, to: MAIN, value: 5n }, state(), { stateOverride }), '0x');
  });

  void test('SSTORE uses the overridden value of a slot as its original value', async () => {
    const stateDiff = [[bytes('03', 32), bytes('09', 32)]] as const;
    const write = 'PUSH 8; PUSH 3; SSTORE';
    const gas = (changes: Partial<Job>): Promise<number | string> =>
      estimateOn('osaka', job({ from: SENDER, to: MAIN }, changes), state(write));
    assert.equal(await gas({}), 21000 + 6 + 22100);
    assert.equal(await gas(overridden({ stateDiff })), 21000 + 6 + 5000);
    assert.equal(unconfirmed.count, 0);
  });

  void test('an override moves a precompile to another address', async () => {
    const data = '0x11223344';
    const stateOverride = [{ address: bytes('04', 20), movePrecompileToAddress: bytes(MOVED, 20) }];
    assert.equal(await answer({ to: MOVED, data }, state(), { stateOverride }), data);
    assert.equal(await answer({ to: '0x04', data }, state(), { stateOverride }), '0x');
    assert.equal(await answer({ to: '0x04', data }), data);
  });

  void test('contradictory overrides are refused', async () => {
    const fail = (...stateOverride: AccountOverride[]): Promise<string> =>
      answer({ to: OTHER }, state(), { stateOverride });
    const address = bytes(MAIN, 20);
    const main = '0xC000000000000000000000000000000000000001';
    assert.equal(await fail({ address, state: [], stateDiff: [] }), `account ${main} has both 'state' and 'stateDiff'`);
    assert.equal(
      await fail({ address, movePrecompileToAddress: bytes(OTHER, 20) }),
      `account ${main} is not a precompile`,
    );
    assert.equal(
      await fail({ address: bytes('04', 20), movePrecompileToAddress: address }, { address, nonce: 1n }),
      `account ${main} is already overridden`,
    );
  });

  const BLOCK: readonly (readonly [opcode: string, override: BlockOverride, value: bigint])[] = [
    ['43', { number: 1234n }, 1234n],
    ['42', { time: 2_000_000_000n }, 2_000_000_000n],
    ['42', { time: 2n ** 64n - 1n }, 2n ** 64n - 1n],
    ['45', { gasLimit: 5_000_000n }, 5_000_000n],
    ['41', { feeRecipient: bytes('77', 20) }, 0x77n],
    ['44', { prevRandao: bytes('88', 32) }, 0x88n],
    ['48', { baseFeePerGas: 3n }, 3n],
    ['4a', { blobBaseFee: 4n }, 4n],
  ];
  for (const [opcode, blockOverride, value] of BLOCK) {
    void test(`opcode 0x${opcode} returns the overridden block field`, async () => {
      const view = state(`0x${opcode}${assemble(ANSWER).slice(2)}`);
      const text = { to: MAIN, gas: 100_000n, gasPrice: 10n };
      assert.equal(toBigInt(fromHex(await answer(text, view, { blockOverride }))), value);
    });
  }
});

void describe('delegations', () => {
  const authority = toHex(AUTHORITY);

  void test('a valid authorization takes effect in the same call', async () => {
    const text = { to: authority, authorizationList: [signedDelegation(MAIN, 0n)] };
    assert.equal(await answer(text, state(`PUSH 9; ${ANSWER}`)), `0x${'9'.padStart(64, '0')}`);
  });

  void test('an invalid authorization is skipped', async () => {
    const valid = signedDelegation(MAIN, 0n);
    for (const authorization of [
      signedDelegation(MAIN, 1n),
      signedDelegation(MAIN, 0n, 5n),
      signedDelegation(MAIN, 2n ** 64n - 1n),
      { ...valid, yParity: 2n },
      { ...valid, s: valid.s + 1n },
      { ...valid, s: ORDER - valid.s, yParity: 1n - valid.yParity },
      { ...valid, r: 0n },
    ]) {
      const text = { to: authority, authorizationList: [authorization] };
      assert.equal(await answer(text, state(`PUSH 9; ${ANSWER}`)), '0x');
    }
  });

  void test('an authorization does not replace code other than a delegation', async () => {
    const view = state(`PUSH 9; ${ANSWER}`).put(authority, { code: assemble(`PUSH 3; ${ANSWER}`) });
    const text = { to: authority, authorizationList: [signedDelegation(MAIN, 0n)] };
    assert.equal(await answer(text, view), `0x${'3'.padStart(64, '0')}`);
  });

  void test('an authorization of the sender needs its nonce after the increment', async () => {
    const view = state(`PUSH 9; ${ANSWER}`).put(authority, { balance: ETHER });
    const text = { from: authority, to: authority, authorizationList: [signedDelegation(MAIN, 1n)] };
    assert.equal(await answer(text, view), `0x${'9'.padStart(64, '0')}`);
  });
});

void test('a job leaves no changes to the next', async () => {
  const view = state('PUSH 7; PUSH 1; SSTORE; PUSH 1; SLOAD; PUSH 0; MSTORE; PUSH 32; PUSH 0; RETURN');
  assert.equal(await answer({ to: MAIN }, view), `0x${'7'.padStart(64, '0')}`);
  assert.equal(await answer({ to: MAIN }, state(`PUSH 1; SLOAD; ${ANSWER}`)), `0x${'5'.padStart(64, '0')}`);
});

void test('an aborted job leaves no changes to the next', async () => {
  const endless = state('PUSH 7; PUSH 1; TSTORE; PUSH 7; PUSH 1; SSTORE; LABEL loop; REF loop; JUMP');
  const gasCap = 10n ** 15n;
  assert.match(await answer({ to: MAIN }, endless, { gasCap, timeoutMs: 30 }), /^execution aborted/);
  assert.equal(await word('PUSH 1; TLOAD; PUSH 1; SLOAD; ADD'), 5n);
});

void test('a state miss of the view is thrown on, and the next job runs', async () => {
  const view = state();
  const missing = Object.assign(Object.create(view) as MemoryView, {
    account: () => {
      throw new RangeError('not known');
    },
  });
  await assert.rejects(answer({ to: OTHER }, missing), RangeError);
  assert.equal(await answer({ to: OTHER }, view), '0x');
});
