// L1 fees in receipts of an OP Stack chain: real receipts, the fee vault's income in real blocks, and each form of the
// L1 attributes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { L1_FEE_VAULT_ADDRESS } from '../../../src/chain/op/predeploys.js';
import type { OpFork } from '../../../src/chain/op/forks.js';
import type { JsonRecord } from '../../../src/chain/render-header-json.js';
import { DEPOSIT_TRANSACTION_TYPE } from '../../../src/transaction/fields.table.js';
import { parseRollupConfig } from '../../../src/chain/op/rollup-config.js';
import type { ChainDescription } from '../../../src/chain/chain-description.js';
import { decodeDeposit } from '../../../src/transaction/op/deposit.js';
import { fromHex, toHex, toQuantity } from '../../../src/lib/bytes/hex.js';
import { keccak256 } from '../../../src/lib/bytes/keccak-wasm.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import { ExecutedBlockLookup } from '../../../src/rpc/view/executed-block-lookup.js';
import { renderReceipt } from '../../../src/rpc/render/blocks-and-transactions.js';
import { PreConfirmedBlocks } from '../../../src/rpc/view/pre-confirmed-blocks.js';
import type { ExecutedTransaction } from '../../../src/state/complete-block.js';
import { schemaOf } from '../../io/answers.js';
import { assertOfSchema } from '../../io/schema.js';
import { blockEnv } from '../../support/jobs.js';
import { sharedData, withoutData } from '../../support/shared-data.js';
import { depositBytes, opChainAt, signedBytes } from '../../execution/op/blocks.js';
import { FIRST, LAST, witnessBlock } from '../../execution/op/witness.js';

/** A transaction whose result does not matter. */
function transaction(raw: Uint8Array): ExecutedTransaction {
  const sums = { gasUsed: 1n, cumulativeGasUsed: 1n, effectiveGasPrice: 1n };
  const type = raw[0]! >= 0xc0 ? 0 : raw[0]!;
  const nonce = type === DEPOSIT_TRANSACTION_TYPE ? { depositNonce: 7n } : {};
  const receipt = { type, status: 1 as const, ...sums, contractAddress: null, logs: [], ...nonce };
  return { hash: keccak256(raw), raw, from: new Uint8Array(20), receipt };
}

/** The receipts of a pre-confirmed block with these transactions. */
function receiptsOf(chain: ChainDescription, raws: readonly Uint8Array[], timestamp: bigint): JsonRecord[] {
  const transactions = raws.map(transaction);
  const coordinates = { block: 100, index: 1, hash: null, parentHash: new Uint8Array(32) };
  const soFar = {
    coordinates,
    env: blockEnv({ timestamp }),
    extraData: new Uint8Array(0),
    gasUsed: 0n,
    blobGasUsed: 0n,
    transactions,
  };
  const { block } = new ExecutedBlockLookup(chain, new PreConfirmedBlocks()).announced(100, soFar);
  const receipts = transactions.map((_each, index) => renderReceipt({ block, index }));
  assertOfSchema(receipts, schemaOf('eth_getBlockReceipts', [])!, 'receipts');
  return receipts;
}

/** The L1 members of a receipt. */
function l1Of(receipt: JsonRecord): JsonRecord {
  return Object.fromEntries(
    Object.entries(receipt).filter(([name]) => /^(l1|operatorFee|daFootprint|blobGas)/.test(name)),
  );
}

const SELECTORS = { ecotone: '440a5e20', isthmus: '098999be', jovian: '3db6be2b', bedrock: '015d8eb9' } as const;

/** L1 prices as announced to Unichain in the block of a public receipt. */
function attributes(form: keyof typeof SELECTORS, operator: readonly [scalar: bigint, constant: bigint]): Uint8Array {
  const data = Buffer.concat([
    fromHex(SELECTORS[form]),
    toBytes(9736n, 4),
    toBytes(1_540_079n, 4),
    // Sequence number, and time and number of the L1 block.
    toBytes(77n, 24),
    toBytes(401_448_161n, 32),
    toBytes(23_248_065n, 32),
    // L1 block hash and batcher.
    Buffer.alloc(64, 0xee),
    ...(form === 'isthmus' || form === 'jovian' ? [toBytes(operator[0], 4), toBytes(operator[1], 8)] : []),
    ...(form === 'jovian' ? [toBytes(400n, 2)] : []),
  ]);
  return depositBytes({ from: `0x${'de'.repeat(20)}`, to: `0x${'42'.repeat(20)}`, data: new Uint8Array(data) });
}

const TO = `0x${'bb'.repeat(20)}`;
const PRICES = {
  l1GasPrice: '0x17ed9ce1',
  l1BaseFeeScalar: '0x2608',
  l1BlobBaseFee: '0x162bcc1',
  l1BlobBaseFeeScalar: '0x177fef',
};
/** Values in the receipt, which is of a small transaction. */
const FJORD = { ...PRICES, l1GasUsed: '0x640', l1Fee: '0x24a26b21e' };
const OPERATOR = { operatorFeeScalar: '0x7', operatorFeeConstant: '0x5' };
const FOOTPRINT = { daFootprintGasScalar: '0x190', blobGasUsed: '0x9c40' };

