// Fees of signed transactions on an OP Stack chain: who pays, who receives, and when.
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { ChainDescription } from '../../../src/chain/chain-description.js';
import type { StateChanges } from '../../../src/state/state-diff.js';
import { fastLzLength } from '../../../src/transaction/op/fastlz.js';
import { toBigInt } from '../../../src/lib/bytes/big-endian.js';
import type { Receipt } from '../../../src/state/complete-block.js';
import { assemble } from '../../support/assembler.js';
import { MemoryView } from '../../support/memory-view.js';
import { COINBASE, SENDER, balancesOf, l1BlockStorage, openBlock, opChainAt, signedBytes, wordOf } from './blocks.js';

const TO = `0x${'bb'.repeat(20)}`;
const L1_BLOCK = '0x4200000000000000000000000000000000000015';
const BASE_FEE_VAULT = '0x4200000000000000000000000000000000000019';
const L1_FEE_VAULT = '0x420000000000000000000000000000000000001a';
const OPERATOR_FEE_VAULT = '0x420000000000000000000000000000000000001b';
/** The block's base fee, and what transactions pay on top. */
const BASE_FEE = 7n;
const TIP = 2n;
const FUNDS = 10n ** 18n;

function state(balance: bigint = FUNDS): MemoryView {
  const storage = l1BlockStorage({ scalar: 5_000_000n, constant: 11n, footprint: 400n });
  return new MemoryView().put(SENDER, { balance }).put(L1_BLOCK, { nonce: 1n, code: assemble('STOP'), storage });
}

interface Sent {
  readonly receipt: Receipt;
  readonly changes: StateChanges;
  readonly balances: ReadonlyMap<string, bigint>;
  readonly blobGasUsed: bigint | null;
}

async function send(chain: ChainDescription, view: MemoryView, raw: Uint8Array): Promise<Sent | string> {
  const block = await openBlock(chain, view);
  const applied = await block.apply(raw);
  if (applied.kind === 'refused') return `${applied.reason}: ${applied.message}`;
  const { changes, header } = await block.seal();
  const { receipt } = applied.transaction;
  return { receipt, changes, balances: balancesOf(changes), blobGasUsed: header.blobGasUsed };
}

async function sent(...parameters: Parameters<typeof send>): Promise<Sent> {
  const outcome = await send(...parameters);
  if (typeof outcome === 'string') throw new Error(outcome);
  return outcome;
}

/** Short transactions count as 100 bytes: 118.8 wei at these prices. */
const L1_FEE = 118n;

test('each fee of each fork goes to its vault', async (t) => {
  const cases = [
    { fork: 'fjord', operator: 0n },
    { fork: 'holocene', operator: 0n },
    { fork: 'isthmus', operator: (21_000n * 5_000_000n) / 1_000_000n + 11n },
    { fork: 'jovian', operator: 21_000n * 5_000_000n * 100n + 11n },
    { fork: 'karst', operator: 21_000n * 5_000_000n * 100n + 11n },
    { fork: 'azul', operator: 21_000n * 5_000_000n * 100n + 11n },
  ] as const;
  for (const { fork, operator } of cases) {
    await t.test(fork, async () => {
      const chain = opChainAt(fork);
      const { receipt, balances } = await sent(chain, state(), signedBytes(chain, { to: TO, value: 5n }));
      assert.equal(receipt.gasUsed, 21_000n);
      assert.equal(receipt.effectiveGasPrice, BASE_FEE + TIP);
      assert.equal(receipt.depositNonce, undefined);
      assert.equal(balances.get(COINBASE), 21_000n * TIP);
      assert.equal(balances.get(BASE_FEE_VAULT), 21_000n * BASE_FEE);
      assert.equal(balances.get(L1_FEE_VAULT), L1_FEE);
      assert.equal(balances.get(OPERATOR_FEE_VAULT) ?? 0n, operator);
      assert.equal(balances.get(TO), 5n);
      const all = [...balances.values()].reduce((sum, balance) => sum + balance, 0n);
      assert.equal(all, FUNDS, 'nothing is lost and nothing made');
    });
  }
});

test('Ecotone charges for the bytes of a transaction', async () => {
  const chain = opChainAt('ecotone');
  const raw = signedBytes(chain, { to: TO });
  const gas = raw.reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), 0n);
  const { balances } = await sent(chain, state(), raw);
  assert.equal(balances.get(L1_FEE_VAULT), (gas * 1_188_000n) / 16_000_000n);
});

