// libsecp256k1, where npm has a build of it for the platform. Runs on publisher, estimators and senders; main asks whether it
// is there.
import { createRequire } from 'node:module';

/** 65 bytes, the prefix first. Throws where no key has made the signature, which is r and s. */
export type Recover = (hash: Uint8Array, parity: 0 | 1, signature: Uint8Array) => Uint8Array;

interface NativeLibrary {
  ecdsaRecover(signature: Uint8Array, parity: number, hash: Uint8Array, compressed: boolean): Uint8Array;
}

/** `null` where there is no build for this platform. */
export const recoverNatively: Recover | null = loadNative();

function loadNative(): Recover | null {
  const require = createRequire(import.meta.url);
  try {
    // The package's own entry loads another library where there is no build.
    const library = require('secp256k1/bindings.js') as NativeLibrary;
    return (hash, parity, signature) => library.ecdsaRecover(signature, parity, hash, false);
  } catch {
    return null;
  }
}
