// The addon's precompiles, or why they are missing. Used on publisher and estimators; main logs which implementations
// are used.
import { nativePart } from '../../native/load.js';
import type { PrecompilesModule } from '../../native/addon-types.js';
import type { BlsFunctions, GeneralFunctions } from '../../native/precompiles/functions.js';

/** The available functions, and a line for the log. */
export interface NativePrecompiles {
  readonly general: GeneralFunctions | null;
  /** Only present if blst's sources were available when the addon was built. */
  readonly bls: BlsFunctions | null;
  readonly reason: string;
}

/** Native precompiles of this process. */
export const NATIVE: NativePrecompiles = load();

function load(): NativePrecompiles {
  const { part: module, reason } = nativePart('precompiles');
  if (module === null) return { general: null, bls: null, reason: `in JavaScript: ${reason}` };
  if (hasBlst(module)) return { general: module, bls: module, reason: 'native' };
  return {
    general: module,
    bls: null,
    reason: 'native but BLS12-381 and point evaluation, which are in JavaScript: no blst when the addon was built',
  };
}

function hasBlst(module: PrecompilesModule): module is GeneralFunctions & BlsFunctions {
  return module.kzgVerify !== undefined;
}
