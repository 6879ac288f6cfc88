// An upstream node without blocks, for tests of other requests.
import type { Upstream } from '../../../src/upstream/upstream.js';

export const BLOCKLESS: Pick<Upstream, 'block' | 'blockBeside' | 'returns'> = {
  block: () => Promise.resolve(null),
  blockBeside: () => Promise.resolve({ block: null, answers: [] }),
  returns: 0,
};
