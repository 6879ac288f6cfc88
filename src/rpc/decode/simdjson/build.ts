// Builds the decoder addon. Runs in `npm run build` only.
import { fileURLToPath } from 'node:url';
import { buildAddon } from '../../../lib/addon/build.js';

buildAddon({
  name: 'decoder',
  sources: fileURLToPath(new URL('../../../../../src/rpc/decode/simdjson/', import.meta.url)),
  target: fileURLToPath(new URL('.', import.meta.url)),
  files: ['binding.gyp', 'addon.cpp', 'allocator.h', 'request.h'],
  headers: ['hex.h'],
  package: 'simdjson',
  proof: 'addon.create(1024, 8, 1, 1)',
  fallback: 'the byte decoder',
});
