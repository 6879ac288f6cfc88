// What the addon of the precompiles is built of. Runs in `npm run build` only.
import { fileURLToPath } from 'node:url';
import type { AddonSources } from '../../../lib/addon/build.js';

/** Built below `dist`, beside this file's compiled form. */
export const ADDON: AddonSources = {
  name: 'precompiles',
  sources: fileURLToPath(new URL('../../../../../src/evm/precompiles/native/', import.meta.url)),
  target: fileURLToPath(new URL('.', import.meta.url)),
  files: [
    'binding.gyp',
    'addon.cpp',
    'assembly.S',
    'blake2f.h',
    'bls12_381.h',
    'blst.c',
    'bn254.h',
    'curve.h',
    'field.h',
    'modexp.h',
    'p256.h',
    'status.h',
  ],
  package: 'c-kzg',
  proof: 'addon.bn254Add(new Uint8Array(128), new Uint8Array(64))',
  fallback: 'JavaScript, which is 8 to 300 times slower,',
};
