// Locates a compiled file: next to its module, where the build writes it, or in the npm package for this platform,
// which is installed together with the main package (deploy/release/packages.ts).
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/** Returns the name of the npm package for a platform, given in Node.js's terms. On Linux it is for glibc. */
export function platformPackageName(platform: string, architecture: string): string {
  return `prestate-rpc-${platform}-${architecture}-gnu`;
}

/**
 * Returns the path of the file `built`, or of the same file in the npm package for this platform. Throws if neither
 * exists.
 */
export function binaryPath(built: URL): string {
  const path = fileURLToPath(built);
  if (existsSync(path)) return path;
  const { platform, arch } = process;
  try {
    return require.resolve(`${platformPackageName(platform, arch)}/${basename(path)}`);
  } catch {
    throw new Error(`${basename(path)} is neither built here nor installed with the package for ${platform} ${arch}`);
  }
}
