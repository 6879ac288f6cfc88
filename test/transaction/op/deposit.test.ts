// Deposits: their effects, and what happens if they fail.
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { RLP } from '@ethereumjs/rlp';
import { encodeReceipt } from '../../../src/chain/block/encode-block.js';
import type { ChainDescription } from '../../../src/chain/chain-description.js';
import { keccak256 } from '../../../src/lib/bytes/keccak-wasm.js';
import type { StateChanges } from '../../../src/state/state-diff.js';
import { decodeDeposit } from '../../../src/transaction/op/deposit.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { toBigInt } from '../../../src/lib/bytes/big-endian.js';
import type { Receipt } from '../../../src/state/complete-block.js';
import { assemble } from '../../support/assembler.js';
import { chainAt } from '../../support/jobs.js';
import { MemoryView, bytes } from '../../support/memory-view.js';
import { COINBASE, depositBytes, openBlock, opChainAt, wordOf, type DepositFields } from '../../execution/op/blocks.js';

const FROM = `0x${'aa'.repeat(20)}`;
const TO = `0x${'bb'.repeat(20)}`;

interface Outcome {
  readonly receipt: Receipt;
  readonly changes: StateChanges;
  /** Nonce and balance afterwards; `null` if the account was not touched. */
  readonly account: (address: string) => { nonce: bigint; balance: bigint } | null;
}

async function deposit(chain: ChainDescription, view: MemoryView, fields: DepositFields): Promise<Outcome> {
  const block = await openBlock(chain, view);
  const raw = depositBytes(fields);
  const applied = await block.apply(raw);
  if (applied.kind === 'refused') throw new Error(applied.message);
  assert.deepEqual(applied.transaction.hash, keccak256(raw));
  assert.equal(toHex(applied.transaction.from), fields.from);
  const { changes } = await block.seal();
  return {
    receipt: applied.transaction.receipt,
    changes,
    account: (address) => {
      const change = changes.accounts.find((each) => toHex(each.address) === address)?.account ?? null;
      return change && { nonce: change.nonce, balance: change.balance };
    },
  };
}

const HOLOCENE = opChainAt('holocene');
const ISTHMUS = opChainAt('isthmus');

test('a deposit transfers value out of its mint, and pays nothing for gas', async () => {
  const { receipt, account } = await deposit(HOLOCENE, new MemoryView(), { from: FROM, to: TO, mint: 10n, value: 4n });
  assert.deepEqual(account(FROM), { nonce: 1n, balance: 6n });
  assert.deepEqual(account(TO), { nonce: 0n, balance: 4n });
  assert.equal(account(COINBASE), null);
  assert.deepEqual(receipt, {
    type: 0x7e,
    status: 1,
    gasUsed: 21_000n,
    cumulativeGasUsed: 21_000n,
    effectiveGasPrice: 0n,
    contractAddress: null,
    logs: [],
    depositNonce: 0n,
  });
});

test('a sender with any nonce, or with code, can deposit', async () => {
  const view = new MemoryView().put(FROM, { nonce: 41n, code: assemble('STOP') });
  const { receipt, account } = await deposit(ISTHMUS, view, { from: FROM, to: TO });
  assert.equal(receipt.status, 1);
  assert.equal(receipt.depositNonce, 41n);
  assert.equal(account(FROM)?.nonce, 42n);
});

test('code sees a gas price of zero and the depositor as origin', async () => {
  const code = assemble('ORIGIN', 'PUSH 0', 'SSTORE', 'GASPRICE', 'PUSH 1', 'SSTORE', 'CALLVALUE', 'PUSH 2', 'SSTORE');
  const view = new MemoryView().put(TO, { code, storage: { '01': 5n } });
  const { changes } = await deposit(HOLOCENE, view, { from: FROM, to: TO, mint: 3n, value: 3n });
  assert.equal(toBigInt(wordOf(changes, TO, 0n)!), BigInt(FROM));
  assert.equal(toBigInt(wordOf(changes, TO, 1n)!), 0n);
  assert.equal(toBigInt(wordOf(changes, TO, 2n)!), 3n);
});

