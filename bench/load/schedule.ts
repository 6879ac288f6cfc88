// When requests are meant to start: milliseconds from the beginning of a turn, by number, told before anything is sent - a
// slow target does not move them. Runs in the generator.

/** The intended start of request `number`; `null`: as soon as a connection is free (closed loop); Infinity: never. */
export type Schedule = (number: number) => number | null;

/** The load of a turn. */
export type Pace =
  | { readonly kind: 'closed' }
  | { readonly kind: 'rate'; readonly perSecond: number }
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
    case 'surge':
      return surgeSchedule(pace);
    case 'bursts':
      return (number) => Math.floor(number / pace.size) * pace.everyMs;
    case 'recorded':
      return (number) => (pace.startsMs[number] ?? Infinity) / pace.speed;
  }
}

function surgeSchedule({ perSecond, surgePerSecond, fromMs, toMs }: Pace & { readonly kind: 'surge' }): Schedule {
  const first = (fromMs * perSecond) / 1000;
  const beyond = first + ((toMs - fromMs) * surgePerSecond) / 1000;
  return (number) => {
    if (number < first) return (number * 1000) / perSecond;
    if (number < beyond) return fromMs + ((number - first) * 1000) / surgePerSecond;
    return toMs + ((number - beyond) * 1000) / perSecond;
  };
}
