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
      'address.h',
      'bytes.h',
      'calls.h',
      'chunks.h',
      'door.h',
      'frames.h',
      'head.h',
      'lines.h',
      'messages.h',
      'turns.h',
      'values.h',
    ],
    proof: "addon.messages([Buffer.from('GET / HTTP/1.1')], 0)",
    fallback: 'node:http',
  });
