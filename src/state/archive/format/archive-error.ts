// Errors of a data folder, which are reported in one line each.
import { StartError } from '../../../lib/start-error.js';

/** An archive cannot be opened (exit code 2), or written, for example on a full disk (exit code 1). */
export class ArchiveError extends StartError {}

export function firstLineOfError(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0] ?? text;
}
