// Bounds of the publisher thread.

export const PUBLISHER_LIMITS = {
  /**
   * If the publisher has allocated this much since its last minor garbage collection, it collects right after a
   * publication: that is 200 transactions at some 20 kB. V8 by itself would collect at four times as much, in the
   * middle of an increment.
   */
  youngGarbageBytesMax: 4 * 1024 * 1024,
  /** After so many crashes within this time the process ends: restarting helps against no persistent fault. */
  publisherRestartsMax: 5,
  publisherRestartWindowMs: 60_000,
  /** Requests that the publisher may have open at the upstream node. */
  upstreamQuestionsMax: 10_000,
} as const;
