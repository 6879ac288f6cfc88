// Mutants of an addon: bugs in its sources, each a slip of a line at most. Runs in tests only.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildAddon, type AddonSources } from '../../src/lib/addon/build.js';

/** A change to an addon's sources. */
export interface AddonChange {
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

/** Applies the change to the sources in `folder`. Throws when what it replaces is not there exactly once. */
export function changeAddon(folder: string, { file, find, replace }: AddonChange): void {
  const path = join(folder, file);
  const parts = readFileSync(path, 'utf8').split(find);
  if (parts.length !== 2) throw new Error(`stands ${parts.length - 1} times in ${file}: ${find}`);
  writeFileSync(path, parts.join(replace));
}

/** Builds the addon with the bug in `folder`, which lies below the project so that packages are found, and loads it. */
export function loadMutant(addon: AddonSources, change: AddonChange, folder: string): unknown {
  const [sources, target] = [join(folder, 'sources'), join(folder, 'target')];
  mkdirSync(target);
  cpSync(addon.sources, sources, { recursive: true });
  changeAddon(sources, change);
  buildAddon({ ...addon, sources, target, proof: '' });
  return createRequire(import.meta.url)(join(target, `${addon.name}.node`));
}
