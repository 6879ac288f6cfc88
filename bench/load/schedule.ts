// Intended starts of requests: milliseconds from the start of a turn, by request number, fixed in advance, so a slow
// target does not move them. Runs in the generator.

/** The intended start of request `number`; `null`: as soon as a connection is free (closed loop); Infinity: never. */
export type Schedule = (number: number) => number | null;

/** A rate, and how long it applies. */
export interface RateStage {
  readonly perSecond: number;
  readonly seconds: number;
}

/** The load of a turn. */
export type Pace =
  | { readonly kind: 'closed' }
  | { readonly kind: 'rate'; readonly perSecond: number }
  /** At consecutive rates. */
  | { readonly kind: 'stages'; readonly stages: readonly RateStage[] }
  /** At `perSecond`, but from `fromMs` to `toMs` of the turn at `surgePerSecond`. */
  | {
      readonly kind: 'surge';
      readonly perSecond: number;
      readonly surgePerSecond: number;
      readonly fromMs: number;
      readonly toMs: number;
    }
  | { readonly kind: 'bursts'; readonly size: number; readonly everyMs: number }
  | { readonly kind: 'recorded'; readonly startsMs: readonly number[]; readonly speed: number };

export function scheduleOf(pace: Pace): Schedule {
  switch (pace.kind) {
    case 'closed':
      return () => null;
    case 'rate':
      return (number) => (number * 1000) / pace.perSecond;
    case 'stages':
      return stagesSchedule(pace.stages);
    case 'surge':
      return stagesSchedule(stagesOf(pace));
    case 'bursts':
      return (number) => Math.floor(number / pace.size) * pace.everyMs;
    case 'recorded':
      return (number) => (pace.startsMs[number] ?? Infinity) / pace.speed;
  }
}

function stagesOf({ perSecond, surgePerSecond, fromMs, toMs }: Pace & { readonly kind: 'surge' }): RateStage[] {
  return [
    { perSecond, seconds: fromMs / 1000 },
    { perSecond: surgePerSecond, seconds: (toMs - fromMs) / 1000 },
    { perSecond, seconds: Infinity },
  ];
}

/** Nothing starts after the last stage. */
function stagesSchedule(stages: readonly RateStage[]): Schedule {
  let [number, startMs] = [0, 0];
  const begun = stages.map(({ perSecond, seconds }) => {
    const stage = { perSecond, number, startMs };
    number += perSecond * seconds;
    startMs += seconds * 1000;
    return stage;
  });
  const end = number;
  return (wanted) => {
    if (wanted >= end) return Infinity;
    const stage = begun.findLast((one) => wanted >= one.number)!;
    return stage.startMs + ((wanted - stage.number) * 1000) / stage.perSecond;
  };
}
