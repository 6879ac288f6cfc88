// The functions of precompiles in WebAssembly: elliptic curves by mcl, BLAKE2F and MODEXP by a module of our own. Runs on
// publisher and estimators where the addon does not serve.
import type { BlsFunctions, GeneralFunctions } from '../functions.js';
import { createBls } from './bls12-381.js';
import { createBn254 } from './bn254.js';
import { createIntegers } from './integers.js';
import { createP256 } from './p256.js';

/** Takes 0.2 s and some 10 MB, once a thread. `null`: the system has no memory for them. */
export function createWasmGeneral(): Promise<GeneralFunctions | null> {
  return orNull(async () => ({ ...(await createBn254()), ...(await createP256()), ...createIntegers() }));
}

/** Takes 0.1 s and some 5 MB, once a thread. `null`: the system has no memory for them. */
export function createWasmBls(): Promise<BlsFunctions | null> {
  return orNull(createBls);
}

async function orNull<T>(create: () => Promise<T>): Promise<T | null> {
  try {
    return await create();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
