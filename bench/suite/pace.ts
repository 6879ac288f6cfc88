// The pace of requests: a scenario's load with the rates that were found. Pure.
import type { Pace } from '../load/schedule.js';
import type { Load, Run } from '../scenarios/scenario.js';
import type { GivenPace } from './row-plan.js';

/** Requests a second that targets can do, as the warm-up found. */
export interface MeasuredRates {
  readonly first: number;
  readonly slowest: number;
}

/** Requests a second that one generator makes: a surge is at most as many times what can be borne. */
const SURGE_RATE_MAX = 40_000;
/** Names of loads that speak of their pace alone. */
const PACE_NAME = /^closed loop$|% of the first target's rate$|^half the measured rate$/;

/** True if a load may be given another pace than its own. */
function takesPace(load: Load): boolean {
  return sendsRequests(load) && load.kind !== 'bursts' && load.kind !== 'surge';
}

/**
 * Loads at a pace that is given: those that are the same then are one. Names that speak of the pace alone give way to
 * one that names it.
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
 * Closed loops with so many connections in the place of their own: those that are the same then are one. A record as
 * fast as it is taken is a closed loop, too.
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

/** `given`: in the place of the load's own pace, but for bursts; `null`: its own. */
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

/** Pace of the load beside, `factor` times what the first target can do, which is `null` if not known. */
export function besidePace({ beside }: Run, first: number | null): Pace {
  if (beside?.factor === undefined) return { kind: 'closed' };
  if (first === null) throw new Error('no earlier run has found the rate of what goes on beside');
  return { kind: 'rate', perSecond: surgeRate(first, beside.factor) };
}

/** True if a load sends requests: subscribers only listen. */
export function sendsRequests({ kind }: Load): boolean {
  return kind !== 'subscribers' && kind !== 'freshness';
}

/** In words, with the seconds of a turn. `besideUrl`: where the load beside goes, if not to the target. */
export function loadText({ load, beside }: Run, pace: Pace, seconds: number, besideUrl: string | null): string {
  const aside = beside === undefined ? '' : `, beside ${besideText(beside, besideUrl)}`;
  if (load.kind === 'subscribers') return `${load.subscribers} subscribers of ${load.topic}, ${seconds} s`;
  if (load.kind === 'freshness') return `one poller beside the feed, ${seconds} s`;
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
  const rate = factor === undefined ? '' : ` at up to ${factor} times the rate that can be borne`;
  const where = url === null ? '' : `, sent to ${url}`;
  return `${connections.toLocaleString('en')} connections with ${part}${rate}${where}`;
}
