// What the WebSocket of the status page tells, as JSON. Times in milliseconds, rates a second. Types; main and the browser.

/** How long something took; `null` where nothing of it happened. */
export interface Quantiles {
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  readonly p999Ms: number | null;
}

/** How often and how long, of a method or a stage. */
export interface Times extends Quantiles {
  readonly name: string;
  readonly perSecond: number;
}

/** How the program fares. */
export interface StatusMessage {
  readonly version: string;
  readonly chain: { readonly id: string; readonly name: string };
  readonly ready: boolean;
  /** Why it is not ready. */
  readonly reason: string;
  readonly uptimeMs: number;
  readonly pending: {
    readonly block: number;
    readonly index: number;
    readonly head: number;
    readonly version: number;
    readonly ageMs: number;
  };
  /** `null`: no live chain. */
  readonly live: LiveStatus | null;
  readonly traffic: TrafficStatus;
  readonly pool: PoolStatus;
  readonly memory: { readonly residentBytes: number; readonly heapBytes: number };
  readonly table: {
    readonly bytes: number;
    readonly accounts: number;
    readonly slots: number;
    readonly evictions: number;
    readonly misses: number;
  };
  readonly kernel: {
    readonly executionsPerSecond: number;
    readonly fallbacks: number;
    readonly checks: number;
    readonly mismatches: number;
    readonly distrusted: number;
  };
  readonly methods: readonly Times[];
  readonly stages: readonly Times[];
}

/** A live chain: how feed and node fare. */
export interface LiveStatus {
  readonly upstreamHead: number;
  readonly head: number;
  readonly headAgeMs: number;
  /** `null`: without a feed. */
  readonly feedAgeMs: number | null;
  /** 0 while the node answers. */
  readonly silentMs: number;
  readonly visible: Quantiles;
  readonly gaps: number;
  readonly reorgs: number;
  readonly restarts: number;
  readonly mismatches: number;
}

/** What is asked, over all methods. */
export interface TrafficStatus extends Quantiles {
  readonly requestsPerSecond: number;
  readonly callsPerSecond: number;
  readonly errorsPerSecond: number;
  readonly inFlight: number;
  readonly websockets: number;
}

/** Estimators and their queue. */
export interface PoolStatus {
  readonly workers: number;
  readonly queued: number;
  readonly running: number;
  readonly completedPerSecond: number;
  readonly refusedPerSecond: number;
  /** Since the start, by reason. */
  readonly refused: Readonly<Record<string, number>>;
  readonly crashes: number;
  readonly kills: number;
}
