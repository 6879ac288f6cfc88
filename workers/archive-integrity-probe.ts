// Entry file of the process that checks an archive. If the archive is intact, it prints nothing and exits with 0.
// Otherwise it prints one line to stdout and exits with the error's code.
import { ArchiveError } from '../src/state/archive/format/archive-error.js';
import { probeIntegrity } from '../src/state/archive/file/integrity-probe.js';

try {
  await probeIntegrity(process.argv[2]!);
} catch (error) {
  if (!(error instanceof ArchiveError)) throw error;
  process.stdout.write(error.message);
  process.exitCode = error.exitCode;
}
