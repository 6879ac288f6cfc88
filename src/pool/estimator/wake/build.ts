// Builds the addon by which threads wake each other, on Linux. Runs in `npm run build` only.
import { fileURLToPath } from 'node:url';
import { buildAddon } from '../../../lib/addon/build.js';

if (process.platform === 'linux')
  buildAddon({
    name: 'wake',
    sources: fileURLToPath(new URL('../../../../../src/pool/estimator/wake/', import.meta.url)),
    target: fileURLToPath(new URL('.', import.meta.url)),
    files: ['binding.gyp', 'addon.cpp'],
    proof: 'addon.wake(new Int32Array(new SharedArrayBuffer(4)), 0), addon.ring(addon.open(() => {}))',
    fallback: 'Atomics',
  });
