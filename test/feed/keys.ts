// Keys and signed transactions for the tests of the dev chain.
import { HDNodeWallet, Mnemonic, Transaction, Wallet, type TransactionLike } from 'ethers';
import { fromHex } from '../../src/lib/bytes/hex.js';

const PHRASE = 'test test test test test test test test test test test junk';

export function devWallet(index: number): Wallet {
  const { privateKey } = HDNodeWallet.fromMnemonic(Mnemonic.fromPhrase(PHRASE), `m/44'/60'/0'/0/${index}`);
  return new Wallet(privateKey);
}

/** Signs with ethers, which shares no code with the code under test; by default an EIP-1559 transfer to 0x11... */
export function signed(wallet: Wallet, fields: TransactionLike): Uint8Array {
  const transaction = Transaction.from({
    type: 2,
    chainId: 31337n,
    nonce: 0,
    gasLimit: 21_000n,
    to: `0x${'11'.repeat(20)}`,
    ...(fields.type === 0 || fields.type === 1
      ? { gasPrice: 10n ** 10n }
      : { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n }),
    ...fields,
  });
  transaction.signature = wallet.signingKey.sign(transaction.unsignedHash);
  return fromHex(transaction.serialized);
}
