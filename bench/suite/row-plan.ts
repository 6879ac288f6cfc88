// Plan of a row: the load, its stage, and the generators of its turns. Types; runs in the bench.
import type { Live } from '../load/job.js';
import type { Pace } from '../load/schedule.js';
import type { Run } from '../scenarios/scenario.js';
import type { Listed } from '../scenarios/scenarios.js';
import type { Generators } from './generator-host.js';
import type { Stage } from './stage.js';

/** A pace that overrides those of the loads. */
export type GivenPace = Extract<Pace, { readonly kind: 'rate' | 'stages' }>;

/** Durations and repetitions. */
export interface RowOptions {
  /** Seconds of a turn, and of each turn of a warm-up. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Maximum number of warm-up turns. */
  readonly warmUpsMax: number;
  readonly rounds: number;
  readonly seed: number;
  /** Destination of background load; `null`: the target itself. */
  readonly beside: string | null;
  /** Overrides every load's own pace; `null`: its own. */
  readonly pace: GivenPace | null;
}

export interface RowPlan {
  readonly listed: Listed;
  readonly run: Run;
  readonly stage: Stage;
  readonly options: RowOptions;
  readonly parts: Generators;
  /** When aborted, no further turn starts. */
  readonly signal: AbortSignal;
  /** Receives live figures; `null`: not needed. */
  readonly onLive: ((target: string, live: Live) => void) | null;
}
