// When requests are meant to start: milliseconds from the beginning of a turn, by number, told before anything is sent - a
// slow target does not move them. Runs in the generator.

/** The intended start of request `number`; `null`: as soon as a connection is free (closed loop); Infinity: never. */
export type Schedule = (number: number) => number | null;

/** How a turn is loaded. */
export type Pace =
  | { readonly kind: 'closed' }
  | { readonly kind: 'rate'; readonly perSecond: number }
  | { readonly kind: 'bursts'; readonly size: number; readonly everyMs: number }
  | { readonly kind: 'recorded'; readonly startsMs: readonly number[]; readonly speed: number };

export function scheduleOf(pace: Pace): Schedule {
  switch (pace.kind) {
    case 'closed':
      return () => null;
    case 'rate':
      return (number) => (number * 1000) / pace.perSecond;
    case 'bursts':
      return (number) => Math.floor(number / pace.size) * pace.everyMs;
    case 'recorded':
      return (number) => (pace.startsMs[number] ?? Infinity) / pace.speed;
  }
}
