// Errors of an archive folder. Each is reported in one line.
import { StartError } from '../../../lib/start-error.js';

/** An archive could not be opened (exit code 2), or could not be written, for example on a full disk (exit code 1). */
export class ArchiveError extends StartError {}
