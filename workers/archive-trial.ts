// Entry of the process that checks an archive: silent with exit code 0, or one line on stdout with the exit code of the
// error.
import { ArchiveError } from '../src/state/archive/format/error.js';
import { tryArchive } from '../src/state/archive/file/trial.js';

try {
  await tryArchive(process.argv[2]!);
} catch (error) {
  if (!(error instanceof ArchiveError)) throw error;
  process.stdout.write(error.message);
  process.exitCode = error.exitCode;
}
