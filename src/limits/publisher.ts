// Bounds of the one writer. Runs on every thread.

/** Part of `LIMITS`. */
export const PUBLISHER_LIMITS = {
  /**
   * Memory that the publisher has made since its last collection, from which on another one follows a publication: at
   * some 20 kB a transaction 200 of them. A quarter of what V8 collects at by itself, in the midst of an increment.
   */
  youngGarbageBytesMax: 4 * 1024 * 1024,
  /** Publisher crashes within the window after which the process gives up: a fault that comes back is not helped by trying. */
  publisherRestartsMax: 5,
  publisherRestartWindowMs: 60_000,
  /** Questions to the upstream node that may wait at a time. */
  upstreamQuestionsMax: 10_000,
} as const;
