// `npm run release -- [--dry-run] [--to FOLDER]`: packs the build, here and on runners of other platforms, writes the
// notes, and publishes, except with --dry-run. Runs in .github/workflows/release.yml, and by hand.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { versionLine } from '../../src/observe/version-line.js';
import { platformPackageName } from '../../src/native/locate-binary.js';
import { PLATFORMS, webAddress, type Platform, type Project } from './manifest.js';
import { releaseNotes } from './notes.js';
import { ROOT, packMain, packPlatform, type Packed } from './packages.js';

const { values } = parseArgs({
  options: { 'dry-run': { type: 'boolean', default: false }, to: { type: 'string', default: 'dist/packages' } },
});
const folder = resolve(ROOT, values.to);
const project = JSON.parse(textOf('package.json')) as Project;
const repository = webAddress(git('remote', 'get-url', 'origin'));
const notes = releaseNotes(textOf('CHANGELOG.md'), project.version);

say(`${project.name} ${project.version}, from ${repository ?? 'no repository'}`);
mkdirSync(folder, { recursive: true });
// Tarballs of other runners are published unchanged.
const here = PLATFORMS.find(({ os, cpu }) => os === process.platform && cpu === process.arch);
if (here !== undefined && !existsSync(join(folder, tarballOf(here))))
  say(sizeOf(packPlatform(project, repository, here, folder)));
const main = packMain(project, repository, folder);
say(sizeOf(main));
writeFileSync(join(folder, 'notes.md'), notes);
say(`notes.md: ${notes.split('\n').length - 1} lines of the changelog`);

const lacking = obstacles();
for (const each of lacking) say(`must not be published: ${each}`);
if (values['dry-run']) for (const file of tarballs()) say(`would publish ${file}`);
else if (lacking.length > 0) process.exitCode = 1;
else for (const file of tarballs()) publish(file);

/** Reasons why this must not be published. */
function obstacles(): readonly string[] {
  const tag = `v${project.version}`;
  return [
    ...(repository === null
      ? ['git has no remote `origin` in the web, which the package names as its repository']
      : []),
    ...(git('tag', '--points-at', 'HEAD').split('\n').includes(tag) ? [] : [`the commit has no tag ${tag}`]),
    ...(git('status', '--porcelain') === '' ? [] : ['files differ from the commit']),
    ...(versionLine('').includes('addon whole') ? [] : ['parts of the addon are not built']),
    ...PLATFORMS.map(tarballOf).flatMap((file) => (existsSync(join(folder, file)) ? [] : [`there is no ${file}`])),
  ];
}

/** In publishing order: the main package depends on the others. */
function tarballs(): readonly string[] {
  return [...PLATFORMS.map(tarballOf).filter((file) => existsSync(join(folder, file))), main.filename];
}

function tarballOf({ os, cpu }: Platform): string {
  return `${platformPackageName(os, cpu)}-${project.version}.tgz`;
}

/** Versions like 1.0.0-rc.1 must not become `latest`, which `npm install` uses. */
function publish(file: string): void {
  const tag = project.version.includes('-') ? 'next' : 'latest';
  execFileSync('npm', ['publish', join(folder, file), '--tag', tag, ...published()], { stdio: 'inherit' });
}

/** Flags of `publishConfig`, which npm ignores for a tarball. */
function published(): readonly string[] {
  return Object.entries(project.publishConfig).map(([name, value]) => `--${name}=${String(value)}`);
}

function sizeOf({ filename, size, unpackedSize, files }: Packed): string {
  const [packedMb, unpackedMb] = [size, unpackedSize].map((bytes) => (bytes / 1e6).toFixed(2));
  return `${filename}: ${packedMb} MB, ${unpackedMb} MB unpacked, ${files.length} files`;
}

/** Output of git; '' if it is missing or fails. */
function git(...args: readonly string[]): string {
  try {
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return '';
  }
}

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
