// Precompiles of the native addon, or the reason why they are missing. Used on the publisher and estimator threads; the
// main thread logs which implementations are used.
import { loadNativeModule } from '../../native/load-addon.js';
import type { PrecompilesModule } from '../../native/addon-types.js';
import type { BlsFunctions, NonBlsFunctions } from '../../native/precompiles/function-types.js';

/**
 * The addon's functions that are available. `reason` is written to the log: which precompiles are native, and why the
 * others are not.
 */
export interface NativePrecompileFunctions {
  readonly general: NonBlsFunctions | null;
  /** `null` if the addon was built without the sources of the library blst. */
  readonly bls: BlsFunctions | null;
  readonly reason: string;
}

/** The addon's precompiles in this process. */
export const LOADED_NATIVE_PRECOMPILES: NativePrecompileFunctions = load();

function load(): NativePrecompileFunctions {
  const { part: module, reason } = loadNativeModule('precompiles');
  if (module === null) return { general: null, bls: null, reason: `in JavaScript: ${reason}` };
  if (hasBlst(module)) return { general: module, bls: module, reason: 'native' };
  return {
    general: module,
    bls: null,
    reason: 'native but BLS12-381 and point evaluation, which are in JavaScript: no blst when the addon was built',
  };
}

function hasBlst(module: PrecompilesModule): module is NonBlsFunctions & BlsFunctions {
  return module.kzgVerify !== undefined;
}