test('a failed deposit keeps its mint and increments the nonce, and changes nothing else', async (t) => {
  const write = ['PUSH 1', 'PUSH 1', 'SSTORE'] as const;
  const cases: readonly {
    readonly name: string;
    readonly code: string;
    readonly fields?: Partial<DepositFields>;
    readonly gasUsed: bigint;
  }[] = [
    {
      name: 'revert: what was left of the gas is not counted',
      code: assemble(...write, 'PUSH 0', 'PUSH 0', 'REVERT'),
      gasUsed: 21_000n + 6n + 22_100n + 6n,
    },
    { name: 'halt: the whole limit', code: assemble(...write, 'INVALID'), gasUsed: 1_000_000n },
    {
      name: 'out of gas: the whole limit',
      code: assemble('JUMPDEST', 'PUSH 0', 'JUMP'),
      fields: { gas: 30_000n },
      gasUsed: 30_000n,
    },
    { name: 'too little gas to begin', code: assemble('STOP'), fields: { gas: 20_999n }, gasUsed: 20_999n },
    { name: 'no gas at all', code: assemble('STOP'), fields: { gas: 0n }, gasUsed: 0n },
    { name: 'more value than there is', code: assemble('STOP'), fields: { value: 1011n }, gasUsed: 1_000_000n },
    { name: 'a system transaction', code: assemble('STOP'), fields: { isSystem: true }, gasUsed: 1_000_000n },
  ];
  for (const { name, code, fields, gasUsed } of cases) {
    await t.test(name, async () => {
      const view = new MemoryView().put(FROM, { nonce: 3n, balance: 10n }).put(TO, { code });
      const outcome = await deposit(HOLOCENE, view, { from: FROM, to: TO, mint: 1000n, value: 7n, ...fields });
      assert.equal(outcome.receipt.status, 0);
      assert.equal(outcome.receipt.gasUsed, gasUsed);
      assert.equal(outcome.receipt.depositNonce, 3n);
      assert.deepEqual(outcome.receipt.logs, []);
      assert.deepEqual(outcome.account(FROM), { nonce: 4n, balance: 1010n });
      assert.equal(outcome.account(TO), null);
      assert.deepEqual(outcome.changes.slots, []);
    });
  }
});

test('the minted value may be spent to the last wei', async () => {
  const view = new MemoryView().put(FROM, { balance: 10n });
  const { receipt, account } = await deposit(HOLOCENE, view, { from: FROM, to: TO, mint: 5n, value: 15n });
  assert.equal(receipt.status, 1);
  assert.equal(account(FROM)?.balance, 0n);
});

test('the address of a created contract is derived from the nonce before the increment', async () => {
  const view = new MemoryView().put(FROM, { nonce: 5n });
  // Deploys one byte of memory, 00.
  const data = assemble('PUSH 1', 'PUSH 0', 'RETURN');
  const { receipt, account } = await deposit(HOLOCENE, view, { from: FROM, mint: 9n, value: 9n, data });
  const address = keccak256(RLP.encode([fromHex(FROM), 5])).slice(12);
  assert.equal(receipt.status, 1);
  assert.equal(toHex(receipt.contractAddress!), toHex(address));
  assert.deepEqual(account(toHex(address)), { nonce: 1n, balance: 9n });
  assert.equal(account(FROM)?.nonce, 6n);
});

test('a failed creation increments the nonce once', async () => {
  const view = new MemoryView().put(FROM, { nonce: 5n });
  const { receipt, account } = await deposit(HOLOCENE, view, { from: FROM, mint: 9n, data: assemble('INVALID') });
  assert.equal(receipt.status, 0);
  assert.equal(receipt.gasUsed, 1_000_000n);
  assert.deepEqual(account(FROM), { nonce: 6n, balance: 9n });
});

test('a deposit with too long init code fails', async () => {
  const fields = { from: FROM, gas: 29_000_000n, data: new Uint8Array(49_153) };
  const { receipt, account } = await deposit(HOLOCENE, new MemoryView(), fields);
  assert.equal(receipt.status, 0);
  assert.equal(receipt.gasUsed, 29_000_000n);
  assert.equal(account(FROM)?.nonce, 1n);
});

test('a contract that is created and destroyed in one deposit does not exist', async () => {
  const data = assemble('PUSH 0', 'SELFDESTRUCT');
  const { receipt, changes } = await deposit(HOLOCENE, new MemoryView(), { from: FROM, mint: 9n, value: 9n, data });
  const address = toHex(receipt.contractAddress!);
  assert.equal(receipt.status, 1);
  assert.ok(changes.accounts.every((each) => toHex(each.address) !== address || each.account === null));
});

test('at most a fifth of the gas is refunded', async () => {
  const view = new MemoryView().put(TO, {
    code: assemble('PUSH 0', 'PUSH 1', 'SSTORE', 'PUSH 0', 'PUSH 2', 'SSTORE', 'PUSH 0', 'PUSH 3', 'SSTORE'),
    storage: { '01': 1n, '02': 1n, '03': 1n },
  });
  const { receipt } = await deposit(HOLOCENE, view, { from: FROM, to: TO });
  const spent = 21_000n + 3n * (6n + 5000n);
  assert.equal(receipt.gasUsed, spent - spent / 5n);
});

