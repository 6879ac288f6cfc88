// Errors of a data folder, each reported in one line.
import { StartError } from '../../../lib/start-error.js';

/** An archive that cannot be opened (exit code 2) or written, such as on a full disk (exit code 1). */
export class ArchiveError extends StartError {}

/** First line of whatever was thrown. */
export function errorText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0] ?? text;
}
