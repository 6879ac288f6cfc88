// Messages between the bench and a generator: jobs and reports. Types; both processes.
import type { World } from '../suite/world.js';
import type { EncodedTimes } from './histogram.js';
import type { Headers, Transport } from './connection.js';
import type { Counts, Sample } from './loop.js';
import type { Pace } from './schedule.js';
import type { Errors } from './tally.js';
import type { Course } from './timeline.js';

/** One turn: one target, one workload, one pace. */
export interface LoadJob {
  readonly kind: 'load';
  /** URL of the compiled scenario module, whose export `scenario` generates the requests. */
  readonly module: string;
  readonly world: World;
  /** Part of the scenario, such as the kind of estimate. */
  readonly part: string;
  readonly seed: number;
  readonly url: string;
  readonly headers: Headers;
  readonly transport: Transport;
  readonly connections: number;
  readonly pipelined: number;
  readonly pace: Pace;
  readonly seconds: number;
  readonly sampleEvery: number;
  /** True if the generator reports live figures. */
  readonly isLive: boolean;
}

/** Subscribers, and the delay of each after the first one to receive a message. */
export interface SubscribersJob {
  readonly kind: 'subscribers';
  readonly url: string;
  readonly headers: Headers;
  readonly topic: string;
  readonly subscribers: number;
  readonly seconds: number;
}

/** A poller and a reader of the feed: when do responses reflect an increment of the feed? */
export interface FreshnessJob {
  readonly kind: 'freshness';
  readonly url: string;
  readonly headers: Headers;
  /** WebSocket address of the Flashblocks feed that the target follows. */
  readonly feed: string;
  readonly body: string;
  readonly seconds: number;
}

export type Job = LoadJob | SubscribersJob | FreshnessJob;

/** Report of a turn. Histograms as `Times.encode` writes them. */
export interface TurnReport extends Counts {
  /** From the first request until the last response, or until waiting ends; milliseconds. */
  readonly durationMs: number;
  readonly latency: EncodedTimes;
  readonly service: EncodedTimes;
  readonly refusals: EncodedTimes;
  readonly course: Course;
  readonly errors: Errors;
  readonly samples: readonly Sample[];
  /** Processor time of the generator, as a share of one core. */
  readonly generatorCpu: number;
}

/** To the generator: a job to prepare, the start command, and the command to end early. */
export type ToGenerator =
  | { readonly kind: 'prepare'; readonly job: Job }
  | { readonly kind: 'go' }
  | { readonly kind: 'cut' };

/** Live figures of the last interval. */
export interface Live {
  readonly perSecond: number;
  /** Calls that failed since the turn began. */
  readonly errors: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** From the generator. */
export type FromGenerator =
  | { readonly kind: 'ready' }
  | ({ readonly kind: 'live' } & Live)
  | { readonly kind: 'done'; readonly report: TurnReport }
  | { readonly kind: 'failed'; readonly reason: string };
