// Entry of the process that checks an archive: silent with exit code 0, or one line on stdout with the exit code of the
// error.
import { ArchiveError } from '../src/state/archive/format/error.js';
import { probeIntegrity } from '../src/state/archive/file/integrity-probe.js';

try {
  await probeIntegrity(process.argv[2]!);
} catch (error) {
  if (!(error instanceof ArchiveError)) throw error;
  process.stdout.write(error.message);
  process.exitCode = error.exitCode;
}
