// A release: its manifests and notes, and what the workflow runs. test/install/package.test.ts builds one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { PLATFORMS, mainManifest, platformManifest, webAddress, type Project } from '../../deploy/release/manifest.js';
import { releaseNotes } from '../../deploy/release/notes.js';
import { textOf } from './deployed.js';

interface Workflow {
  readonly jobs: Readonly<Record<string, Job>>;
}
interface Job {
  readonly needs?: string | readonly string[];
  readonly uses?: string;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
  readonly steps?: readonly { readonly run?: string }[];
}

const project = JSON.parse(textOf('package.json')) as Project;
const { jobs } = parse(textOf('.github/workflows/release.yml')) as Workflow;
test('a version that the changelog does not have is not released', () => {
  assert.equal(
    releaseNotes('# Changes\n\n## 1.1.0\n\n* b\n\n## 1.0.0 - a day\n\n### New\n\n* a\n', '1.0.0'),
    '### New\n\n* a\n',
  );
  assert.throws(() => releaseNotes('## 1.0.0\n\n* a\n', '1.0'), /no section 1\.0/);
});

test('the manifest names the repository, and nothing that only a clone needs', () => {
  const manifest = mainManifest(project, 'https://forge.example/owner/name') as Readonly<Record<string, unknown>>;
  assert.deepEqual(manifest['repository'], { type: 'git', url: 'git+https://forge.example/owner/name.git' });
  assert.equal(manifest['bugs'], 'https://forge.example/owner/name/issues');
  assert.deepEqual(manifest['bin'], { prestate: 'dist/src/main.js' });
  for (const member of ['scripts', 'devDependencies', 'private', 'files']) assert.ok(!(member in manifest), member);
  assert.ok(!('repository' in mainManifest(project, null)));
});

test('the package of each platform is optional, of the same version, and for that platform alone', () => {
  const { optionalDependencies } = mainManifest(project, null) as { readonly optionalDependencies: object };
  for (const platform of PLATFORMS) {
    const manifest = platformManifest(project, null, platform) as Project & Readonly<Record<string, unknown>>;
    assert.equal(new Map(Object.entries(optionalDependencies)).get(manifest.name), project.version);
    assert.deepEqual([manifest['os'], manifest['cpu']], [[platform.os], [platform.cpu]]);
  }
  assert.equal(Object.keys(optionalDependencies).length, PLATFORMS.length);
});

for (const [remote, address] of [
  ['https://forge.example/owner/name.git', 'https://forge.example/owner/name'],
  ['https://login:secret@forge.example/owner/name', 'https://forge.example/owner/name'],
  ['git@forge.example:owner/name.git', 'https://forge.example/owner/name'],
  ['ssh://git@forge.example:2222/owner/name.git', 'https://forge.example/owner/name'],
  ['../a/folder', null],
  ['', null],
] as const)
  test(`the address of the remote ${remote === '' ? 'that is missing' : remote}`, () => {
    assert.equal(webAddress(remote), address);
  });

test('the lock file has the same version', () => {
  const lock = JSON.parse(textOf('package-lock.json')) as Project & { packages: Readonly<Record<string, Project>> };
  for (const { name, version } of [lock, lock.packages['']!])
    assert.deepEqual([name, version], [project.name, project.version]);
});

test('the release workflow tests, packs each platform, tries the packages, then publishes', () => {
  assert.equal(jobs['test']!.uses, './.github/workflows/check.yml');
  assert.equal(jobs['platform']!.needs, 'test');
  assert.equal(jobs['platform']!.strategy!.matrix['runner']!.length, PLATFORMS.length);
  assert.equal(jobs['publish']!.needs, 'platform');
  const commands = jobs['publish']!.steps!.flatMap(({ run }) => run ?? []).join('\n');
  assert.match(commands, /^npm ci\nnpm run release -- --dry-run\n[^]*^npm run release$/m);
  assert.equal(jobs['image']!.needs, 'publish');
});
