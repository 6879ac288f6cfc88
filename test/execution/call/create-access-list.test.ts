// eth_createAccessList: the contents of the list, the fees it is computed with, and how it fails.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RLP } from '@ethereumjs/rlp';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { timeoutOutcome, type Job } from '../../../src/transaction/evm-job.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { assemble } from '../../support/assembler.js';
import { AUTHORITY, signedDelegation } from '../../support/authorization.js';
import { job, runOn, type CallText } from '../../support/jobs.js';
import { bytes, MemoryView } from '../../support/memory-view.js';

const SENDER = '0x1000000000000000000000000000000000000001';
const CONTRACT = '0xc000000000000000000000000000000000000003';
const OTHER = '0x2000000000000000000000000000000000000002';
const ETHER = 10n ** 18n;
const GWEI = 10n ** 9n;

function word(value: number): string {
  return `0x${value.toString(16).padStart(64, '0')}`;
}

function state(code: string): MemoryView {
  return new MemoryView().put(SENDER, { balance: ETHER }).put(CONTRACT, { code: assemble(code) });
}

interface Answer {
  readonly accessList: readonly { readonly address: string; readonly storageKeys: readonly string[] }[];
  readonly error?: string;
  readonly gasUsed: string;
}

/** The result, or the error message. */
async function listOf(view: MemoryView, call: CallText = {}, changes: Partial<Job> = {}): Promise<Answer | string> {
  const requested = job({ from: SENDER, to: CONTRACT, ...call }, { kind: 'accessList', tip: GWEI, ...changes });
  const outcome = await runOn('osaka', requested, view);
  if (outcome.kind === 'json') return JSON.parse(Buffer.from(outcome.text).toString()) as Answer;
  assert.ok(outcome.kind === 'failure', outcome.kind);
  return outcome.message;
}

/** The error message. */
async function refusal(view: MemoryView, call: CallText): Promise<string> {
  const text = await listOf(view, call);
  assert.ok(typeof text === 'string', 'an answer');
  return text;
}

/** The listed slots of the contract. */
async function slotsOf(view: MemoryView, call: CallText = {}, changes: Partial<Job> = {}): Promise<readonly string[]> {
  const list = await listOf(view, call, changes);
  assert.ok(typeof list === 'object', 'a refusal');
  return list.accessList.find(({ address }) => address === CONTRACT)?.storageKeys ?? [];
}

void describe('an access that fails for lack of gas', () => {
  // Each in a callee that can pay for what comes before, but not for the instruction itself.
  for (const [code, named] of Object.entries({
    'PUSH 7; SLOAD': [CONTRACT, word(7)],
    'PUSH 1; PUSH 7; SSTORE': [CONTRACT, word(7)],
    [`PUSH ${OTHER}; BALANCE`]: [OTHER],
    [`PUSH ${OTHER}; EXTCODESIZE`]: [OTHER],
    [`PUSH ${OTHER}; EXTCODEHASH`]: [OTHER],
    [`PUSH 0; PUSH 0; PUSH 0; PUSH ${OTHER}; EXTCODECOPY`]: [OTHER],
    [`PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH ${OTHER}; GAS; STATICCALL`]: [OTHER],
    [`PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH ${OTHER}; GAS; DELEGATECALL`]: [OTHER],
    [`PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH ${OTHER}; GAS; CALL`]: [OTHER],
    [`PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH ${OTHER}; GAS; CALLCODE`]: [OTHER],
    [`PUSH ${OTHER}; SELFDESTRUCT`]: [OTHER],
    // Stack underflow, which the tracer ignores if it finds the address.
    [`PUSH 0; PUSH 0; PUSH 0; PUSH ${OTHER}; GAS; CALL`]: [OTHER],
    'PUSH 7; SSTORE': [CONTRACT, word(7)],
  })) {
    void test(`is in the list: ${code}`, async () => {
      const caller = `PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 0xc1; PUSH 25; CALL; STOP`;
      const [address, ...storageKeys] = named;
      const view = state(caller);
      view.put('0x00000000000000000000000000000000000000c1', { code: assemble(code) });
      const list = await listOf(view);
      assert.ok(typeof list === 'object', 'a refusal');
      const where = address === CONTRACT ? '0x00000000000000000000000000000000000000c1' : address;
      assert.deepEqual(list.accessList.find((entry) => entry.address === where)?.storageKeys, storageKeys);
    });
  }

  void test('is not in the list for a call with four stack items', async () => {
    const list = await listOf(state(`PUSH 0; PUSH 0; PUSH ${OTHER}; GAS; CALL`));
    assert.deepEqual(typeof list === 'object' && list.accessList, []);
  });
});

