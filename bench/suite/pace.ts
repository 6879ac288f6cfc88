// How fast requests come: a scenario's load with the rates that were found. Pure.
import type { Pace } from '../load/schedule.js';
import type { Load, Run } from '../scenarios/scenario.js';

/** Requests a second that targets can do, as the warm-up found. */
export interface MeasuredRates {
  readonly first: number;
  readonly slowest: number;
}

/** `rate`: requests a second in the place of the load's own pace, but for bursts; `null`: its own. */
export function paceOf(load: Load, rate: number | null, measured: MeasuredRates): Pace {
  if (rate !== null && sendsRequests(load) && load.kind !== 'bursts') return { kind: 'rate', perSecond: rate };
  switch (load.kind) {
    case 'open':
      return { kind: 'rate', perSecond: Math.round(load.share * measured.slowest) };
    case 'step':
      return { kind: 'rate', perSecond: Math.round(load.share * measured.first) };
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

/** Whether a load sends requests: subscribers only listen. */
export function sendsRequests({ kind }: Load): boolean {
  return kind !== 'subscribers' && kind !== 'freshness';
}

/** In words, with the seconds of a turn. */
export function loadText({ load, beside }: Run, pace: Pace, seconds: number): string {
  const aside = beside === undefined ? '' : `, beside ${beside.connections} connections with ${beside.part}`;
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
    case 'bursts':
      return `${pace.size.toLocaleString('en')} at once every ${pace.everyMs.toLocaleString('en')} ms`;
    case 'recorded':
      return `${pace.startsMs.length} recorded requests at ${pace.speed} times their pace`;
  }
}
