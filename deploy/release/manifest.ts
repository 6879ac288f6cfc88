// The package.json of each published package, derived from the project's. Pure.

import { platformPackageName } from '../../src/native/locate-binary.js';

/** A platform that has a package of its own, as Node.js and npm name it. */
export interface Platform {
  readonly os: string;
  readonly cpu: string;
}

/** Platforms for which uWebSockets.js is available, each built by its own runner (.github/workflows/release.yml). */
export const PLATFORMS: readonly Platform[] = [
  { os: 'linux', cpu: 'x64' },
  { os: 'linux', cpu: 'arm64' },
];

/** Members of package.json that a release reads. */
export interface Project {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly publishConfig: Readonly<Record<string, unknown>>;
  readonly scripts: Readonly<Record<string, string>>;
}

/** Members that only a clone needs: its build, its tests, and packing instructions. */
const CLONE_ONLY = new Set([
  'files',
  'scripts',
  'devDependencies',
  'optionalDependencies',
  'overrides',
  'allowScripts',
]);

/** The manifest of the main package. `repository` is its web address, `null` if unknown. */
export function mainManifest(project: Project, repository: string | null): object {
  const kept = Object.entries(project).filter(([member]) => !CLONE_ONLY.has(member));
  const binaries = PLATFORMS.map(({ os, cpu }) => [platformPackageName(os, cpu), project.version]);
  return { ...Object.fromEntries(kept), ...addresses(repository), optionalDependencies: Object.fromEntries(binaries) };
}

/** The manifest of a platform's package; npm installs it only there. */
export function platformManifest(project: Project, repository: string | null, { os, cpu }: Platform): object {
  const { name, version, license, engines, publishConfig } = project;
  return {
    name: platformPackageName(os, cpu),
    version,
    description: `Native binaries of ${name} for ${os} ${cpu}`,
    license,
    ...addresses(repository),
    engines,
    os: [os],
    cpu: [cpu],
    libc: ['glibc'],
    publishConfig,
  };
}

/** Addresses of sources, documents and issues; npm's provenance requires `repository` to be the built one. */
function addresses(repository: string | null): object {
  if (repository === null) return {};
  return {
    repository: { type: 'git', url: `git+${repository}.git` },
    homepage: `${repository}#readme`,
    bugs: `${repository}/issues`,
  };
}

/** `https://HOST/OWNER/NAME` of a git remote, HTTPS or SSH, without credentials; `null` for any other. */
export function webAddress(remote: string): string | null {
  const { host, path } =
    /^(?:https:\/\/|ssh:\/\/|(?=\w+@))(?:[^@/]+@)?(?<host>[^/:]+)(?::\d+(?=\/))?[/:](?<path>.+?)(?:\.git)?\/?$/.exec(
      remote,
    )?.groups ?? {};
  return host === undefined ? null : `https://${host}/${path}`;
}
