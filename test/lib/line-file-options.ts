// Bounds of a file of lines in tests: small, except for how much may wait.
import type { LineFileOptions } from '../../src/lib/line-file.js';

export function lineFileOptions(options: Partial<LineFileOptions> = {}): LineFileOptions {
  return { fileBytesMax: 1_000_000, waitingBytesMax: 100_000, flushMs: 1, ...options };
}
