// Scenarios: the requests, the loads they are sent with, and what is known of the answers. A scenario is one file that
// exports one as `scenario`; scenarios.ts lists them. Types; the bench and the generator.
import type { Transport } from '../load/connection.js';
import type { Request } from '../load/loop.js';
import type { Random } from '../load/random.js';
import type { World } from '../suite/world.js';

/** The stage of a scenario: on a state that stands still, or behind a feed of increments. */
export type StageName = 'still' | 'moving';

/** The way in which requests come. Shares of a rate: see `measured rate` in README.md. */
export type Load =
  /** Requests in flight are as many as there is room for; tells service time and throughput. */
  | {
      readonly kind: 'closed';
      readonly connections: number;
      readonly pipelined?: number;
      readonly transport?: Transport;
    }
  /** At a fixed rate, this share of what the slowest target can do; tells latency. */
  | { readonly kind: 'open'; readonly connections: number; readonly share: number; readonly transport?: Transport }
  /** At a fixed rate, this share of what the first target can do: on to beyond saturation. */
  | { readonly kind: 'step'; readonly connections: number; readonly share: number }
  /**
   * At a share of what the first target can do, and for a while at `factor` times what it can, where the generator
   * makes that rate: is all answered or refused meanwhile, and how soon is it as before?
   */
  | {
      readonly kind: 'surge';
      readonly connections: number;
      readonly share: number;
      readonly factor: number;
      readonly fromMs: number;
      readonly toMs: number;
    }
  /** So many at once, again and again. */
  | { readonly kind: 'bursts'; readonly connections: number; readonly size: number; readonly everyMs: number }
  /** At the times of a record, so many times as fast; 0: as fast as they are taken. */
  | {
      readonly kind: 'recorded';
      readonly connections: number;
      readonly startsMs: readonly number[];
      readonly speed: number;
    }
  /** Subscribers of a topic. */
  | { readonly kind: 'subscribers'; readonly topic: string; readonly subscribers: number }
  /** A poller beside the feed. */
  | { readonly kind: 'freshness' };

/** One row of the report. */
export interface Run {
  readonly name: string;
  /** Handed to `requests`. */
  readonly part: string;
  readonly load: Load;
  /**
   * Load that the target has besides: a part, by so many connections; in a closed loop, or at `factor` times the rate
   * that an earlier run of steps or of a surge has found.
   */
  readonly beside?: { readonly part: string; readonly connections: number; readonly factor?: number };
  /** The other targets are left out: what one does not refuse it would work at for minutes. */
  readonly isOfFirst?: boolean;
  /** Seconds of a turn, where those of the others are too few. */
  readonly secondsMin?: number;
}

/** A question of one call and its result. */
export interface Exchange {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly result: unknown;
}

export interface Scenario {
  /** Name on the command line. */
  readonly name: string;
  /** Question that it answers, in a line. */
  readonly question: string;
  readonly stage: StageName;
  /** It takes a feed of increments that the bench itself makes. */
  readonly needsFeed?: boolean;
  /** Refusals (-32005) are an answer here: the load is meant to be too much. */
  readonly mayRefuse?: boolean;
  /** Errors are answers like others, as in recorded traffic, where targets that differ keep their numbers. */
  readonly mayFail?: boolean;
  /** Beside the targets a handler is measured that answers a constant: the limit of what HTTP can do. */
  readonly hasFloor?: boolean;
  readonly runs: readonly Run[];
  /** Reason for which a part cannot be asked about this world; `null`: it can. */
  readonly unavailable?: (world: World, part: string) => string | null;
  /** A source of requests, another one each time. The same seed makes the same ones. */
  readonly requests: (world: World, random: Random, part: string) => () => Request;
  /** Fault of a result; `null`: none that is known of. */
  readonly fault: (world: World, exchange: Exchange) => string | null;
}