test('the calldata floor applies to deposits from Isthmus on', async () => {
  const fields = { from: FROM, to: TO, data: new Uint8Array(42).fill(1) };
  const before = await deposit(HOLOCENE, new MemoryView(), fields);
  const after = await deposit(ISTHMUS, new MemoryView(), fields);
  assert.equal(before.receipt.gasUsed, 21_672n);
  assert.equal(after.receipt.gasUsed, 22_680n);
  const tooLittle = await deposit(ISTHMUS, new MemoryView(), { ...fields, gas: 22_000n });
  assert.equal(tooLittle.receipt.status, 0);
  assert.equal(tooLittle.receipt.gasUsed, 22_000n);
});

for (const fork of ['karst', 'azul'] as const) {
  test(`${fork}: the cap of a transaction's gas does not apply to deposits`, async () => {
    const { receipt } = await deposit(opChainAt(fork), new MemoryView(), { from: FROM, to: TO, gas: 20_000_000n });
    assert.equal(receipt.status, 1);
  });
}

test('only a deposit with more gas than the block has left is refused', async () => {
  const block = await openBlock(HOLOCENE, new MemoryView());
  const applied = await block.apply(depositBytes({ from: FROM, to: TO, mint: 1n, gas: 30_000_001n }));
  assert.deepEqual(applied, { kind: 'refused', reason: 'blockFull', message: 'gas limit reached' });
  assert.deepEqual(block.cut().accounts, []);
});

test('a chain without OP-Stack rules refuses deposits', async () => {
  const block = await openBlock(chainAt('cancun'), new MemoryView());
  const applied = await block.apply(depositBytes({ from: FROM, to: TO, mint: 1n }));
  assert.equal(applied.kind === 'refused' && applied.reason, 'invalid');
});

test('malformed deposits are refused', async (t) => {
  const fields = (RLP.decode(depositBytes({ from: FROM, to: TO, mint: 1n }).subarray(1)) as Uint8Array[]).slice();
  const wrong: readonly (readonly [what: string, items: readonly unknown[]])[] = [
    ['7 fields', fields.slice(1)],
    ['9 fields', [...fields, new Uint8Array(1)]],
    ['a short source hash', [new Uint8Array(31), ...fields.slice(1)]],
    ['a short sender', [fields[0], new Uint8Array(19), ...fields.slice(2)]],
    ['a short recipient', [...fields.slice(0, 2), new Uint8Array(19), ...fields.slice(3)]],
    ['a list for a value', [...fields.slice(0, 4), [], ...fields.slice(5)]],
    ['leading zeros', [...fields.slice(0, 4), new Uint8Array(2), ...fields.slice(5)]],
    ['a value of 33 bytes', [...fields.slice(0, 4), new Uint8Array(33).fill(1), ...fields.slice(5)]],
  ];
  for (const [what, items] of wrong) {
    await t.test(what, () => {
      const raw = Uint8Array.from([0x7e, ...RLP.encode(items as Uint8Array[])]);
      assert.match(decodeDeposit(raw) as string, /^invalid deposit transaction: /);
    });
  }
  assert.match(decodeDeposit(Uint8Array.of(0x7e)) as string, /^invalid deposit transaction: /);
  assert.match(decodeDeposit(Uint8Array.of(0x7e, 0xf8)) as string, /^invalid deposit transaction: /);
});

test('the fields of a deposit are decoded, also of a creation', () => {
  const raw = depositBytes({ from: FROM, mint: 1n, value: 2n, gas: 3n, data: Uint8Array.of(4) });
  assert.deepEqual(decodeDeposit(raw), {
    raw,
    hash: keccak256(raw),
    sourceHash: new Uint8Array(32).fill(0x5c),
    from: bytes(FROM, 20),
    to: null,
    mint: 1n,
    value: 2n,
    gasLimit: 3n,
    isSystem: false,
    data: Uint8Array.of(4),
  });
});

test('the receipt of a deposit has nonce and version', async () => {
  const { receipt } = await deposit(HOLOCENE, new MemoryView().put(FROM, { nonce: 300n }), { from: FROM, to: TO });
  const encoded = encodeReceipt(receipt);
  const fields = RLP.decode(encoded.subarray(1)) as Uint8Array[];
  assert.equal(encoded[0], 0x7e);
  assert.equal(fields.length, 6);
  assert.deepEqual(fields.slice(4).map(toBigInt), [300n, 1n]);
});
