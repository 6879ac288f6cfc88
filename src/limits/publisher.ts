// Bounds of the publisher thread.

export const PUBLISHER_LIMITS = {
  /**
   * If the publisher has allocated this many bytes since its last minor garbage collection, it collects right after it
   * publishes a version. That is 200 transactions at some 20 kB. V8 by itself would collect at four times as much, in
   * the middle of an increment.
   */
  youngGarbageBytesMax: 4 * 1024 * 1024,
  /**
   * Number of crashes of the publisher thread within this time after which the process ends: restarting does not help
   * against a persistent fault.
   */
  publisherRestartsMax: 5,
  publisherRestartWindowMs: 60_000,
  /** Requests to the upstream node that the publisher may have open at a time. */
  upstreamQuestionsMax: 10_000,
} as const;
