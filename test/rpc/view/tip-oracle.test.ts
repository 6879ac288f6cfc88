// The suggested priority fee, for blocks with known tips.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { encodeHeader } from '../../../src/chain/block/header.js';
import type { ChainDescription } from '../../../src/chain/chain-description.js';
import { DEV_CHAIN, devGenesisBlock } from '../../../src/feed/dev/genesis.js';
import { CachedBlockFees, type FeeBlockReader } from '../../../src/rpc/view/cached-block-fees.js';
import { TipOracle } from '../../../src/rpc/view/tip-oracle.js';
import type { CompleteBlock, ExecutedTransaction } from '../../../src/state/complete-block.js';
import { addressOf } from '../../state/diffs.js';

const { header: GENESIS } = devGenesisBlock(new Uint8Array(32), 1);
const BASE_FEE = 7n;
const RECIPIENT = addressOf(99);
const GAS_LIMIT = 100_000n;
const OP_CHAIN = { ...DEV_CHAIN, op: {} } as ChainDescription;

/** A transaction that pays `tip`; `from` is the fee recipient or anybody else. */
interface Paying {
  readonly tip: bigint;
  readonly gasUsed?: bigint;
  readonly from?: Uint8Array;
  readonly isDeposit?: true;
}

const paying = (...tips: number[]): Paying[] => tips.map((tip) => ({ tip: BigInt(tip) }));
const large = (tips: readonly number[]): Paying[] => tips.map((tip) => ({ tip: BigInt(tip), gasUsed: 30_000n }));
const DEPOSIT: Paying = { tip: 0n, isDeposit: true };

function transactionOf({ tip, gasUsed = 100n, from = addressOf(1), isDeposit }: Paying): ExecutedTransaction {
  const receipt = {
    type: isDeposit === true ? 0x7e : 2,
    status: 1 as const,
    gasUsed,
    cumulativeGasUsed: gasUsed,
    effectiveGasPrice: isDeposit === true ? 0n : BASE_FEE + tip,
    contractAddress: null,
    logs: [],
    ...(isDeposit === true ? { depositNonce: 1n } : {}),
  };
  return { hash: new Uint8Array(32), raw: new Uint8Array(), from, receipt };
}

function blockOf(number: number, payments: readonly Paying[]): CompleteBlock {
  const transactions = payments.map(transactionOf);
  const gasUsed = transactions.reduce((sum, { receipt }) => sum + receipt.gasUsed, 0n);
  const fields = { number, baseFeePerGas: BASE_FEE, coinbase: RECIPIENT, gasLimit: GAS_LIMIT, gasUsed };
  const header = encodeHeader({ ...GENESIS, ...fields });
  return { number, hash: new Uint8Array(32), header, sizeBytes: 0, transactions, withdrawals: null };
}

let chains = 0;

/** Blocks from 1 on, of which those before `first` are not available. */
function chainOf(blocks: readonly (readonly Paying[])[], first = 1): FeeBlockReader {
  const chain = ++chains;
  const made = blocks.map((payments, i) => blockOf(i + 1, payments));
  const at = (number: number): CompleteBlock | null => (number < first ? null : (made[number - 1] ?? null));
  return { at, key: (number) => (at(number) === null ? null : `${number} of ${chain}`) };
}

function oracle(chain: ChainDescription = DEV_CHAIN): TipOracle {
  return new TipOracle(new CachedBlockFees(chain), chain);
}

const times = (count: number, payments: readonly Paying[]): (readonly Paying[])[] =>
  Array.from({ length: count }, () => payments);

