// Stages of scenarios: targets that serve the same state. Runs in the bench.
import type { Target } from './target.js';
import type { World } from './world.js';

export interface Stage {
  readonly world: World;
  readonly targets: readonly Target[];
  /** WebSocket address of the feed that the targets follow; `null`: none. */
  readonly feed: string | null;
  /** The current stage: on a moving chain the calls that succeed change. */
  now(): Promise<Stage>;
  stop(): Promise<void>;
}

/** A stage that does not change. */
export function standing(parts: Omit<Stage, 'now'>): Stage {
  const stage: Stage = { ...parts, now: () => Promise.resolve(stage) };
  return stage;
}
