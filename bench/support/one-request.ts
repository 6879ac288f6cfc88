// Repeats one request in a closed loop with the suite's generator; this is its scenario. Runs in benches and in the
// generator.
import { Times } from '../load/histogram.js';
import type { LoadJob } from '../load/job.js';
import { single } from '../scenarios/calls.js';
import type { Scenario } from '../scenarios/scenario.js';
import { GeneratorHost } from '../suite/generator-host.js';
import type { World } from '../suite/world.js';

/** A load with open connections. */
export interface ReadyLoad {
  /** Runs it. Throws where a request had no result. */
  run(): Promise<LoadResult>;
}

export interface LoadResult {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const world: World = {
  name: 'one request',
  blocks: [],
  follows: false,
  isStill: true,
  hot: [],
  slots: [],
  accounts: 0,
  senders: [],
  calls: [],
  expensive: '',
};

/** The part is the body. */
export const scenario: Scenario = {
  name: 'one-request',
  question: 'How fast is one request?',
  stage: 'still',
  runs: [],
  requests: (_world, _random, body) => () => single(body),
  fault: () => null,
};

/** Opens the connections, so that their cost is not measured with the load. */
export async function readyLoad(
  url: string,
  body: string,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<ReadyLoad> {
  const generator = new GeneratorHost();
  const shape = {
    transport: 'http',
    pipelined: 1,
    pace: { kind: 'closed' },
    sampleEvery: Number.MAX_SAFE_INTEGER,
    isLive: false,
  } as const;
  const where = { module: import.meta.url, world, part: body, seed: 1, url, headers: {} };
  const job: LoadJob = { kind: 'load', ...where, ...shape, connections, seconds };
  await generator.prepare(job);
  return {
    async run() {
      const { requests, succeeded, durationMs, latency } = await generator.run();
      await generator.stop();
      if (succeeded < requests) throw new Error(`${requests - succeeded} of ${requests} requests had no result`);
      const times = Times.decode(latency);
      const [p50Ms, p99Ms] = [times.percentile(50), times.percentile(99)];
      return { requests, requestsPerSecond: (requests * 1000) / durationMs, p50Ms, p99Ms };
    },
  };
}
