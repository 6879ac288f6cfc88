// Figures of one target from its turns: merged histograms, rates, processor time, and reasons why they are invalid.
// Pure.
import { Times } from '../load/histogram.js';
import type { TurnReport } from '../load/job.js';
import type { Pace } from '../load/schedule.js';
import { countErrors, type Errors, isRefusal, sumErrors } from '../load/tally.js';
import type { Usage } from './process-usage.js';
import { digits } from './comparison.js';
import type { Figures, LoadKind, Rounds, Surge } from './results.js';
import { median, spreadOf } from './statistics.js';
import { surgeOf } from './surge.js';

/** One turn of one target. `used`: from the first request to the last response; `null`: not measurable. */
export interface Turn {
  readonly report: TurnReport;
  readonly used: { readonly before: Usage; readonly after: Usage } | null;
  /** Number of sampled responses that were verified. */
  readonly checked: number;
}

/** Maximum share of failed calls before a target counts as failing. */
const FAILURES_SHARE_MAX = 0.01;
/** Maximum share of starts that the generator delays before a fixed rate is not reported. */
const LATE_SHARE_MAX = 0.05;
/** Above this share of a core the generator, not the target, limits the rate of a closed loop. */
const GENERATOR_CPU_MAX = 0.9;
const TOLERATES: Readonly<Record<Tolerated, (code: string) => boolean>> = {
  nothing: () => false,
  // Or not answered at all, if the load is intended to be too high.
  refusals: (code) => isRefusal(code) || code === 'unanswered',
  errors: (code) => /^-?\d+$/.test(code),
};

/** `floorCpuUs`: processor time per call of the handler that returns a constant. */
export function figuresOf(turns: readonly Turn[], pace: Pace, floorCpuUs: number | null): Figures {
  const reports = turns.map(({ report }) => report);
  const latency = Times.sum(reports.map((report) => Times.decode(report.latency)));
  const service = Times.sum(reports.map((report) => Times.decode(report.service)));
  const refusals = Times.sum(reports.map((report) => Times.decode(report.refusals)));
  const errors = sumErrors(reports.map((report) => report.errors));
  const succeeded = sum(reports.map((report) => report.succeeded));
  const rounds = roundsOf(turns);
  const mainCpuUs = turns.flatMap((turn) => cpuUsIn(turn, 'mainCpuMs') ?? []);
  return {
    requests: sum(reports.map(({ requests }) => requests)),
    calls: sum(reports.map(({ calls }) => calls)),
    succeeded,
    errors,
    checked: sum(turns.map(({ checked }) => checked)),
    unsent: sum(reports.map(({ unsent }) => unsent)),
    bytesIn: sum(reports.map(({ bytesIn }) => bytesIn)),
    bytesOut: sum(reports.map(({ bytesOut }) => bytesOut)),
    requestsPerSecond: spreadOf(reports.map(({ requests, durationMs }) => (requests * 1000) / durationMs)),
    callsPerSecond: spreadOf(rounds.callsPerSecond),
    latency: latency.percentiles(),
    service: service.percentiles(),
    refusals: refusals.percentiles(),
    refusedShare: refusedOf(errors) / Math.max(1, succeeded + countErrors(errors)),
    surge: surgeOf(
      pace,
      reports.map(({ course }) => course),
    ),
    courses: reports.map(({ course }) => course),
    p50: spreadOf(rounds.p50),
    p99: spreadOf(rounds.p99),
    cpuUs: rounds.cpuUs.length === 0 ? null : spreadOf(rounds.cpuUs),
    mainCpuUs: mainCpuUs.length === 0 ? null : spreadOf(mainCpuUs),
    memory: memoryOf(turns),
    shareOfFloor: floorCpuUs === null || rounds.cpuUs.length === 0 ? null : floorCpuUs / median(rounds.cpuUs),
    generator: {
      cpu: median(reports.map(({ generatorCpu }) => generatorCpu)),
      late: sum(reports.map(({ late }) => late)),
      sent: sum(reports.map(({ sent }) => sent)),
    },
    curve: latency.curve(),
    refusalCurve: refusals.curve(),
    bars: latency.bars(),
    rounds,
  };
}

