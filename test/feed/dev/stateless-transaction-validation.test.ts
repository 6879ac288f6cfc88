// Every rejection that needs no account, with its message, and what is accepted.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RLP } from '@ethereumjs/rlp';
import * as fc from 'fast-check';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { DEV_CHAIN } from '../../../src/feed/dev/genesis.js';
import {
  checkTransaction,
  type TransactionCheckResult,
} from '../../../src/feed/dev/stateless-transaction-validation.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { devWallet, signed } from '../keys.js';

const rules = createChainRules(DEV_CHAIN).at(1, 1);
const wallet = devWallet(0);
const other = devWallet(1);

function check(raw: Uint8Array, blockGasLimit = 30_000_000n): TransactionCheckResult {
  return checkTransaction(raw, { chainId: 31337n, rules, blockGasLimit }, () => false);
}

function refusal(raw: Uint8Array, blockGasLimit?: bigint): string {
  const checked = check(raw, blockGasLimit);
  assert.ok('refusal' in checked, 'should have been refused');
  return checked.refusal;
}

/** Replaces one item of a transaction's list. */
function altered(raw: Uint8Array, index: number, item: Uint8Array | Uint8Array[]): Uint8Array {
  const typed = raw[0]! < 0x80;
  const items = RLP.decode(typed ? raw.subarray(1) : raw);
  assert.ok(Array.isArray(items));
  const payload = RLP.encode(items.map((old, i) => (i === index ? item : old)));
  return typed ? Uint8Array.from([raw[0]!, ...payload]) : payload;
}

const auth = wallet.authorizeSync({ address: `0x${'22'.repeat(20)}`, nonce: 1, chainId: 31337n });
const initcode = (bytes: number): string => `0x${'00'.repeat(bytes)}`;

void describe('transactions that are accepted', () => {
  const accepted: readonly (readonly [string, Uint8Array])[] = [
    ['legacy, EIP-155', signed(wallet, { type: 0 })],
    [
      'access list',
      signed(wallet, {
        type: 1,
        gasLimit: 30_000n,
        accessList: [{ address: `0x${'11'.repeat(20)}`, storageKeys: [] }],
      }),
    ],
    ['dynamic fee', signed(wallet, { type: 2 })],
    ['set code', signed(wallet, { type: 4, gasLimit: 100_000n, authorizationList: [auth] })],
    ['a creation', signed(wallet, { to: null, data: '0x00', gasLimit: 100_000n })],
    ['the largest initcode', signed(wallet, { to: null, data: initcode(49_152), gasLimit: 1_000_000n })],
    ['the largest gas limit', signed(wallet, { gasLimit: 16_777_216n })],
  ];
  for (const [name, raw] of accepted) {
    void it(name, () => {
      const checked = check(raw);
      assert.ok('transaction' in checked, 'refusal' in checked ? checked.refusal : '');
      assert.equal(toHex(checked.transaction.from), wallet.address.toLowerCase());
      assert.deepEqual(checked.transaction.raw, raw);
    });
  }

  void it('fees and cost are decoded from a transaction', () => {
    const checked = check(signed(wallet, { value: 5n, nonce: 7 }));
    assert.ok('transaction' in checked);
    const { nonce, feeCap, tipCap, gasLimit, cost } = checked.transaction;
    assert.deepEqual([nonce, feeCap, tipCap, gasLimit], [7n, 10n ** 10n, 10n ** 9n, 21_000n]);
    assert.equal(cost, 21_000n * 10n ** 10n + 5n);
  });
});

