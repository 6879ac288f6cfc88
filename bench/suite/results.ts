// Results of a run of the bench: the JSON file, which report, tables and comparisons are made from. Types; runs in the
// bench.
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
  /** Command that does it again. */
  readonly command: string;
  readonly machine: Machine;
  readonly settings: Settings;
  /** All of all stages. */
  readonly targets: readonly TargetText[];
  readonly rows: readonly Row[];
  /** Loads that were not measured: a line for each reason. */
  readonly skipped: readonly string[];
  /** Thresholds that were not kept, a line each. */
  readonly failures: readonly string[];
  /** It was ended before its time. */
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
  /** The load in words. */
  readonly load: string;
  readonly loadKind: LoadKind;
  /** Requests a second that were offered; `null`: as many as were taken. */
  readonly offered: number | null;
  readonly world: string;
  readonly sides: readonly Side[];
  /** Of the first target to each other one. */
  readonly comparisons: readonly Comparison[];
  readonly checkedBefore: number;
  readonly digests: Readonly<Record<string, Digests>>;
  readonly differences: readonly Difference[];
}

export type LoadKind = 'closed' | 'open' | 'step' | 'surge' | 'bursts' | 'recorded' | 'subscribers' | 'freshness';

/** Side of one target. */
export interface Side {
  readonly target: string;
  readonly isFloor: boolean;
  /** Reason for which there are no figures; `null`: there are. */
  readonly void: string | null;
  /** Notes to know when reading them. */
  readonly notes: readonly string[];
  readonly figures: Figures | null;
}

export interface Figures {
  readonly requests: number;
  readonly calls: number;
  readonly succeeded: number;
  readonly errors: Errors;
  /** Sampled answers that were checked. */
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
  /** Of refusals, from the intended start. */
  readonly refusals: Percentiles;
  /** Calls that were refused, as a share of all that were sent or due. */
  readonly refusedShare: number;
  readonly surge: Surge | null;
  /** Of each turn. */
  readonly courses: readonly Course[];
  readonly p50: Spread;
  readonly p99: Spread;
  /** Processor time of the server, microseconds a call with a result; `null`: it cannot be seen. */
  readonly cpuUs: Spread | null;
  readonly mainCpuUs: Spread | null;
  readonly memory: { readonly beforeBytes: number; readonly afterBytes: number } | null;
  /** The floor's processor time a call by this one's, all threads; `null` without a floor. */
  readonly shareOfFloor: number | null;
  readonly generator: { readonly cpu: number; readonly late: number; readonly sent: number };
  readonly curve: readonly CurvePoint[];
  readonly refusalCurve: readonly CurvePoint[];
  readonly bars: readonly Bar[];
  /** Values round by round, for comparisons with other runs. */
  readonly rounds: Rounds;
}

/** Outcome of a surge, all turns together. */
export interface Surge {
  /** Shares of the requests that were meant to start in it. */
  readonly answered: number;
  readonly refused: number;
  readonly neither: number;
  /** From its end until the last window in which a request had no result. */
  readonly fullAfterMs: Spread;
  readonly windowMs: number;
  /** Requests a second, in the mean of the turns, by windows of their intended starts. */
  readonly windows: readonly Window[];
}

export interface Rounds {
  readonly callsPerSecond: readonly number[];
  readonly p50: readonly number[];
  readonly p99: readonly number[];
  readonly cpuUs: readonly number[];
}

/** One target beside another one. Ratios above 1: the first has more calls a second, or takes longer. */
export interface Comparison {
  readonly first: string;
  readonly second: string;
  readonly callsPerSecond: Ratio | null;
  readonly p50: Ratio | null;
  readonly p99: Ratio | null;
  readonly cpuUs: Ratio | null;
}
