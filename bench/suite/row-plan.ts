// Plan of a row: the load, where it takes place, and the parts that turns are made with. Types; runs in the bench.
import type { Live } from '../load/job.js';
import type { Pace } from '../load/schedule.js';
import type { Run } from '../scenarios/scenario.js';
import type { Listed } from '../scenarios/scenarios.js';
import type { Generators } from './generator-host.js';
import type { Stage } from './stage.js';

/** A pace that is given in the place of those of the loads. */
export type GivenPace = Extract<Pace, { readonly kind: 'rate' | 'stages' }>;

/** Times and repetitions. */
export interface RowOptions {
  /** Seconds of a turn, and of each turn of a warm-up. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Turns of a warm-up at most. */
  readonly warmUpsMax: number;
  readonly rounds: number;
  readonly seed: number;
  /** The target of loads beside the measured one; `null`: to the target itself. */
  readonly beside: string | null;
  /** In the place of every load's own pace; `null`: its own. */
  readonly pace: GivenPace | null;
}

export interface RowPlan {
  readonly listed: Listed;
  readonly run: Run;
  readonly stage: Stage;
  readonly options: RowOptions;
  readonly parts: Generators;
  /** Once it is aborted no other turn begins. */
  readonly signal: AbortSignal;
  /** Takes what goes on; `null`: nobody looks. */
  readonly onLive: ((target: string, live: Live) => void) | null;
}
