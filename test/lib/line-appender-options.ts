// Bounds of a file of lines in tests: small, except for how much may wait.
import type { LineAppenderOptions } from '../../src/lib/line-appender.js';

export function lineFileOptions(options: Partial<LineAppenderOptions> = {}): LineAppenderOptions {
  return { fileBytesMax: 1_000_000, waitingBytesMax: 100_000, flushMs: 1, ...options };
}
