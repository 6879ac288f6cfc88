// The precompiles' addon, and why it is not there where it is not. Runs on publisher and estimators; main logs which of
// them serve.
import { createRequire } from 'node:module';
import type { BlsFunctions, GeneralFunctions } from './functions.js';

/** Which functions there are, and a line for the log. */
export interface NativePrecompiles {
  readonly general: GeneralFunctions | null;
  /** Where blst was there when the addon was built. */
  readonly bls: BlsFunctions | null;
  readonly reason: string;
}

/** Those of this process. */
export const NATIVE: NativePrecompiles = load();

function load(): NativePrecompiles {
  try {
    const addon: GeneralFunctions & Partial<BlsFunctions> = createRequire(import.meta.url)('./native/precompiles.node');
    if (hasBlst(addon)) return { general: addon, bls: addon, reason: 'native' };
    return {
      general: addon,
      bls: null,
      reason: 'native but BLS12-381 and point evaluation, which are in JavaScript: no blst when the addon was built',
    };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return {
      general: null,
      bls: null,
      reason: `in JavaScript: the addon cannot be loaded (${text.split('\n', 1)[0]})`,
    };
  }
}

function hasBlst(addon: Partial<BlsFunctions>): addon is BlsFunctions {
  return addon.kzgVerify !== undefined;
}
