// A node that knows no block, for those who ask it for other things.
import type { Upstream } from '../../../src/upstream/upstream.js';

export const BLOCKLESS: Pick<Upstream, 'block' | 'blockBeside' | 'returns'> = {
  block: () => Promise.resolve(null),
  blockBeside: () => Promise.resolve({ block: null, answers: [] }),
  returns: 0,
};
