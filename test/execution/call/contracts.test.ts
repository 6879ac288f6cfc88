// Estimates of hand-written contracts: short ones are compared with gas computed by hand, and every call works with its
// estimate and fails with one gas less.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Job } from '../../../src/transaction/evm-job.js';
import { fromHex } from '../../../src/lib/bytes/hex.js';
import { assemble } from '../../support/assembler.js';
import { estimateOn, job, runOn, unconfirmed, type CallText } from '../../support/jobs.js';
import { MemoryView } from '../../support/memory-view.js';

const SENDER = '0x1000000000000000000000000000000000000001';
const MAIN = '0xc000000000000000000000000000000000000001';
const CHILD = '0xc000000000000000000000000000000000000002';
const RICH = '0xc000000000000000000000000000000000000003';
const ABSENT = '0xdd00000000000000000000000000000000000001';

interface Case {
  readonly main: string;
  readonly child?: string;
  /** The gas computed by hand, if it was. */
  readonly gas?: number;
  readonly call?: CallText;
  /** The code depends on its remaining gas: with one gas less it may succeed differently. */
  readonly only?: 'works';
}

/** A call without data and output. */
function call(target: string, gas: string, value = 0, kind = 'CALL'): string {
  const pay = kind === 'CALL' || kind === 'CALLCODE' ? `PUSH ${value};` : '';
  return `PUSH 0; PUSH 0; PUSH 0; PUSH 0; ${pay} PUSH ${target}; ${gas}; ${kind}`;
}

const ORFAIL = 'ISZERO; REF fail; JUMPI; STOP; LABEL fail; PUSH 0; PUSH 0; REVERT';
const WRITE = 'PUSH 7; PUSH 0; SSTORE';
const LOOP = (n: number): string => `PUSH ${n}; LABEL loop; PUSH 1; SWAP1; SUB; DUP1; REF loop; JUMPI`;
const BURN = 'LABEL loop; REF loop; JUMP';
/** Fixed cost of `call` with GAS and no value to a cold account: six PUSHes of 3, GAS 2, cold access 2600. */
const COLD_CALL = 7 * 3 - 3 + 2 + 2600;

