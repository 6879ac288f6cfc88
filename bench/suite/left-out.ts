// Skipped loads, one line per reason. Pure.

/** A load and the reason why it is skipped. */
export interface LeftOut {
  readonly scenario: string;
  /** `null`: all runs of the scenario. */
  readonly run: string | null;
  readonly reason: string;
}

/** `the state has no such calls: estimates (compute; 50 slots), overload`. */
export function leftOutLines(all: readonly LeftOut[]): string[] {
  const reasons = [...new Set(all.map(({ reason }) => reason))];
  return reasons.map((reason) => {
    const own = all.filter((one) => one.reason === reason);
    const scenarios = [...new Set(own.map(({ scenario }) => scenario))];
    const texts = scenarios.map((scenario) => {
      const runs = own.filter((one) => one.scenario === scenario).flatMap(({ run }) => run ?? []);
      return runs.length === 0 ? scenario : `${scenario} (${runs.join('; ')})`;
    });
    return `${reason}: ${texts.join(', ')}`;
  });
}
