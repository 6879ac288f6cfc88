// How does recorded traffic fare? Its bodies in their order, from the beginning again when they are used up. The
// record's file is named by the run's part.
import { readRecord } from '../suite/recorded.js';
import type { Scenario } from './scenario.js';

const CONNECTIONS = 64;

export const scenario: Scenario = {
  name: 'replay',
  question: 'How does recorded traffic fare?',
  stage: 'still',
  mayFail: true,
  // The runs are made from the record: see `replayed`.
  runs: [],
  requests: (_world, _random, file) => {
    const requests = readRecord(file);
    let at = 0;
    return () => requests[at++ % requests.length]!;
  },
  fault: () => null,
};

/** The scenario with a run for this file. `speed`: 0, or no times in the file, for as fast as answers come. */
export function replayed(file: string, speed: number): Scenario {
  const startsMs = readRecord(file).flatMap(({ startMs }) => startMs ?? []);
  const pace = startsMs.length === 0 ? 0 : speed;
  const load = { kind: 'recorded', connections: CONNECTIONS, startsMs, speed: pace } as const;
  const secondsMin = pace === 0 ? 0 : startsMs.at(-1)! / pace / 1000;
  return { ...scenario, runs: [{ name: 'recorded requests', part: file, load, secondsMin }] };
}