const CASES: Readonly<Record<string, Case>> = {
  nothing: { main: 'STOP', gas: 21000 },
  arithmetic: { main: 'PUSH 1; PUSH 2; ADD; POP', gas: 21000 + 3 + 3 + 3 + 2 },
  'a new slot': { main: WRITE, gas: 21000 + 6 + 22100 },
  'a slot written with its own value: the sentry decides': {
    main: 'PUSH 5; PUSH 1; SSTORE',
    gas: 21000 + 6 + 2301,
  },
  'a slot cleared: the refund does not lower the estimate': { main: 'PUSH 0; PUSH 1; SSTORE', gas: 21000 + 6 + 5000 },
  'a slot set and cleared': { main: `${WRITE}; PUSH 0; PUSH 0; SSTORE`, gas: 21000 + 6 + 22100 + 6 + 2301 },
  'a call to nobody': { main: call(ABSENT, 'GAS'), gas: 21000 + COLD_CALL },
  'value to an empty account': { main: call(ABSENT, 'GAS', 1), gas: 21000 + COLD_CALL + 3 + 9000 + 25000 - 3 },
  'value to an account, stipend unused: it is returned too late': {
    main: call(RICH, 'GAS', 1),
    gas: 21000 + COLD_CALL + 9000,
  },
  'a transfer of more than the balance': { main: call(RICH, 'GAS', 1_000_000), gas: 21000 + COLD_CALL + 9000 },
  'a child with all gas': { main: call(CHILD, 'GAS') + `; ${ORFAIL}`, child: LOOP(50) },
  'a child with a fixed amount': { main: call(CHILD, 'PUSH 50000') + `; ${ORFAIL}`, child: LOOP(50) },
  'a child with just too little': { main: call(CHILD, 'PUSH 100') + '; POP', child: LOOP(50), only: 'works' },
  'a child that uses only the stipend': {
    main: call(CHILD, 'PUSH 0', 1) + `; ${ORFAIL}`,
    child: 'PUSH 1; PUSH 32; PUSH 0; LOG1',
  },
  'a child that needs more than the stipend': { main: call(CHILD, 'GAS', 1) + `; ${ORFAIL}`, child: LOOP(90) },
  'a child that writes': { main: call(CHILD, 'GAS') + `; ${ORFAIL}`, child: WRITE },
  'a child that hits the SSTORE sentry': { main: call(CHILD, 'GAS') + `; ${ORFAIL}`, child: 'PUSH 5; PUSH 1; SSTORE' },
  'a child that reverts, caught': {
    main: call(CHILD, 'GAS') + '; POP',
    child: `${LOOP(9)}; PUSH 0; PUSH 0; REVERT`,
    only: 'works',
  },
  'a child that halts, caught': { main: call(CHILD, 'GAS') + '; POP', child: 'INVALID' },
  'a child, then a transfer of more than the balance': {
    main: `${call(CHILD, 'GAS')}; POP; ${call(RICH, 'GAS', 1_000_000)}; POP`,
    child: LOOP(400),
  },
  'a child out of gas, caught: it is given its amount in full': {
    main: call(CHILD, 'PUSH 20000') + '; POP',
    child: BURN,
    gas: 21000 + COLD_CALL + 1 + 20000 + Math.floor(19999 / 63),
    only: 'works',
  },
  delegatecall: { main: call(CHILD, 'GAS', 0, 'DELEGATECALL') + `; ${ORFAIL}`, child: WRITE },
  staticcall: { main: call(CHILD, 'GAS', 0, 'STATICCALL') + `; ${ORFAIL}`, child: 'PUSH 1; SLOAD; POP' },
  'callcode with value': { main: call(CHILD, 'GAS', 1, 'CALLCODE') + `; ${ORFAIL}`, child: WRITE },
  'write protection, caught': {
    main: call(CHILD, 'PUSH 30000', 0, 'STATICCALL') + '; POP',
    child: WRITE,
    only: 'works',
  },
  'a precompile': { main: call('0x02', 'GAS') + `; ${ORFAIL}` },
  'a precompile with a fixed amount': { main: call('0x04', 'PUSH 1000') + `; ${ORFAIL}` },
  'a precompile without enough gas, caught': { main: call('0x02', 'PUSH 10') + '; POP', only: 'works' },
  'sha256 of memory': { main: 'PUSH 0; PUSH 0; PUSH 256; PUSH 0; PUSH 0; PUSH 2; GAS; CALL; ' + ORFAIL },
  'gas read': { main: `GAS; PUSH 50000; GT; REF fail; JUMPI; STOP; LABEL fail; INVALID` },
  'gas read for a child': { main: `GAS; PUSH 3000; SWAP1; SUB; POP; ${call(CHILD, 'GAS')}; ${ORFAIL}`, child: WRITE },
  'creation in a contract': {
    main: 'PUSH 0x600160005560005f5ff3; PUSH 0; MSTORE; PUSH 10; PUSH 22; PUSH 0; CREATE; ' + ORFAIL,
  },
  'creation with a salt and code to keep': {
    main: 'PUSH 0x60205ff3; PUSH 0; MSTORE; PUSH 5; PUSH 4; PUSH 28; PUSH 0; CREATE2; ' + ORFAIL,
  },
  'creation that reverts, caught': { main: 'PUSH 0x5f5ffd; PUSH 0; MSTORE; PUSH 3; PUSH 29; PUSH 0; CREATE; POP' },
  'creation that halts, caught': { main: 'PUSH 0xfe; PUSH 0; MSTORE; PUSH 1; PUSH 31; PUSH 0; CREATE; POP' },
  selfdestruct: { main: `PUSH ${RICH}; SELFDESTRUCT`, gas: 21000 + 3 + 5000 + 2600 },
  'selfdestruct to nobody': { main: `PUSH ${ABSENT}; SELFDESTRUCT`, gas: 21000 + 3 + 5000 + 2600 + 25000 },
  memory: { main: 'PUSH 20000; MLOAD; POP' },
  'transient storage': { main: 'PUSH 1; PUSH 0; TSTORE; PUSH 0; TLOAD; POP', gas: 21000 + 6 + 100 + 3 + 100 + 2 },
  'an access list': {
    main: 'PUSH 1; SLOAD; POP',
    gas: 21000 + 2400 + 1900 + 3 + 100 + 2,
    call: { accessList: [{ address: fromHex(MAIN), slots: [fromHex('01'.padStart(64, '0'))] }] },
  },
  'a warm fee recipient (EIP-3651)': { main: `PUSH 0x${'cb'.repeat(20)}; BALANCE; POP`, gas: 21000 + 3 + 100 + 2 },
  'data is paid for': { main: 'STOP', call: { data: '0x00ff' }, gas: 21050 },
  'value sent along': { main: 'CALLVALUE; ' + ORFAIL, call: { value: 5n } },
};

