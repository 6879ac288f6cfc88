// Hashes of typed data as by ethers, for the example of EIP-712 and for every kind of member; and data that have no
// hash.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TypedDataEncoder } from 'ethers';
import { toHex } from '../../src/lib/bytes/hex.js';
import { typedDataHash } from '../../src/transaction/typed-data.js';

const DOMAIN = { name: 'Ether Mail', version: '1', chainId: 1, verifyingContract: `0x${'cc'.repeat(20)}` };
const TYPES = {
  Person: [
    { name: 'name', type: 'string' },
    { name: 'wallets', type: 'address[]' },
  ],
  Mail: [
    { name: 'from', type: 'Person' },
    { name: 'to', type: 'Person[2]' },
    { name: 'amount', type: 'int128' },
    { name: 'limit', type: 'uint256' },
    { name: 'key', type: 'bytes4' },
    { name: 'body', type: 'bytes' },
    { name: 'isUrgent', type: 'bool' },
  ],
};
const CAT = { name: 'Cat', wallets: [`0x${'cd'.repeat(20)}`, `0x${'de'.repeat(20)}`] };
const MESSAGE = {
  from: CAT,
  to: [CAT, { name: 'Bob', wallets: [] }],
  amount: '-5',
  limit: '0xff',
  key: '0x01020304',
  body: '0x',
  isUrgent: true,
};
const DATA = { types: TYPES, primaryType: 'Mail', domain: DOMAIN, message: MESSAGE };

test('typed data have the hash that ethers gives them, with a type of the domain or without', () => {
  const expected = TypedDataEncoder.hash(DOMAIN, TYPES, MESSAGE);
  assert.equal(toHex(typedDataHash(DATA) as Uint8Array), expected);
  const EIP712Domain = ['name string', 'version string', 'chainId uint256', 'verifyingContract address'].map((each) => {
    const [name, type] = each.split(' ');
    return { name, type };
  });
  assert.equal(toHex(typedDataHash({ ...DATA, types: { ...TYPES, EIP712Domain } }) as Uint8Array), expected);
});

test('typed data without a hash are refused, with the name of the faulty part', () => {
  const cases: readonly (readonly [data: unknown, reason: RegExp])[] = [
    [undefined, /typed data is no object/],
    [{ ...DATA, types: [] }, /types is no object/],
    [{ ...DATA, types: { Mail: 1 } }, /type Mail is no list/],
    [{ ...DATA, types: { Mail: [{ name: 1 }] } }, /field of Mail has no name/],
    [{ ...DATA, primaryType: 'Letter' }, /primaryType/],
    [{ ...DATA, message: { ...MESSAGE, body: undefined } }, /Mail lacks body/],
    ...(
      [
        ['amount', (2n ** 127n).toString()],
        ['limit', '-1'],
        ['limit', 1.5],
        ['key', '0x010203'],
        ['body', 'text'],
        ['isUrgent', 1],
        ['to', [CAT]],
        ['from', 'Cat'],
      ] as const
    ).map(([name, value]): [unknown, RegExp] => [{ ...DATA, message: { ...MESSAGE, [name]: value } }, /is no|want/]),
    [{ ...DATA, types: { ...TYPES, Person: [{ name: 'name', type: 'text' }] } }, /is no text/],
  ];
  for (const [data, reason] of cases) assert.match(String(typedDataHash(data)), reason);
});
