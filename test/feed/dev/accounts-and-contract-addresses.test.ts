// The dev chain's accounts and keys are those that ethers derives from its mnemonic.
import assert from 'node:assert/strict';
import test from 'node:test';
import { HDNodeWallet, Mnemonic } from 'ethers';
import {
  DEV_ACCOUNT_ADDRESSES,
  DEV_PRIVATE_KEYS,
  DEV_MNEMONIC,
} from '../../../src/feed/dev/accounts-and-contract-addresses.js';
import { toHex } from '../../../src/lib/bytes/hex.js';

test('accounts and keys are derived from the mnemonic', () => {
  const mnemonic = Mnemonic.fromPhrase(DEV_MNEMONIC);
  const wallets = DEV_ACCOUNT_ADDRESSES.map((_, index) =>
    HDNodeWallet.fromMnemonic(mnemonic, `m/44'/60'/0'/0/${index}`),
  );
  assert.deepEqual(
    DEV_ACCOUNT_ADDRESSES.map(toHex),
    wallets.map(({ address }) => address.toLowerCase()),
  );
  assert.deepEqual(
    DEV_PRIVATE_KEYS,
    wallets.map(({ privateKey }) => privateKey),
  );
});
