// An npm registry on loopback that serves the packages installed here and given tarballs: `npm install` and `npx`
// without network access.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, readFileSync, readdirSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** One version of a package: its manifest, and its folder or tarball. */
interface Release {
  readonly manifest: { readonly name: string; readonly version: string };
  readonly source: string;
}

/** A running registry. */
export interface Registry {
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves `tarballs`, and everything else from `node_modules`. */
export async function startRegistry(tarballs: readonly string[]): Promise<Registry> {
  const releases = [...tarballs.map(packed), ...installed(join(ROOT, 'node_modules'))];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url!);
    const wanted = releases.find((each) => path === tarballPath(each));
    if (wanted === undefined) describe(releases, path.slice(1), url, response);
    else void sendTarball(wanted.source, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async (): Promise<void> => {
    const closed = once(server.close(), 'close');
    server.closeAllConnections();
    await closed;
  };
  return { url, stop };
}

function packed(source: string): Release {
  const manifest = execFileSync('tar', ['-x', '-z', '-O', '-f', source, 'package/package.json'], { encoding: 'utf8' });
  return { manifest: JSON.parse(manifest) as Release['manifest'], source };
}

/** Packages in a node_modules folder and in those nested in it. */
function installed(folder: string): Release[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const manifests = names.filter((name) => /(^|node_modules\/)(@[^/]+\/)?[^/@.][^/]*\/package\.json$/.test(name));
  return manifests.map((name) => {
    const path = join(folder, name);
    return { manifest: JSON.parse(readFileSync(path, 'utf8')) as Release['manifest'], source: dirname(path) };
  });
}

function tarballPath({ manifest: { name, version } }: Release): string {
  return `/${name}/-/${version}.tgz`;
}

/** npm's packument of a package; 404 for an unknown name. */
function describe(releases: readonly Release[], name: string, url: string, response: ServerResponse): void {
  const own = releases.filter(({ manifest }) => manifest.name === name);
  const versions = own.map((each) => [
    each.manifest.version,
    { ...each.manifest, dist: { tarball: `${url}${tarballPath(each)}` } },
  ]);
  response.writeHead(own.length === 0 ? 404 : 200, { 'content-type': 'application/json' });
  const newest = own[0]?.manifest.version;
  response.end(JSON.stringify({ name, 'dist-tags': { latest: newest }, versions: Object.fromEntries(versions) }));
}

async function sendTarball(source: string, response: ServerResponse): Promise<void> {
  if (source.endsWith('.tgz')) return pipeline(createReadStream(source), response);
  // npm strips the first folder whatever its name, and accepts uncompressed archives.
  const flags = ['-c', '-f', '-', '--exclude', 'node_modules', basename(source)];
  const tar = spawn('tar', flags, { cwd: dirname(source), stdio: ['ignore', 'pipe', 'inherit'] });
  return pipeline(tar.stdout, response);
}
