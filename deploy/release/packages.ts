// The folders and tarballs of a release: the main package with `files` of package.json, and one for each platform with
// its native binaries.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NODE_ABIS, uwsBinaryName } from '../../src/http/uws/native/uws-binaries.js';
import { mainManifest, platformManifest, type Platform, type Project } from './manifest.js';

/** The project; this file is compiled to dist/deploy/release. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const LISTING_BYTES_MAX = 64 * 1024 * 1024;
const UWS = 'dist/src/http/uws/native';

/** A package as `npm pack` reports it. */
export interface Packed {
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

/**
 * Packs the native binaries built here, with the licences of linked code, for `platform`, which is this one. Throws if
 * a file is missing.
 */
export function packPlatform(project: Project, repository: string | null, platform: Platform, folder: string): Packed {
  const { os, cpu } = platform;
  const uws = NODE_ABIS.map((abi) => `${UWS}/${uwsBinaryName(os, cpu, abi)}.node`);
  const licences = ['LICENSE', 'dist/src/native/LICENSES.txt', `${UWS}/LICENSE.uWebSockets.js.txt`];
  return packFolder(folder, platformManifest(project, repository, platform), (stage) => {
    for (const path of ['dist/src/native/native.node', ...uws, ...licences])
      cpSync(join(ROOT, path), join(stage, basename(path)));
    const about = `Native binaries of ${project.name} for ${os} ${cpu}; npm installs them with it.\n`;
    writeFileSync(join(stage, 'README.md'), about);
  });
}

/** Packs the files that `fill` writes into a new folder, with that manifest. */
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

/** Without scripts: everything has been built. */
function npmPack(folder: string, flags: readonly string[]): Packed {
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', ...flags], folder)) as Packed[];
  return packed!;
}

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: 'pipe', maxBuffer: LISTING_BYTES_MAX });
}
