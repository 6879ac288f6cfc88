// Builds the addon of libsecp256k1. Runs in `npm run build` only.
import { fileURLToPath } from 'node:url';
import { buildAddon } from '../addon/build.js';

buildAddon({
  name: 'secp256k1',
  sources: fileURLToPath(new URL('../../../../src/lib/secp256k1-native/', import.meta.url)),
  target: fileURLToPath(new URL('.', import.meta.url)),
  files: ['binding.gyp', 'addon.cpp', 'library.c'],
  package: 'secp256k1',
  proof: 'addon.recover(new Uint8Array(32), 0, new Uint8Array(64), new Uint8Array(65))',
  fallback: 'JavaScript, which takes thirty times as long,',
});