void describe('transactions that are refused', () => {
  const plain = signed(wallet, {});
  const legacy = signed(wallet, { type: 0 });
  const cases: readonly (readonly [string, Uint8Array, string | RegExp])[] = [
    ['no bytes', new Uint8Array(0), 'typed transaction too short'],
    ['a type alone', Uint8Array.of(2), 'typed transaction too short'],
    ['unknown type', Uint8Array.of(5, 0xc0), 'transaction type not supported'],
    ['blob type', Uint8Array.of(3, 0xc0), 'rlp: too few elements for types.BlobTx'],
    ['a string', Uint8Array.of(0x82, 1, 2), 'rlp: expected input list for types.LegacyTx'],
    ['cut short', plain.subarray(0, plain.length - 1), /^rlp: /],
    ['bytes behind', Uint8Array.from([...plain, 0]), /^rlp: /],
    ['an empty list', Uint8Array.of(0xc0), 'rlp: too few elements for types.LegacyTx'],
    [
      'unsigned',
      fromHex(`0x02${toHex(RLP.encode(Array.from({ length: 9 }, () => new Uint8Array(0)))).slice(2)}`),
      'rlp: too few elements for types.DynamicFeeTx',
    ],
    [
      'too many items',
      RLP.encode(Array.from({ length: 10 }, () => new Uint8Array(0))),
      'rlp: input list has too many elements for types.LegacyTx',
    ],
    [
      'leading zero',
      altered(plain, 1, Uint8Array.of(0, 1)),
      'rlp: non-canonical integer (leading zero bytes) for Nonce, decoding into (types.DynamicFeeTx).Nonce',
    ],
    [
      'nonce of nine bytes',
      altered(plain, 1, new Uint8Array(9).fill(1)),
      'rlp: input string too long for Nonce, decoding into (types.DynamicFeeTx).Nonce',
    ],
    [
      'list as value',
      altered(plain, 6, []),
      'rlp: expected input string or byte for Value, decoding into (types.DynamicFeeTx).Value',
    ],
    [
      'address of 19 bytes',
      altered(plain, 5, new Uint8Array(19)),
      'rlp: wrong size for common.Address, decoding into (types.DynamicFeeTx).To',
    ],
    [
      'list as data',
      altered(plain, 7, []),
      'rlp: expected input string or byte for []uint8, decoding into (types.DynamicFeeTx).Data',
    ],
    [
      'bytes as access list',
      altered(plain, 8, Uint8Array.of(1)),
      'rlp: expected input list, decoding into (types.DynamicFeeTx).accessList',
    ],
    ['broken access list', altered(plain, 8, [Uint8Array.of(1)]), /^invalid transaction: /],
    [
      'too large',
      signed(wallet, { data: initcode(128 * 1024), gasLimit: 10_000_000n }),
      /^oversized data: transaction size 131\d\d\d, limit 131072$/,
    ],
    [
      'another chain',
      signed(wallet, { chainId: 1n }),
      'invalid sender: invalid chain id for signer: have 1 want 31337',
    ],
    [
      'another chain, legacy',
      signed(wallet, { type: 0, chainId: 5n }),
      'invalid sender: invalid chain id for signer: have 5 want 31337',
    ],
    [
      'no replay protection',
      signed(wallet, { type: 0, chainId: 0n }),
      'only replay-protected (EIP-155) transactions allowed over RPC',
    ],
    [
      'initcode',
      signed(wallet, { to: null, data: initcode(49_153), gasLimit: 1_000_000n }),
      'max initcode size exceeded: code size 49153 limit 49152',
    ],
    [
      'EIP-7825',
      signed(wallet, { gasLimit: 16_777_217n }),
      'transaction gas limit too high (cap: 16777216, tx: 16777217)',
    ],
    [
      'tip above cap',
      altered(plain, 2, new Uint8Array(32).fill(1)),
      'max priority fee per gas higher than max fee per gas',
    ],
    ['last nonce', altered(plain, 1, new Uint8Array(8).fill(255)), 'nonce has max value'],
    [
      'no authorization',
      signed(wallet, { type: 4, authorizationList: [], gasLimit: 100_000n }),
      'set code tx must have at least one authorization tuple',
    ],
    [
      'set code that creates',
      altered(signed(wallet, { type: 4, authorizationList: [auth], gasLimit: 100_000n }), 5, new Uint8Array(0)),
      'rlp: input string too short for common.Address, decoding into (types.SetCodeTx).To',
    ],
    ['s of zero', altered(plain, 11, new Uint8Array(0)), 'invalid sender: invalid transaction v, r, s values'],
    ['high s', altered(plain, 11, new Uint8Array(32).fill(0xfe)), 'invalid sender: invalid transaction v, r, s values'],
    ['parity of 2', altered(plain, 9, Uint8Array.of(2)), 'invalid sender: invalid transaction v, r, s values'],
    ['r of zero', altered(legacy, 7, new Uint8Array(0)), 'invalid sender: invalid transaction v, r, s values'],
    ['intrinsic gas', signed(wallet, { gasLimit: 20_999n }), 'intrinsic gas too low: gas 20999, minimum needed 21000'],
    [
      'intrinsic gas of a creation',
      signed(wallet, { to: null, data: '0x0001', gasLimit: 53_000n }),
      'intrinsic gas too low: gas 53000, minimum needed 53022',
    ],
    [
      'data floor',
      signed(wallet, { data: initcode(100), gasLimit: 21_500n }),
      'insufficient gas for floor data gas cost: gas 21500, minimum needed 22000',
    ],
  ];
  for (const [name, raw, text] of cases) {
    void it(name, () => {
      if (typeof text === 'string') assert.equal(refusal(raw), text);
      else assert.match(refusal(raw), text);
    });
  }

  void it('more gas than a block has', () =>
    assert.equal(refusal(signed(wallet, { gasLimit: 1_000_001n }), 1_000_000n), 'exceeds block gas limit'));

  void it('a known transaction is refused without further checks', () => {
    const context = { chainId: 31337n, rules, blockGasLimit: 30_000_000n };
    assert.deepEqual(
      checkTransaction(signed(other, {}), context, () => true),
      { refusal: 'already known' },
    );
  });
});

void it('no bytes make the checks throw', () => {
  const seeds = [
    signed(wallet, {}),
    signed(wallet, { type: 0 }),
    signed(wallet, { type: 4, authorizationList: [auth], gasLimit: 100_000n }),
  ];
  const mutated = fc
    .tuple(fc.constantFrom(...seeds), fc.nat(), fc.integer({ min: 0, max: 255 }))
    .map(([raw, at, byte]) => raw.with(at % raw.length, byte));
  const property = fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), mutated), (raw) => {
    const checked = check(raw);
    assert.ok('transaction' in checked || checked.refusal.length > 0);
  });
  fc.assert(property, { numRuns: 500, seed: 1 });
});
