// Folders that cannot contain an archive are refused with a one-line error, whichever system call fails.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ArchiveError } from '../../../../src/state/archive/format/archive-error.js';
import { prepareDataDir } from '../../../../src/state/archive/file/prepare-data-dir.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const VISITOR = fileURLToPath(new URL('../visitor.js', import.meta.url));

const root = temporaryFolder();
const mounted: string[] = [];
after(() => {
  for (const dir of mounted) spawnSync('umount', [dir]);
});

/** Mounts a file system of this size, if the user may. */
function smallDisk(kib: number): string | null {
  const dir = temporaryFolder();
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'none', dir]).status !== 0) return null;
  mounted.push(dir);
  return dir;
}

async function refused(dir: string, why: RegExp): Promise<void> {
  await assert.rejects(prepareDataDir(dir), (error) => {
    assert.ok(error instanceof ArchiveError, String(error));
    assert.equal(error.exitCode, 2);
    assert.match(error.message, /^cannot use the data folder [^\n]+$/);
    assert.match(error.message, why);
    return true;
  });
}

void test('a data folder is created with its parents, and the check leaves no file behind', async () => {
  const dir = join(root, 'a', 'b', 'c');
  await prepareDataDir(dir);
  await prepareDataDir(dir);
  assert.deepEqual(readdirSync(dir), []);
});

void test('a path that cannot be a folder is refused', async () => {
  const file = join(root, 'file');
  writeFileSync(file, '');
  await refused(file, /ENOTDIR/);
  await refused(join(file, 'below'), /ENOTDIR/);
  await refused('/dev/null/folder', /ENOTDIR/);
});

void test(
  '/proc is refused: neither folders nor files can be created there',
  { skip: process.platform !== 'linux' },
  async () => {
    for (const dir of ['/proc/x', '/proc/x/y', '/proc']) await refused(dir, /ENOENT|EACCES|EPERM/);
  },
);

void test('a full disk is named as the reason, at the start and while writing', async (t) => {
  const dir = smallDisk(8 * 1024);
  if (dir === null) return t.skip('mounting a file system is not permitted');
  writeFileSync(join(dir, 'full'), Buffer.alloc(8 * 1024 * 1024));
  await refused(join(dir, 'archive'), /ENOSPC|the disk is full/);
  writeFileSync(join(dir, 'full'), Buffer.alloc(7 * 1024 * 1024));
  await refused(dir, /the disk is full \(\d+ KiB free of 4096 that are needed\)/);
  rmSync(join(dir, 'full'));
  const visitor = spawnSync(process.execPath, [VISITOR, 'fill', join(dir, 'archive')], { encoding: 'utf8' });
  const why = /^ArchiveError: cannot write block \d+ to the archive in [^\n]*archive: the disk is full \([^\n]+\)\n/;
  assert.match(visitor.stdout, why);
  assert.equal(visitor.status, 0);
});