describe('the suggested tip of Ethereum', () => {
  test('is the 60th percentile of the three lowest tips of each of twenty blocks', () => {
    const blocks = Array.from({ length: 25 }, (_, i) => paying(i * 10 + 5, i * 10 + 2, i * 10 + 4, i * 10 + 3));
    // Blocks 6 to 25: 60 tips from 52 on, of which index 35 is chosen: 11 blocks of three, then the third tip.
    assert.equal(oracle().suggest(chainOf(blocks), 25), 164n);
  });

  test('ignores tips below 2 wei and transactions of the fee recipient itself', () => {
    const own = { tip: 3n, from: RECIPIENT };
    assert.equal(oracle().suggest(chainOf(times(20, [...paying(0, 1, 8, 9, 10, 11), own])), 20), 9n);
  });

  test('uses the last suggestion for blocks without tips, and then reads up to forty blocks', () => {
    const tips = oracle();
    assert.equal(tips.suggest(chainOf([]), 0), 1_000_000n, 'nothing but genesis');
    assert.equal(tips.suggest(chainOf(times(30, paying(50, 60, 70))), 30), 60n);
    assert.equal(tips.suggest(chainOf([...times(10, paying(50, 60, 70)), ...times(40, paying(1))]), 50), 60n);
    assert.equal(tips.suggest(chainOf([...times(10, paying(9)), ...times(40, paying(80))]), 50), 80n);
    // A block with a single tip brings in further blocks: forty samples, of which index 23 is chosen, or as many as
    // there are.
    assert.equal(tips.suggest(chainOf([...times(30, paying(9)), ...times(17, paying(80))]), 47), 80n);
    assert.equal(tips.suggest(chainOf([...times(30, paying(9)), ...times(16, paying(80))]), 46), 9n);
    assert.equal(tips.suggest(chainOf([...times(19, paying(9)), ...times(13, paying(80))]), 32), 9n);
    assert.equal(tips.suggest(chainOf([...times(18, paying(9)), ...times(14, paying(80))]), 32), 80n);
  });

  test('is at most 500 gwei, and is computed once per head of each chain', () => {
    const tips = oracle();
    assert.equal(tips.suggest(chainOf(times(20, paying(600e9, 700e9, 800e9))), 20), 500_000_000_000n);
    const blocks = chainOf(times(21, paying(5, 6, 7)));
    assert.equal(tips.suggest(blocks, 21), 6n);
    const unread = { key: blocks.key, at: () => assert.fail('the head is the same') };
    assert.equal(tips.suggest(unread, 21), 6n);
    const other = chainOf(times(21, paying(15, 16, 17)));
    assert.equal(tips.suggest({ ...other, key: (number) => `other ${number}` }, 21), 16n);
  });

  test('is null while a block that it needs is missing', () => {
    const rich = times(30, paying(5, 6, 7));
    assert.equal(oracle().suggest(chainOf(rich, 11), 30), 6n);
    assert.equal(oracle().suggest(chainOf(rich, 12), 30), null);
    assert.equal(oracle().suggest(chainOf(rich, 31), 30), null);
    const poor = times(50, paying(5));
    assert.equal(oracle().suggest(chainOf(poor, 11), 50), 5n);
    assert.equal(oracle().suggest(chainOf(poor, 12), 50), null);
  });
});

describe('the suggested tip of the OP Stack', () => {
  test('is 0.001 gwei while the newest block has free gas, whatever was paid in it', () => {
    assert.equal(oracle(OP_CHAIN).suggest(chainOf([[DEPOSIT]]), 1), 1_000_000n);
    assert.equal(oracle(OP_CHAIN).suggest(chainOf(times(3, [DEPOSIT, ...paying(1e9, 2e9)])), 3), 1_000_000n);
    const toTheBrim = [{ tip: 10n ** 9n, gasUsed: 50_000n }];
    assert.equal(oracle(OP_CHAIN).suggest(chainOf([toTheBrim]), 1), 1_000_000n);
  });

  test('is a tenth above the median of a block that had no space for its largest transaction again', () => {
    assert.equal(oracle(OP_CHAIN).suggest(chainOf([[DEPOSIT, ...large([3e9, 1e9, 2e9])]]), 1), 2_200_000_000n);
    assert.equal(oracle(OP_CHAIN).suggest(chainOf([[DEPOSIT, ...large([30, 10, 20])]]), 1), 1_000_000n);
    assert.equal(oracle(OP_CHAIN).suggest(chainOf([large([5e11, 5e11, 5e11])]), 1), 500_000_000_000n);
  });

  test('needs only the newest block', () => {
    assert.equal(oracle(OP_CHAIN).suggest(chainOf(times(9, [DEPOSIT]), 9), 9), 1_000_000n);
    assert.equal(oracle(OP_CHAIN).suggest(chainOf(times(9, [DEPOSIT]), 10), 9), null);
  });
});
