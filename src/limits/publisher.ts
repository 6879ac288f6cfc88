// Bounds of the publisher.

/** Part of `LIMITS`. */
export const PUBLISHER_LIMITS = {
  /**
   * Memory that the publisher has allocated since its last minor collection, from which on another one follows a
   * publication: at some 20 kB a transaction 200 of them. A quarter of what V8 collects at by itself, in the middle of
   * an increment.
   */
  youngGarbageBytesMax: 4 * 1024 * 1024,
  /**
   * Publisher crashes within the window after which the process ends: restarting does not help against a persistent
   * fault.
   */
  publisherRestartsMax: 5,
  publisherRestartWindowMs: 60_000,
  /** Open requests to the upstream node. */
  upstreamQuestionsMax: 10_000,
} as const;
