// Real blocks of an OP Stack chain, executed from their witnesses: gas, receipts, state and hash equal the chain's.
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { knownOpChainDescription } from '../../../src/chain/known-chains.js';
import { BlockExecutor, type SealedBlock } from '../../../src/execution/block/block-executor.js';
import { mergeStateChanges } from '../../../src/state/merge-state-changes.js';
import type { StateChanges } from '../../../src/state/state-diff.js';
import { keccak256 } from '../../../src/lib/bytes/keccak-wasm.js';
import { encodeHeader } from '../../../src/chain/block/header.js';
import { TransactionExecutor } from '../../../src/execution/block/transaction-executor.js';
import { parseRollupConfig } from '../../../src/chain/op/rollup-config.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { toBigInt } from '../../../src/lib/bytes/big-endian.js';
import type { StateView } from '../../../src/state/views/state-view.js';
import { StateMiss } from '../../../src/state/views/state-miss.js';
import { sharedData, withoutData } from '../../support/shared-data.js';
import { FIRST, LAST, WitnessView, rootAfter, witnessBlock, type WitnessBlock } from './witness.js';
import { EXECUTOR } from '../../support/engine.js';
import { untilKnown } from '../until-known.js';

const skip = withoutData('op-sepolia');
const NUMBERS = [FIRST, FIRST + 1, FIRST + 2, LAST];
/** Transactions per increment of a block; the first increment contains only the deposit. */
const INCREMENT_TRANSACTIONS = 5;

interface Leaf {
  readonly nonce: string;
  readonly balance: string;
  readonly codeHash: string;
  readonly slots: Readonly<Record<string, string>>;
}

interface Leaves {
  readonly blocks: Readonly<Record<string, { readonly accounts: Readonly<Record<string, Leaf>> }>>;
}

/** Executes all transactions; `increments` are the changes of each increment. */
async function execute(
  block: WitnessBlock,
  view: StateView,
  retry = false,
): Promise<{ sealed: SealedBlock; increments: StateChanges[] }> {
  const { chain } = parseRollupConfig('rollup.json', block.rollupConfig);
  const executor = new TransactionExecutor(createChainRules(chain), view, EXECUTOR);
  const again = async <T>(work: () => T | Promise<T>): Promise<T> => (retry ? untilKnown(work) : work());
  const blockExecutor = await again(() => BlockExecutor.open(block.plan(chain), { executor, view, trie: null }));
  const increments = [blockExecutor.cut()];
  for (const [index, raw] of block.transactions.entries()) {
    const applied = await again(() => blockExecutor.apply(raw));
    assert.equal(applied.kind, 'applied', `transaction ${index}: ${applied.kind === 'refused' ? applied.message : ''}`);
    if (index % INCREMENT_TRANSACTIONS === 0) increments.push(blockExecutor.cut());
  }
  const sealed = await again(() => blockExecutor.seal());
  return { sealed, increments: [...increments, sealed.changes] };
}

for (const number of NUMBERS) {
  test(`block ${number} has the gas, receipts and hash of the chain`, { skip }, async () => {
    const block = witnessBlock(number);
    const { sealed, increments } = await execute(block, new WitnessView(block));
    if (number < LAST) {
      const stated = witnessBlock(number + 1).parent;
      assert.equal(sealed.header.gasUsed, stated.gasUsed);
      assert.equal(toHex(sealed.header.receiptsRoot), toHex(stated.receiptsRoot));
      assert.equal(toHex(sealed.header.logsBloom), toHex(stated.logsBloom));
    }
    const stateRoot = await rootAfter(block, mergeStateChanges(increments));
    assert.equal(toHex(keccak256(encodeHeader({ ...sealed.header, stateRoot }))), block.hash);
  });
}

