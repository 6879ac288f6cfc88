// The folders and tarballs of a release. What is in the main package is what `files` of package.json lists.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mainManifest, type Project } from './manifest.js';

/** The project; this file is compiled to dist/deploy/release. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FILES_TEXT_BYTES_MAX = 64 * 1024 * 1024;

/** A package as `npm pack` reports it. */
export interface Packed {
  readonly name: string;
  readonly filename: string;
  /** Bytes of the tarball. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** Packs the built project into `folder`. */
export function packMain(project: Project, repository: string | null, folder: string): Packed {
  run('npm', ['run', 'prepack'], ROOT);
  const listed = npmPack(ROOT, ['--dry-run']).files.map(({ path }) => path);
  return packFolder(folder, mainManifest(project, repository), (stage) => {
    for (const path of listed) cpSync(join(ROOT, path), join(stage, path));
  });
}

/** Packs what `fill` puts into a new folder, with that manifest. */
function packFolder(folder: string, manifest: object, fill: (stage: string) => void): Packed {
  mkdirSync(folder, { recursive: true });
  const stage = mkdtempSync(join(folder, 'stage-'));
  try {
    fill(stage);
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    return npmPack(stage, ['--pack-destination', folder]);
  } finally {
    rmSync(stage, { recursive: true });
  }
}

/** Without scripts: what is packed has been built. */
function npmPack(folder: string, flags: readonly string[]): Packed {
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', ...flags], folder)) as Packed[];
  return packed!;
}

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: 'pipe', maxBuffer: FILES_TEXT_BYTES_MAX });
}
