// Stages of scenarios: targets that serve the same state. Types; runs in the bench.
import type { Target } from './target.js';
import type { World } from './world.js';

export interface Stage {
  readonly world: World;
  readonly targets: readonly Target[];
  /** WebSocket address of the feed that the targets follow; `null`: none. */
  readonly feed: string | null;
  stop(): Promise<void>;
}
