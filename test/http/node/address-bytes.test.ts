// Converts addresses as Node.js formats them to bytes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressBytes } from '../../../src/http/node/address-bytes.js';

const CASES: readonly (readonly [text: string | undefined, hex: string])[] = [
  [undefined, ''],
  ['127.0.0.1', '7f000001'],
  ['::', '00'.repeat(16)],
  ['::1', `${'00'.repeat(15)}01`],
  ['2001:db8::5', `20010db8${'00'.repeat(11)}05`],
  ['2001:db8:1:2:3:4:5:6', '20010db8000100020003000400050006'],
  ['fe80::1%eth0', `fe80${'00'.repeat(13)}01`],
  ['::ffff:192.0.2.7', `${'00'.repeat(10)}ffffc0000207`],
  ['64:ff9b::', `0064ff9b${'00'.repeat(12)}`],
];

void test('an address is 4 or 16 bytes, or empty where it is unknown', () => {
  for (const [text, hex] of CASES) assert.equal(Buffer.from(addressBytes(text)).toString('hex'), hex, text);
});
