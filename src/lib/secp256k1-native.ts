// libsecp256k1, where its addon could be built. Runs on publisher, estimators and senders; main asks whether it is there.
import { createRequire } from 'node:module';

/** 65 bytes, the prefix first. Throws where no key has made the signature, which is r and s. */
export type Recover = (hash: Uint8Array, parity: 0 | 1, signature: Uint8Array) => Uint8Array;

interface Addon {
  /** Whether there is a key, which is then in `output`. */
  readonly recover: (hash: Uint8Array, parity: 0 | 1, signature: Uint8Array, output: Uint8Array) => boolean;
}

const KEY_BYTES = 65;

/** `null` where the addon was not built. */
export const recoverNatively: Recover | null = loadNative();

function loadNative(): Recover | null {
  try {
    const addon: Addon = createRequire(import.meta.url)('./secp256k1-native/secp256k1.node');
    return (hash, parity, signature) => {
      const key = new Uint8Array(KEY_BYTES);
      if (!addon.recover(hash, parity, signature, key)) throw new Error('no key has made the signature');
      return key;
    };
  } catch {
    return null;
  }
}