const CASES: readonly (readonly [
  fork: OpFork,
  form: keyof typeof SELECTORS,
  operator: readonly [bigint, bigint],
  said: JsonRecord,
])[] = [
  ['fjord', 'ecotone', [0n, 0n], FJORD],
  ['holocene', 'ecotone', [0n, 0n], FJORD],
  // The first block of a fork gets attributes in the previous fork's format.
  ['isthmus', 'ecotone', [0n, 0n], FJORD],
  ['isthmus', 'isthmus', [0n, 0n], FJORD],
  ['isthmus', 'isthmus', [7n, 5n], { ...FJORD, ...OPERATOR }],
  ['jovian', 'isthmus', [7n, 5n], { ...FJORD, ...OPERATOR }],
  ['jovian', 'jovian', [0n, 0n], { ...FJORD, ...FOOTPRINT }],
  ['karst', 'jovian', [7n, 5n], { ...FJORD, ...OPERATOR, ...FOOTPRINT }],
  ['azul', 'jovian', [0n, 0n], { ...FJORD, ...FOOTPRINT }],
  // A call that is too short yields nothing.
  ['fjord', 'bedrock', [0n, 0n], {}],
];

for (const [fork, form, operator, said] of CASES) {
  test(`${fork}: receipt fields follow attributes in the form of ${form}, operator fee ${operator.join(' ')}`, () => {
    const chain = opChainAt(fork);
    const [deposit, signed] = receiptsOf(chain, [attributes(form, operator), signedBytes(chain, { to: TO })], 1000n);
    assert.deepEqual(l1Of(signed!), said);
    assert.deepEqual(l1Of(deposit!), {}, 'a deposit pays nothing');
  });
}

test('Ecotone reports the calldata gas of L1', () => {
  const chain = opChainAt('ecotone');
  const raw = signedBytes(chain, { to: TO });
  const gas = raw.reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), 0n);
  const [, signed] = receiptsOf(chain, [attributes('ecotone', [0n, 0n]), raw], 1000n);
  const fee = (gas * (16n * 9736n * 401_448_161n + 1_540_079n * 23_248_065n)) / 16_000_000n;
  assert.deepEqual([signed!['l1GasUsed'], signed!['l1Fee']], [`0x${gas.toString(16)}`, `0x${fee.toString(16)}`]);
});

test('the first block of Ecotone, with attributes as in Bedrock, shows the fees it has charged', () => {
  const words = [1n, 2n, 401_448_161n, 4n, 5n, 6n, 188n, 684_000n].map((value) => toBytes(value, 32));
  const data = new Uint8Array(Buffer.concat([fromHex(SELECTORS.bedrock), ...words]));
  const deposit = depositBytes({ from: `0x${'de'.repeat(20)}`, to: `0x${'42'.repeat(20)}`, data });
  for (const fork of ['ecotone', 'fjord'] as const) {
    const chain = opChainAt(fork);
    const raw = signedBytes(chain, { to: TO });
    const gas = raw.reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), 188n);
    const [, signed] = receiptsOf(chain, [deposit, raw], 1000n);
    assert.deepEqual(l1Of(signed!), {
      l1GasPrice: '0x17ed9ce1',
      l1GasUsed: toQuantity(gas),
      l1Fee: toQuantity((gas * 401_448_161n * 684_000n) / 1_000_000n),
      l1FeeScalar: '0.684',
    });
  }
});

test('a block without its L1 attributes deposit, and a chain of another kind, has no L1 fields', () => {
  const chain = opChainAt('fjord');
  const raw = signedBytes(chain, { to: TO });
  assert.deepEqual(receiptsOf(chain, [raw], 1000n).map(l1Of), [{}]);
  const others = receiptsOf({ ...chain, op: null }, [attributes('ecotone', [0n, 0n]), raw], 1000n);
  assert.deepEqual(others.map(l1Of), [{}, {}]);
});

interface Leaves {
  readonly blocks: Readonly<Record<string, { readonly accounts: Readonly<Record<string, { balance: string }>> }>>;
}

test(
  'the fees in the receipts of real blocks add up to the income of the fee vault',
  { skip: withoutData('op-sepolia') },
  () => {
    const file = readFileSync(sharedData('op-sepolia/state-leaves-26207960-26207963.json'), 'utf8');
    const vault = toHex(keccak256(L1_FEE_VAULT_ADDRESS));
    const before = (number: number): bigint =>
      BigInt((JSON.parse(file) as Leaves).blocks[number]!.accounts[vault]!.balance);
    for (let number = FIRST; number < LAST; number++) {
      const block = witnessBlock(number);
      const { chain } = parseRollupConfig('rollup.json', block.rollupConfig);
      const receipts = receiptsOf(chain, block.transactions, block.plan(chain).env.timestamp);
      const deposits = block.transactions.filter((raw) => typeof decodeDeposit(raw) !== 'string').length;
      assert.equal(receipts.filter((receipt) => receipt['l1Fee'] === undefined).length, deposits);
      const fees = receipts.reduce((sum, receipt) => sum + BigInt((receipt['l1Fee'] as string | undefined) ?? 0), 0n);
      assert.equal(fees, before(number + 1) - before(number), `${number}`);
    }
  },
);
