// Stages of scenarios: targets that serve the same state. Runs in the bench.
import type { Target } from './target.js';
import type { World } from './world.js';

export interface Stage {
  readonly world: World;
  readonly targets: readonly Target[];
  /** WebSocket address of the feed that the targets follow; `null`: none. */
  readonly feed: string | null;
  /** The stage as it is by now: on a chain that moves on other calls succeed than a minute ago. */
  now(): Promise<Stage>;
  stop(): Promise<void>;
}

/** One that stays as it is. */
export function standing(parts: Omit<Stage, 'now'>): Stage {
  const stage: Stage = { ...parts, now: () => Promise.resolve(stage) };
  return stage;
}
