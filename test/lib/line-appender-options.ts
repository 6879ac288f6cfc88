// Limits of line files in tests: small, except for how much may be queued.
import type { LineAppenderOptions } from '../../src/lib/line-appender.js';

export function lineFileOptions(options: Partial<LineAppenderOptions> = {}): LineAppenderOptions {
  return { fileBytesMax: 1_000_000, waitingBytesMax: 100_000, flushMs: 1, ...options };
}
