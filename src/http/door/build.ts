// Builds the addon that stands in front of uWebSockets.js, on Linux. Runs in `npm run build` only.
import { fileURLToPath } from 'node:url';
import { buildAddon } from '../../lib/addon/build.js';

if (process.platform === 'linux')
  buildAddon({
    name: 'door',
    sources: fileURLToPath(new URL('../../../../src/http/door/', import.meta.url)),
    target: fileURLToPath(new URL('.', import.meta.url)),
    files: [
      'binding.gyp',
      'addon.cpp',
      'bytes.h',
      'calls.h',
      'chunks.h',
      'door.h',
      'frames.h',
      'head.h',
      'messages.h',
      'turns.h',
    ],
    proof: "addon.messages([Buffer.from('GET / HTTP/1.1')], false)",
    fallback: 'node:http',
  });