function view({ main, child }: Case): MemoryView {
  return new MemoryView()
    .put(SENDER, { balance: 10n ** 18n })
    .put(RICH, { balance: 1n })
    .put(MAIN, { balance: 100n, nonce: 1n, code: assemble(main), storage: { '01': 5n } })
    .put(CHILD, { nonce: 1n, code: assemble(child ?? 'STOP'), storage: { '01': 5n } });
}

async function callWith(gas: number, text: CallText, state: MemoryView, changes: Partial<Job> = {}): Promise<string> {
  const outcome = await runOn('osaka', job({ ...text, gas: BigInt(gas) }, { kind: 'call', ...changes }), state);
  return outcome.kind;
}

void describe('the estimate is the minimum for', () => {
  for (const [name, written] of Object.entries(CASES)) {
    void test(name, async () => {
      const text: CallText = { from: SENDER, to: MAIN, ...written.call };
      const gas = await estimateOn('osaka', job(text), view(written));
      assert.ok(typeof gas === 'number', String(gas));
      if (written.gas !== undefined) assert.equal(gas, written.gas);
      assert.equal(await callWith(gas, text, view(written)), 'return');
      if (written.only === undefined) assert.notEqual(await callWith(gas - 1, text, view(written)), 'return');
      assert.equal(unconfirmed.count, 0);
    });
  }

  void test('delegatecall 65 deep, where the 1/64 retained at each level adds up', async () => {
    // The call data count the remaining levels: a contract calls itself until they are zero.
    const main = `PUSH 0; CALLDATALOAD; DUP1; REF more; JUMPI; STOP; LABEL more; PUSH 1; SWAP1; SUB; PUSH 0; MSTORE;
      PUSH 0; PUSH 0; PUSH 32; PUSH 0; PUSH ${MAIN}; GAS; DELEGATECALL; ${ORFAIL}`;
    const text: CallText = { from: SENDER, to: MAIN, data: `0x${(65).toString(16).padStart(64, '0')}` };
    const gas = await estimateOn('osaka', job(text), view({ main }));
    assert.ok(typeof gas === 'number', String(gas));
    assert.equal(await callWith(gas, text, view({ main })), 'return');
    assert.notEqual(await callWith(gas - 1, text, view({ main })), 'return');
    assert.equal(unconfirmed.count, 0);
  });

  void test('a creation that pays for the code it deploys', async () => {
    const text: CallText = { from: SENDER, data: assemble('PUSH 100; PUSH 0; RETURN') };
    const state = view({ main: 'STOP' });
    const gas = await estimateOn('osaka', job(text), state);
    // Six bytes of data, one of them zero; one word of init code; four words of memory; 200 gas per byte of deployed
    // code.
    assert.equal(gas, 21000 + 32000 + 4 * 16 + 4 + 2 + 6 + 12 + 200 * 100);
    assert.equal(await callWith(gas, text, state), 'return');
    assert.equal(await callWith(gas - 1, text, state), 'failure');
  });
});