test(
  'the state after a block equals the one before the next, account by account and slot by slot',
  { skip },
  async () => {
    const leaves = JSON.parse(
      readFileSync(sharedData('op-sepolia/state-leaves-26207960-26207963.json'), 'utf8'),
    ) as Leaves;
    let compared = 0;
    for (const number of NUMBERS.slice(0, -1)) {
      const block = witnessBlock(number);
      const { increments } = await execute(block, new WitnessView(block));
      const next = leaves.blocks[number + 1]!.accounts;
      const changes = mergeStateChanges(increments);
      for (const { address, account } of changes.accounts) {
        const leaf = next[toHex(keccak256(address))];
        if (leaf === undefined) continue;
        const found = account && { ...account, codeHash: toHex(account.codeHash) };
        assert.deepEqual(found, { nonce: BigInt(leaf.nonce), balance: BigInt(leaf.balance), codeHash: leaf.codeHash });
        compared++;
      }
      for (const { address, slot, value } of changes.slots) {
        const word = next[toHex(keccak256(address))]?.slots[toHex(keccak256(slot))];
        if (word === undefined) continue;
        assert.equal(toBigInt(value), BigInt(word), `slot ${toHex(slot)} of ${toHex(address)}`);
        compared++;
      }
      compared += unchanged(leaves, number, changes);
    }
    assert.equal(compared, 288);
  },
);

/** Leaves that are in both witnesses and were not written by the block must be equal; returns their number. */
function unchanged(leaves: Leaves, number: number, changes: StateChanges): number {
  const accounts = new Set(changes.accounts.map(({ address }) => toHex(keccak256(address))));
  const slots = new Set(changes.slots.map(({ address, slot }) => toHex(keccak256(address)) + toHex(keccak256(slot))));
  const [before, after] = [leaves.blocks[number]!.accounts, leaves.blocks[number + 1]!.accounts];
  let compared = 0;
  for (const [key, leaf] of Object.entries(after)) {
    const old = before[key];
    if (old === undefined) continue;
    if (!accounts.has(key)) {
      assert.deepEqual([old.nonce, old.balance, old.codeHash], [leaf.nonce, leaf.balance, leaf.codeHash], key);
      compared++;
    }
    for (const [slot, word] of Object.entries(leaf.slots)) {
      if (old.slots[slot] === undefined || slots.has(key + slot)) continue;
      assert.equal(old.slots[slot], word, `${key} ${slot}`);
      compared++;
    }
  }
  return compared;
}

test(
  'with state that is missing at first, every step is retried until it goes through, with the same result',
  { skip },
  async () => {
    const block = witnessBlock(FIRST);
    const complete = new WitnessView(block);
    const seen = new Set<string>();
    const once = (key: string, address: Uint8Array, slot: Uint8Array | null): void => {
      if (seen.has(key)) return;
      seen.add(key);
      throw new StateMiss(address, slot);
    };
    const reluctant: StateView = {
      account: (address) => {
        once(toHex(address), address, null);
        return complete.account(address);
      },
      code: (hash) => complete.code(hash),
      storage: (address, slot) => {
        once(toHex(address) + toHex(slot), address, slot);
        return complete.storage(address, slot);
      },
      blockHash: (n) => complete.blockHash(n),
    };
    const expected = await execute(block, complete);
    const actual = await execute(block, reluctant, true);
    assert.ok(seen.size > 50);
    assert.deepEqual(actual.sealed.header, expected.sealed.header);
    assert.deepEqual(actual.increments, expected.increments);
  },
);

test('the description of the known chain equals the file', { skip }, () => {
  const { chain: file } = parseRollupConfig('rollup.json', witnessBlock(FIRST).rollupConfig);
  const known = knownOpChainDescription(11_155_420n)!;
  assert.equal(file.chainId, known.chainId);
  // The file is older than the last two forks.
  assert.deepEqual({ ...file.op, jovian: known.op!.jovian, karst: known.op!.karst }, known.op);
  assert.deepEqual(file.forks, known.forks.slice(0, -1));
});
