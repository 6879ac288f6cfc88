// Builds the addon that sets the slice of a thread, on Linux. Runs in `npm run build` only.
import { fileURLToPath } from 'node:url';
import { buildAddon } from '../addon/build.js';

if (process.platform === 'linux')
  buildAddon({
    name: 'slice',
    sources: fileURLToPath(new URL('../../../../src/lib/thread-slice/', import.meta.url)),
    target: fileURLToPath(new URL('.', import.meta.url)),
    files: ['binding.gyp', 'addon.cpp'],
    proof: 'addon.set(0)',
    fallback: "the system's own slice",
  });
