// The precompiles' addon, and why it is not there where it is not. Runs on publisher and estimators; main logs which of
// them serve.
import { createRequire } from 'node:module';

/** What the addon says of an input (native/status.h). */
export const STATUS = { done: 0, false: 1, notOnCurve: 2, notInField: 3 } as const;

/** Fills `output` and answers a STATUS. The lengths of both are those of the EIP; other ones are an exception. */
type Compute = (input: Uint8Array, output: Uint8Array) => number;
/** Answers a STATUS. */
type Check = (input: Uint8Array) => number;

/** native/addon.cpp: what needs nothing but a compiler. */
export interface Addon {
  readonly bn254Add: Compute;
  readonly bn254Mul: Compute;
  readonly bn254Pairing: Check;
  readonly p256Verify: Check;
  readonly blake2f: Compute;
  modexp(base: Uint8Array, exponent: Uint8Array, modulus: Uint8Array, output: Uint8Array): number;
}

/** What the addon has where blst was there when it was built. */
export interface BlstAddon {
  readonly blsG1Add: Compute;
  readonly blsG2Add: Compute;
  readonly blsG1Msm: Compute;
  readonly blsG2Msm: Compute;
  readonly blsPairing: Check;
  readonly blsMapG1: Compute;
  readonly blsMapG2: Compute;
  /** `input`: z, y, commitment, proof. `setup`: [s]G2 of the setup, compressed. */
  kzgVerify(input: Uint8Array, setup: Uint8Array): number;
}

/** Which functions there are, and a line for the log. */
export interface NativePrecompiles {
  readonly addon: Addon | null;
  readonly blst: BlstAddon | null;
  readonly reason: string;
}

/** Those of this process. */
export const NATIVE: NativePrecompiles = load();

function load(): NativePrecompiles {
  try {
    const addon: Addon & Partial<BlstAddon> = createRequire(import.meta.url)('./native/precompiles.node');
    if (hasBlst(addon)) return { addon, blst: addon, reason: 'native' };
    return {
      addon,
      blst: null,
      reason: 'native but BLS12-381 and point evaluation, which are slow: no blst when the addon was built',
    };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { addon: null, blst: null, reason: `slow: the addon cannot be loaded (${text.split('\n', 1)[0]})` };
  }
}

function hasBlst(addon: Partial<BlstAddon>): addon is BlstAddon {
  return addon.kzgVerify !== undefined;
}