test('the fee of Bedrock is charged while the price parameters of Ecotone are unset', async () => {
  const [overhead, scalar, l1BaseFee] = [188n, 684_000n, 9n];
  const storage = { '01': l1BaseFee, '03': 77n, '05': overhead, '06': scalar };
  for (const fork of ['ecotone', 'fjord', 'holocene'] as const) {
    const chain = opChainAt(fork);
    const raw = signedBytes(chain, { to: TO });
    const gas = raw.reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), 0n);
    const view = new MemoryView().put(SENDER, { balance: FUNDS }).put(L1_BLOCK, { nonce: 1n, storage });
    const { balances } = await sent(chain, view, raw);
    assert.equal(balances.get(L1_FEE_VAULT), ((gas + overhead) * l1BaseFee * scalar) / 1_000_000n, fork);
  }
  for (const [slot, value] of [
    ['07', 1n],
    ['03', 1n << 64n],
    ['03', 1n << 96n],
  ] as const) {
    const chain = opChainAt('fjord');
    const set = { ...storage, '01': 0n, [slot]: value };
    const view = new MemoryView().put(SENDER, { balance: FUNDS }).put(L1_BLOCK, { nonce: 1n, storage: set });
    const { balances } = await sent(chain, view, signedBytes(chain, { to: TO }));
    assert.equal(balances.get(L1_FEE_VAULT), undefined);
  }
});

test('the operator fee is charged for the gas limit and refunded down to the gas used; code sees the balance in between', async () => {
  const chain = opChainAt('jovian');
  const view = state().put(TO, { code: assemble('ORIGIN', 'BALANCE', 'PUSH 0', 'SSTORE') });
  const gasLimit = 100_000n;
  const { receipt, changes, balances } = await sent(chain, view, signedBytes(chain, { to: TO, gasLimit, value: 5n }));
  const lent = L1_FEE + gasLimit * 500_000_000n + 11n;
  assert.equal(toBigInt(wordOf(changes, TO, 0n)!), FUNDS - gasLimit * (BASE_FEE + TIP) - lent - 5n);
  const paid = L1_FEE + receipt.gasUsed * (500_000_000n + BASE_FEE + TIP) + 11n;
  assert.ok(receipt.gasUsed < gasLimit);
  assert.equal(balances.get(SENDER), FUNDS - paid - 5n);
});

test('a transaction that fails pays every fee', async () => {
  const chain = opChainAt('isthmus');
  const view = state().put(TO, { code: assemble('INVALID') });
  const { receipt, balances } = await sent(chain, view, signedBytes(chain, { to: TO, gasLimit: 50_000n }));
  assert.equal(receipt.status, 0);
  assert.equal(balances.get(L1_FEE_VAULT), L1_FEE);
  assert.equal(balances.get(OPERATOR_FEE_VAULT), 50_000n * 5n + 11n);
  assert.equal(balances.get(BASE_FEE_VAULT), 50_000n * BASE_FEE);
});

test('a sender that lacks one wei of the fees is refused without changes', async () => {
  const chain = opChainAt('isthmus');
  const raw = signedBytes(chain, { to: TO, gasLimit: 50_000n, value: 5n });
  // The fee cap is 10 wei.
  const want = 50_000n * 10n + 5n + L1_FEE + 50_000n * 5n + 11n;
  const enough = await sent(chain, state(want), raw);
  assert.equal(enough.receipt.status, 1);
  const text = `insufficientFunds: insufficient funds for gas * price + value: address ${SENDER} have ${want - 1n} want ${want}`;
  assert.equal(await send(chain, state(want - 1n), raw), text);
});

test('fees follow prices that a deposit of the same block wrote', async () => {
  const chain = opChainAt('holocene');
  const raw = signedBytes(chain, { to: TO });
  const view = state();
  const block = await openBlock(chain, view);
  // The L1 attributes transaction does this, too; here it is done by hand: the scalars are doubled.
  view.setSlot(
    Buffer.from(L1_BLOCK.slice(2), 'hex'),
    Buffer.from('03'.padStart(64, '0'), 'hex'),
    Buffer.from(((4000n << 96n) | (1_800_000n << 64n)).toString(16).padStart(64, '0'), 'hex'),
  );
  assert.equal((await block.apply(raw)).kind, 'applied');
  assert.equal(balancesOf(block.cut()).get(L1_FEE_VAULT), 237n);
});

test('the header has the data footprint from Jovian on', async () => {
  const data = Uint8Array.from({ length: 3000 }, (_, i) => (i * i * 31) >>> 3);
  for (const [fork, counts] of [
    ['isthmus', false],
    ['jovian', true],
  ] as const) {
    const chain = opChainAt(fork);
    const raw = signedBytes(chain, { to: TO, data, gasLimit: 1_000_000n });
    const bytes = (836_500n * BigInt(fastLzLength(raw)) - 42_585_600n) / 1_000_000n;
    assert.ok(bytes > 100n);
    const { blobGasUsed } = await sent(chain, state(), raw);
    assert.equal(blobGasUsed, counts ? bytes * 400n : 0n);
  }
});

test('the transaction gas limit cap comes with Osaka', async () => {
  for (const [fork, refused] of [
    ['jovian', false],
    ['karst', true],
    ['azul', true],
  ] as const) {
    // Signed under rules without the cap.
    const raw = signedBytes(opChainAt('jovian'), { to: TO, gasLimit: 16_777_217n });
    assert.equal(typeof (await send(opChainAt(fork), state(), raw)) === 'string', refused, fork);
  }
});
