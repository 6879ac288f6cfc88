// The contract set for benchmarks: every call works, the loops cost what their names say, and a swap pays by the pair's
// formula.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { toBigInt } from '../../../src/lib/bytes/big-endian.js';
import { callAt, deployContractSet, type CallName, type ContractSet } from '../../support/contract-set.js';
import { estimateOn, job, runOn } from '../../support/jobs.js';
import { MemoryView } from '../../support/memory-view.js';

const GAS: Readonly<Record<CallName, readonly [least: number, most: number]>> = {
  'plain transfer': [21_000, 21_000],
  'ERC-20 transfer': [30_000, 40_000],
  'V2 router swap': [90_000, 140_000],
  compute: [395_000, 405_000],
  arithmetic: [127_000, 131_000],
  '50 slots': [250_000, 300_000],
};

function viewOf({ state }: ContractSet): MemoryView {
  const view = new MemoryView();
  for (const { hash, bytes } of state.codes) view.setCode(hash, bytes);
  for (const { address, account } of state.accounts) view.set(address, account);
  for (const { address, slot, value } of state.slots) view.setSlot(address, slot, value);
  return view;
}

describe('the contract set', () => {
  let set: ContractSet;
  let view: MemoryView;
  before(async () => {
    set = await deployContractSet(1);
    view = viewOf(set);
  });

  test('every call costs the gas in its name', async () => {
    for (const call of set.calls) {
      const gas = await estimateOn('osaka', job(callAt(call, 7)), view);
      const [least, most] = GAS[call.name];
      assert.ok(Number(gas) >= least && Number(gas) <= most, `${call.name}: ${gas}`);
    }
  });

  test('a swap pays by the constant product formula, with every router', async () => {
    const swap = set.calls.find(({ name }) => name === 'V2 router swap')!;
    const { to: _, ...call } = callAt(swap, 7);
    for (const to of [set.router, ...set.routerCopies]) {
      const outcome = await runOn('osaka', job({ ...call, to }, { kind: 'call' }), view);
      assert.ok(outcome.kind === 'return');
      const [paid, got] = [word(outcome.data, 2), word(outcome.data, 3)];
      assert.equal(got, expectedOut(paid), to);
    }
  });

  function expectedOut(paid: bigint): bigint {
    // Slot 8 of a pair: both reserves of 112 bits.
    const packed = set.state.slots.find(({ address, slot }) => toHex(address) === set.pair && isSlot(slot, 8));
    const reserves = toBigInt(packed!.value);
    const [zero, one] = [reserves & (2n ** 112n - 1n), (reserves >> 112n) & (2n ** 112n - 1n)];
    const [goldIn, silverIn] = BigInt(set.gold) < BigInt(set.silver) ? [zero, one] : [one, zero];
    return (paid * 997n * silverIn) / (goldIn * 1000n + paid * 997n);
  }
});

function isSlot(slot: Uint8Array, number: number): boolean {
  return toBigInt(slot) === BigInt(number);
}

/** Word `index` of a returned `uint256[]`: offset, length, elements. */
function word(data: Uint8Array, index: number): bigint {
  return toBigInt(data.subarray(32 * index, 32 * index + 32));
}
