// Results of a bench run: the JSON file, the source of report, tables and comparisons. Types; runs in the bench.
import type { Bar, CurvePoint, Percentiles } from '../load/histogram.js';
import type { Errors } from '../load/tally.js';
import type { Course, Window } from '../load/timeline.js';
import type { Machine } from './machine.js';
import type { Ratio, Spread } from './statistics.js';
import type { Digests, Difference } from './truth.js';

export const RESULTS_VERSION = 1;

export interface Results {
  readonly version: typeof RESULTS_VERSION;
  readonly name: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly seconds: number;
  /** The command that repeats the run. */
  readonly command: string;
  readonly machine: Machine;
  readonly settings: Settings;
  /** Targets of all stages. */
  readonly targets: readonly TargetText[];
  readonly rows: readonly Row[];
  /** Loads that were not measured, one line per reason. */
  readonly skipped: readonly string[];
  /** Violated thresholds, one line each. */
  readonly failures: readonly string[];
  /** The run was interrupted. */
  readonly isCut: boolean;
}

export interface Settings {
  readonly secondsPerTurn: number;
  readonly rounds: number;
  readonly seed: number;
  readonly accounts: number;
}

export interface TargetText {
  readonly name: string;
  readonly version: string;
  readonly url: string;
}

/** One load, at every target. */
export interface Row {
  readonly scenario: string;
  readonly question: string;
  readonly run: string;
  /** Description of the load. */
  readonly load: string;
  readonly loadKind: LoadKind;
  /** Offered requests a second; `null`: a closed loop. */
  readonly offered: number | null;
  readonly world: string;
  readonly sides: readonly Side[];
  /** The first target against each other one. */
  readonly comparisons: readonly Comparison[];
  readonly checkedBefore: number;
  readonly digests: Readonly<Record<string, Digests>>;
  readonly differences: readonly Difference[];
}

export type LoadKind = 'closed' | 'open' | 'step' | 'surge' | 'bursts' | 'recorded' | 'subscribers' | 'freshness';

/** The results of one target. */
export interface Side {
  readonly target: string;
  readonly isFloor: boolean;
  /** The reason why there are no figures; `null`: there are. */
  readonly void: string | null;
  /** Notes for reading the figures. */
  readonly notes: readonly string[];
  readonly figures: Figures | null;
}

export interface Figures {
  readonly requests: number;
  readonly calls: number;
  readonly succeeded: number;
  readonly errors: Errors;
  /** Number of sampled responses that were verified. */
  readonly checked: number;
  readonly unsent: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly requestsPerSecond: Spread;
  /** Calls with a result. */
  readonly callsPerSecond: Spread;
  /** From the intended start, milliseconds. */
  readonly latency: Percentiles;
  /** From the actual send. */
  readonly service: Percentiles;
  /** Rejected requests, from the intended start. */
  readonly refusals: Percentiles;
  /** Rejected calls, as a share of all that were sent or due. */
  readonly refusedShare: number;
  readonly surge: Surge | null;
  /** One per turn. */
  readonly courses: readonly Course[];
  readonly p50: Spread;
  readonly p99: Spread;
  /** Processor time of the server, microseconds per call with a result; `null`: not measurable. */
  readonly cpuUs: Spread | null;
  readonly mainCpuUs: Spread | null;
  readonly memory: { readonly beforeBytes: number; readonly afterBytes: number } | null;
  /** The floor's processor time per call divided by this one's, all threads; `null` without a floor. */
  readonly shareOfFloor: number | null;
  readonly generator: { readonly cpu: number; readonly late: number; readonly sent: number };
  readonly curve: readonly CurvePoint[];
  readonly refusalCurve: readonly CurvePoint[];
  readonly bars: readonly Bar[];
  /** Values per round, for comparisons with other runs. */
  readonly rounds: Rounds;
}

/** Outcome of a surge over all turns. */
export interface Surge {
  /** Shares of the requests whose intended start is in it. */
  readonly answered: number;
  readonly refused: number;
  readonly neither: number;
  /** From its end until the last window in which a request had no result. */
  readonly fullAfterMs: Spread;
  readonly windowMs: number;
  /** Mean requests a second of the turns, by windows of their intended starts. */
  readonly windows: readonly Window[];
}

export interface Rounds {
  readonly callsPerSecond: readonly number[];
  readonly p50: readonly number[];
  readonly p99: readonly number[];
  readonly cpuUs: readonly number[];
}

/** Two targets compared. Ratios above 1: the first has more calls a second, or takes longer. */
export interface Comparison {
  readonly first: string;
  readonly second: string;
  readonly callsPerSecond: Ratio | null;
  readonly p50: Ratio | null;
  readonly p99: Ratio | null;
  readonly cpuUs: Ratio | null;
}