void describe('an access list in the request', () => {
  void test('loses sender, receiver, precompiles and authorities, unless their slots are accessed', async () => {
    const given = (address: string, ...slots: number[]): { address: Uint8Array; slots: Uint8Array[] } => ({
      address: bytes(address, 20),
      slots: slots.map((slot) => bytes(word(slot), 32)),
    });
    const accessList = [
      given(SENDER, 1),
      given(CONTRACT, 1, 2),
      given('0x04', 1),
      given(toHex(AUTHORITY), 1),
      given(OTHER, 9),
    ];
    const list = await listOf(state('PUSH 2; SLOAD'), {
      accessList,
      authorizationList: [signedDelegation(OTHER, 77n)],
    });
    assert.deepEqual(typeof list === 'object' ? list.accessList : list, [
      { address: OTHER, storageKeys: [word(9)] },
      { address: CONTRACT, storageKeys: [word(2)] },
    ]);
  });

  void test('whose use depends on its own price ends in a timeout', async () => {
    // 9,000 gas if the slot is not in the list; 4,700 if it is, and then the code does not access it.
    const code = 'PUSH 6000; GAS; GT; REF rich; JUMPI; STOP; LABEL rich; PUSH 1; SLOAD';
    const timeoutMs = 3_600_000;
    const outcome = await runOn(
      'osaka',
      job({ from: SENDER, to: CONTRACT, gas: 30_000n }, { kind: 'accessList', timeoutMs }),
      state(code),
    );
    assert.deepEqual(outcome, timeoutOutcome(timeoutMs));
  });

  void test('a call with more authorizations than its gas pays for is refused', async () => {
    const text = await listOf(state('STOP'), { authorizationList: [signedDelegation(OTHER, 77n)], gas: 24_999n });
    assert.equal(text, 'insufficient gas to process all authorizations');
  });
});

void describe('fees', () => {
  const price = 'GASPRICE; SLOAD';

  void test('default to the base fee plus the suggested tip', async () => {
    assert.deepEqual(await slotsOf(state(price), { maxFeePerGas: 2n * GWEI }), [word(7 + Number(GWEI))]);
    assert.deepEqual(await slotsOf(state(price), { maxFeePerGas: GWEI }), [word(Number(GWEI))]);
    assert.deepEqual(await slotsOf(state(price), { maxPriorityFeePerGas: 5n }), [word(12)]);
    assert.deepEqual(await slotsOf(state(price), { gasPrice: 8n }), [word(8)]);
    assert.deepEqual(await slotsOf(state('BASEFEE; SLOAD'), { maxFeePerGas: GWEI }), [word(7)]);
  });

  void test('are zero if the call names none, so that the sender needs no funds for gas', async () => {
    const poor = state(price).put(SENDER, { balance: 5n });
    assert.deepEqual(await slotsOf(state(price)), [word(0)]);
    assert.deepEqual(await slotsOf(state('BASEFEE; SLOAD')), [word(0)]);
    assert.deepEqual(await slotsOf(poor, { value: 5n }), [word(0)]);
    assert.match(await refusal(poor, { value: 6n }), /insufficient funds .* have 5 want 6$/u);
    assert.match(await refusal(poor, { maxPriorityFeePerGas: 1n }), /insufficient funds/u);
  });

  void test('for blobs default to twice the blob base fee', async () => {
    const blobVersionedHashes = [`0x01${'22'.repeat(31)}`];
    const code = 'BLOBBASEFEE; SLOAD';
    assert.deepEqual(await slotsOf(state(code), { blobVersionedHashes, maxFeePerGas: GWEI }), [word(1)]);
    assert.deepEqual(await slotsOf(state(code), { blobVersionedHashes }), [word(0)]);
  });
});

void test('a call that cannot start is refused with the hash of its transaction', async () => {
  const fields = [5, 9, 20_999, CONTRACT, 3, '0x', '0x', '0x', '0x'];
  const hash = toHex(keccak256(RLP.encode(fields)));
  const call = { gas: 20_999n, gasPrice: 9n, value: 3n };
  const view = state('STOP').put(SENDER, { balance: ETHER, nonce: 5n });
  const why = 'err: intrinsic gas too low: have 20999, want 21000';
  assert.equal(await listOf(view, call), `failed to apply transaction: ${hash} ${why}`);
});

void test('a creation by a sender with the highest nonce has a list and an error', async () => {
  const view = new MemoryView().put(SENDER, { balance: ETHER, nonce: 2n ** 64n - 1n });
  const requested = job({ from: SENDER, data: '0x00' }, { kind: 'accessList' });
  const outcome = await runOn('osaka', requested, view);
  assert.ok(outcome.kind === 'json', outcome.kind);
  assert.deepEqual(JSON.parse(Buffer.from(outcome.text).toString()), {
    accessList: [],
    error: 'nonce uint64 overflow',
    gasUsed: '0xcf0e',
  });
});
