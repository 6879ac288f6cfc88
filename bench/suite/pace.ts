// The pace of requests: a scenario's load with the measured rates. Pure.
import type { Pace } from '../load/schedule.js';
import type { Load, Run } from '../scenarios/scenario.js';
import type { GivenPace } from './row-plan.js';

/** Capacity of targets in requests a second, measured by the warm-up. */
export interface MeasuredRates {
  readonly first: number;
  readonly slowest: number;
}

/** Maximum requests a second of one generator, which bounds a surge. */
const SURGE_RATE_MAX = 40_000;
/** Names of loads that consist of the pace only. */
const PACE_NAME = /^closed loop$|% of the first target's rate$|^half the measured rate$/;

/** True if a load's pace can be overridden. */
function takesPace(load: Load): boolean {
  return sendsRequests(load) && load.kind !== 'bursts' && load.kind !== 'surge';
}

/**
 * Loads at a pace set by the user; loads that become equal are merged. Names that consist of the pace only are
 * replaced.
 */
export function runsAt(runs: readonly Run[], given: GivenPace): Run[] {
  const text = paceText(given);
  const renamed = runs.map((run): readonly [key: string, run: Run] => {
    if (!takesPace(run.load)) return [run.name, run];
    const { connections, pipelined, transport } = run.load as Load & { readonly kind: 'closed' };
    const name = PACE_NAME.test(run.name) ? text : `${run.name}, ${text}`;
    return [JSON.stringify([run.part, connections, pipelined, transport, run.beside]), { ...run, name }];
  });
  return distinct(renamed);
}

/**
 * Overrides the connections of closed loops; loads that become equal are merged. A recording without pace is a closed
 * loop, too.
 */
export function withConnections(runs: readonly Run[], connections: number): Run[] {
  return distinct(
    runs.map((run): readonly [key: string, run: Run] => {
      const isClosed = run.load.kind === 'closed' || (run.load.kind === 'recorded' && run.load.speed === 0);
      if (!isClosed) return [run.name, run];
      const load = { ...run.load, connections };
      return [JSON.stringify([run.part, load, run.beside]), { ...run, load }];
    }),
  );
}

/** The first run of each key. */
function distinct(runs: readonly (readonly [key: string, run: Run])[]): Run[] {
  return [...new Map(runs.toReversed()).values()].toReversed();
}

/** `given` overrides the load's own pace, except for bursts; `null`: its own. */
export function paceOf(load: Load, given: GivenPace | null, measured: MeasuredRates): Pace {
  if (given !== null && takesPace(load)) return given;
  switch (load.kind) {
    case 'open':
      return { kind: 'rate', perSecond: Math.round(load.share * measured.slowest) };
    case 'step':
      return { kind: 'rate', perSecond: Math.round(load.share * measured.first) };
    case 'surge':
      return surgePace(load, given?.kind === 'rate' ? given.perSecond : measured.first);
    case 'bursts':
      return { kind: 'bursts', size: load.size, everyMs: load.everyMs };
    case 'recorded':
      return load.speed === 0 ? { kind: 'closed' } : { kind: 'recorded', startsMs: load.startsMs, speed: load.speed };
    case 'closed':
    case 'subscribers':
    case 'freshness':
      return { kind: 'closed' };
  }
}

/** Pace of the background load: `factor` times the first target's capacity, which is `null` if unknown. */
export function besidePace({ beside }: Run, first: number | null): Pace {
  if (beside?.factor === undefined) return { kind: 'closed' };
  if (first === null) throw new Error('no earlier run has measured the rate for the background load');
  return { kind: 'rate', perSecond: surgeRate(first, beside.factor) };
}

/** True if a load sends requests: subscribers only receive. */
export function sendsRequests({ kind }: Load): boolean {
  return kind !== 'subscribers' && kind !== 'freshness';
}

/** Description with the seconds of a turn. `besideUrl`: destination of the background load, if not the target. */
export function loadText({ load, beside }: Run, pace: Pace, seconds: number, besideUrl: string | null): string {
  const aside = beside === undefined ? '' : `, next to ${besideText(beside, besideUrl)}`;
  if (load.kind === 'subscribers') return `${load.subscribers} subscribers of ${load.topic}, ${seconds} s`;
  if (load.kind === 'freshness') return `one poller and the feed, ${seconds} s`;
  const lanes = `${load.connections} ${load.connections === 1 ? 'connection' : 'connections'}`;
  return `${paceText(pace)}, ${lanes}, turns of ${seconds} s${aside}`;
}

function paceText(pace: Pace): string {
  switch (pace.kind) {
    case 'closed':
      return 'closed loop';
    case 'rate':
      return `${pace.perSecond.toLocaleString('en')} requests/s`;
    case 'stages':
      return pace.stages.map((one) => `${one.perSecond.toLocaleString('en')}/s for ${one.seconds} s`).join(', ');
    case 'surge':
      return surgeText(pace);
    case 'bursts':
      return `${pace.size.toLocaleString('en')} at once every ${pace.everyMs.toLocaleString('en')} ms`;
    case 'recorded':
      return `${pace.startsMs.length} recorded requests at ${pace.speed} times their pace`;
  }
}

function surgePace({ share, factor, fromMs, toMs }: Load & { readonly kind: 'surge' }, first: number): Pace {
  const perSecond = Math.round(share * first);
  return { kind: 'surge', perSecond, surgePerSecond: surgeRate(first, factor), fromMs, toMs };
}

function surgeRate(first: number, factor: number): number {
  return Math.min(SURGE_RATE_MAX, Math.round(factor * first));
}

function surgeText({ perSecond, surgePerSecond, fromMs, toMs }: Pace & { readonly kind: 'surge' }): string {
  const rates = [perSecond, surgePerSecond].map((rate) => rate.toLocaleString('en'));
  return `${rates[0]} requests/s, from ${fromMs} to ${toMs} ms ${rates[1]}`;
}

function besideText({ connections, part, factor }: NonNullable<Run['beside']>, url: string | null): string {
  const rate = factor === undefined ? '' : ` at up to ${factor} times the sustainable rate`;
  const where = url === null ? '' : `, sent to ${url}`;
  return `${connections.toLocaleString('en')} connections with ${part}${rate}${where}`;
}
