// Builds the addon of the load generator's sockets, on Linux. Runs in `npm run build` only.
import { fileURLToPath } from 'node:url';
import { buildAddon } from '../../../src/lib/addon/build.js';

if (process.platform === 'linux')
  buildAddon({
    name: 'sockets',
    sources: fileURLToPath(new URL('../../../../bench/load/sockets/', import.meta.url)),
    target: fileURLToPath(new URL('.', import.meta.url)),
    files: ['binding.gyp', 'addon.cpp'],
    proof: 'addon.use(new Uint8Array(8), new Int32Array(3)); addon.wait(0)',
    fallback: 'node:net',
  });
