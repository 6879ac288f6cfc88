// Builds the addon of the futex, where the system has one. Runs in `npm run build` only.
import { fileURLToPath } from 'node:url';
import { buildAddon } from '../../../lib/addon/build.js';

if (process.platform === 'linux')
  buildAddon({
    name: 'futex',
    sources: fileURLToPath(new URL('../../../../../src/pool/estimator/futex/', import.meta.url)),
    target: fileURLToPath(new URL('.', import.meta.url)),
    files: ['binding.gyp', 'addon.cpp'],
    proof: 'addon.wake(new Int32Array(new SharedArrayBuffer(4)), 0)',
    fallback: 'Atomics.wait',
  });
