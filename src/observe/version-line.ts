// The line that `--version` prints: everything that a bug report must contain.
import { readFileSync } from 'node:fs';
import { FORKS } from '../chain/forks.table.js';
import { OP_FORK_NAMES } from '../chain/op/forks.js';
import { loadNativeModule } from '../native/load-addon.js';
import type { AddonModules } from '../native/addon-types.js';

const MODULES: readonly (keyof AddonModules)[] = ['httpGuard', 'json', 'precompiles', 'reads', 'secp256k1', 'wake'];

/**
 * Returns version and commit of the build, Node.js and system, loaded parts of the addon, and the newest supported
 * forks.
 */
export function versionLine(version: string): string {
  const commit = readCommit();
  const build = commit === null ? version : `${version} (${commit})`;
  const system = `Node.js ${process.version}, ${process.platform} ${process.arch}`;
  const newest = FORKS.findLast(({ isOfBlobs }) => isOfBlobs !== true)!.name;
  const rules = `rules up to ${newest} and, on the OP Stack, ${OP_FORK_NAMES.at(-1)}`;
  return `prestate ${build}, ${system}, ${addonText()}, ${rules}`;
}

/** Returns the commit that the build has recorded; `null` if it recorded none. */
function readCommit(): string | null {
  try {
    return readFileSync(new URL('../commit.txt', import.meta.url), 'utf8').trim() || null;
  } catch {
    return null;
  }
}

function addonText(): string {
  const missing = MODULES.filter((name) => loadNativeModule(name).part === null);
  if (missing.length === 0) return 'addon whole';
  return missing.length === MODULES.length
    ? `no addon: ${loadNativeModule('json').reason}`
    : `addon without ${missing.join(', ')}`;
}
