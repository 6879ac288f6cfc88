// Plan of a row: the load, where it takes place, and the parts that turns are made with. Types; runs in the bench.
import type { Run } from '../scenarios/scenario.js';
import type { Listed } from '../scenarios/scenarios.js';
import type { GeneratorHost } from './generator-host.js';
import type { Stage } from './stage.js';

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
  /** Requests a second in the place of every load's own pace; `null`: its own. */
  readonly rate: number | null;
}

/** Parts that turns are made with. */
export interface RowParts {
  readonly generator: GeneratorHost;
  /** For what a target has to do meanwhile. */
  readonly beside: GeneratorHost;
  /** Requests a second that the first target can do, by scenario: steps of one scenario are shares of the same rate. */
  readonly rates: Map<string, number>;
}

export interface RowPlan {
  readonly listed: Listed;
  readonly run: Run;
  readonly stage: Stage;
  readonly options: RowOptions;
  readonly parts: RowParts;
}
