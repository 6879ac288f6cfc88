// What the addon of plain reads is built of. Runs in `npm run build` only.
import { fileURLToPath } from 'node:url';
import type { AddonSources } from '../../lib/addon/build.js';

/** Built below `dist`, beside this file's compiled form. */
export const ADDON: AddonSources = {
  name: 'plain_reads',
  sources: fileURLToPath(new URL('../../../../src/rpc/plain-reads/', import.meta.url)),
  target: fileURLToPath(new URL('.', import.meta.url)),
  files: ['binding.gyp', 'addon.cpp', 'answers.h', 'body.h', 'table.h'],
  headers: ['hex.h'],
  proof: 'addon.layout()',
  fallback: 'the path of all other calls',
};