/** Processor time per call, microseconds; `null` if not measurable. */
export function cpuUsOf(turns: readonly Turn[]): number | null {
  const values = turns.flatMap((turn) => cpuUsIn(turn, 'cpuMs') ?? []);
  return values.length === 0 ? null : median(values);
}

/** Allowed failures. `refusals`: the load is intended to be too high; `errors`: JSON-RPC errors. */
export type Tolerated = 'nothing' | 'refusals' | 'errors';

/** The reason why these figures are invalid; `null`: they are valid. */
export function voidReason(figures: Figures, kind: LoadKind, tolerated: Tolerated): string | null {
  const { errors, generator, succeeded } = figures;
  const failures = Object.fromEntries(Object.entries(errors).filter(([code]) => !TOLERATES[tolerated](code)));
  const failed = countErrors(failures);
  const share = failed / Math.max(1, failed + succeeded);
  if (share > FAILURES_SHARE_MAX) return `${percent(share)} of the calls failed: ${errorsText(failures)}`;
  const isPaced = kind === 'open' || kind === 'step' || kind === 'surge';
  const late = generator.late / Math.max(1, generator.sent);
  if (isPaced && late > LATE_SHARE_MAX) return `the generator sent ${percent(late)} late: the rate was not achieved`;
  return succeeded === 0 && tolerated === 'nothing' ? 'no call succeeded' : null;
}

/** Notes for reading the figures. */
export function notesOf(figures: Figures, kind: LoadKind): string[] {
  const { errors, generator, surge } = figures;
  const notes: string[] = [];
  if (countErrors(errors) > 0) notes.push(`not answered with a result: ${errorsText(errors)}`);
  if (figures.refusals.count > 0) notes.push(refusalsText(figures));
  if (surge !== null) notes.push(surgeText(surge));
  if (kind === 'closed' && generator.cpu > GENERATOR_CPU_MAX)
    notes.push('the generator saturated its core: the target can do more, compare processor times');
  return notes;
}

function refusalsText({ refusedShare, refusals: { p50, p99, max } }: Figures): string {
  return `refused: ${percent(refusedShare)}, after p50 ${digits(p50)}, p99 ${digits(p99)}, at most ${digits(max)} ms`;
}

function surgeText({ answered, refused, neither, fullAfterMs: { median: ms, low, high } }: Surge): string {
  const shares = `${percent(answered)} answered, ${percent(refused)} refused, ${percent(neither)} neither`;
  return `in the surge ${shares}; recovered ${ms} ms after its end (${low} to ${high})`;
}

function refusedOf(errors: Errors): number {
  return countErrors(Object.fromEntries(Object.entries(errors).filter(([code]) => isRefusal(code))));
}

/** `-32005 x12, lost x1`. */
export function errorsText(errors: Errors): string {
  return Object.entries(errors)
    .map(([code, calls]) => `${code} x${calls}`)
    .join(', ');
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}

function roundsOf(turns: readonly Turn[]): Rounds {
  const times = turns.map(({ report }) => Times.decode(report.latency));
  return {
    callsPerSecond: turns.map(({ report: { succeeded, durationMs } }) => (succeeded * 1000) / durationMs),
    p50: times.map((one) => one.percentile(50)),
    p99: times.map((one) => one.percentile(99)),
    cpuUs: turns.flatMap((turn) => cpuUsIn(turn, 'cpuMs') ?? []),
  };
}

function cpuUsIn({ used, report }: Turn, field: 'cpuMs' | 'mainCpuMs'): number | null {
  if (used === null || report.succeeded === 0) return null;
  return ((used.after[field] - used.before[field]) * 1000) / report.succeeded;
}

function memoryOf(turns: readonly Turn[]): Figures['memory'] {
  const [first, last] = [turns[0]?.used, turns.at(-1)?.used];
  if (!first || !last) return null;
  return { beforeBytes: first.before.residentBytes, afterBytes: last.after.residentBytes };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
