// Client identifiers, derived from addresses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientNameOfAddress } from '../../src/http/client-identifier.js';

function hex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'hex'));
}

void test('a client is an IPv4 address or an IPv6 /64', () => {
  assert.equal(clientNameOfAddress(Uint8Array.of(192, 0, 2, 1)), '192.0.2.1');
  assert.equal(clientNameOfAddress(hex('00000000000000000000ffffc0000201')), '192.0.2.1', 'IPv4 on a socket of both');
  assert.equal(clientNameOfAddress(hex('20010db8000000010000000000000001')), '2001:db8:0:1::/64');
  assert.equal(
    clientNameOfAddress(hex('20010db80000000112345678ffff0002')),
    '2001:db8:0:1::/64',
    'one client has the whole prefix',
  );
  assert.equal(clientNameOfAddress(hex('00000000000000000000000000000001')), '0:0:0:0::/64');
  assert.equal(clientNameOfAddress(hex('00000000000000000000fffe00000001')), '0:0:0:0::/64', 'nearly an IPv4 address');
  assert.equal(clientNameOfAddress(hex('00000000000000000001ffffc0000201')), '0:0:0:0::/64', 'nearly an IPv4 address');
  assert.equal(clientNameOfAddress(new Uint8Array(0)), 'unknown');
});
