// The first version of a replicated chain: block 1.
import { diffOf, hashOf } from '../state/diffs.js';

const { coordinates, env, heads } = diffOf({ block: 1, hash: hashOf(1) });
/** A complete state at block 1, as a replica adopts it. */
export const FIRST_VERSION = {
  version: 1,
  isComplete: true,
  position: { coordinates, env, heads },
  ancestors: [],
  block: null,
} as const;
