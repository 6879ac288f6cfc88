// How fast is recorded traffic? Its bodies in order, repeated from the start when exhausted. The run's part is the name
// of the recording.
import { readRecord } from '../suite/recorded.js';
import type { Scenario } from './scenario.js';

const CONNECTIONS = 64;

export const scenario: Scenario = {
  name: 'replay',
  question: 'How fast is recorded traffic?',
  stage: 'still',
  mayFail: true,
  // The runs depend on the recording: see `replayed`.
  runs: [],
  requests: (_world, _random, file) => {
    const requests = readRecord(file);
    let at = 0;
    return () => requests[at++ % requests.length]!;
  },
  fault: () => null,
};

/** The scenario with a run for this file. `speed` 0, or a file without times, means a closed loop. */
export function replayed(file: string, speed: number): Scenario {
  const startsMs = readRecord(file).flatMap(({ startMs }) => startMs ?? []);
  const pace = startsMs.length === 0 ? 0 : speed;
  const load = { kind: 'recorded', connections: CONNECTIONS, startsMs, speed: pace } as const;
  const secondsMin = pace === 0 ? 0 : startsMs.at(-1)! / pace / 1000;
  return { ...scenario, runs: [{ name: 'recorded requests', part: file, load, secondsMin }] };
}
