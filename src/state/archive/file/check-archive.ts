// Checks an archive before it is opened for writing. LMDB trusts its pages, so a damaged page crashes the process that
// reads it. Therefore a child process reads the archive first, and a failure is reported in one line.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { workerFileUrl } from '../../../lib/threads/worker-file.js';
import { LIMITS } from '../../../limits/index.js';
import { ArchiveError } from '../format/archive-error.js';
import { LMDB_DATA_FILE } from './lmdb-environment.js';

const TRIAL = fileURLToPath(workerFileUrl('archive-integrity-probe'));
const ADVICE = 'begin again with another folder';

/**
 * Throws an ArchiveError if the archive in `dir` is unusable and must not be opened. A folder without an archive is
 * fine.
 */
export function assertArchiveUsable(dir: string): void {
  const file = join(dir, LMDB_DATA_FILE);
  if (!hasContents(file)) return;
  if (statSync(file).size === 0) throw new ArchiveError(`cannot open the archive in ${dir}: its data file is empty`, 2);
  const { status, signal, stdout, error } = spawnSync(process.execPath, [TRIAL, dir], {
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
    timeout: LIMITS.archiveTrialEndMsMax,
    killSignal: 'SIGKILL',
  });
  if (status === 0) return;
  if (status === 2 && stdout !== '') throw new ArchiveError(stdout, 2);
  if (status === 1 && stdout !== '') throw new ArchiveError(`${stdout}; ${ADVICE}`, 1);
  const end = error?.message ?? signal ?? `exit code ${status}`;
  throw new ArchiveError(
    `the archive in ${dir} cannot be read: the process that tried it ended by ${end}; ${ADVICE}`,
    1,
  );
}

/**
 * Returns true if there is a data file to check. Otherwise it creates a marker file, which `clearCreationMarker`
 * removes when the archive has been created. While the marker exists, the data file is not checked: a writer was killed
 * while it created the archive, so the file may be empty. An empty file without the marker has lost its contents.
 */
function hasContents(file: string): boolean {
  if (existsSync(file) && !existsSync(markOf(file))) return true;
  writeFileSync(markOf(file), '');
  return false;
}

/** Removes the marker file once LMDB has written the data file in `dir`. */
export function clearCreationMarker(dir: string): void {
  rmSync(markOf(join(dir, LMDB_DATA_FILE)), { force: true });
}

function markOf(file: string): string {
  return `${file}.new`;
}
