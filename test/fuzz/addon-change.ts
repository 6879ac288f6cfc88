// Mutants of the addon: bugs in the sources of one of its modules, each a change of one line at most.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileAddon } from '../../src/native/compile-addon.js';
import type { AddonModules } from '../../src/native/addon-types.js';

/** The addon's sources, in a folder for each module. */
export const ADDON_SOURCES = fileURLToPath(new URL('../../../src/native/', import.meta.url));

/** A change to the sources of a module. */
export interface AddonChange {
  readonly file: string;
  /** Must occur exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

/** Copies the addon's sources to `folder`, replacing an earlier copy. */
export function copySources(folder: string): void {
  cpSync(ADDON_SOURCES, folder, { recursive: true });
}

/** Applies the change to the copy in `folder`. Throws unless the text to replace occurs exactly once. */
export function changeAddon(folder: string, change: AddonChange): void {
  writeFileSync(join(folder, change.file), changedAddonSource(folder, change));
}

/** Returns the changed text of a file in `folder`. Throws unless the text to replace occurs exactly once. */
export function changedAddonSource(folder: string, { file, find, replace }: AddonChange): string {
  const texts = readFileSync(join(folder, file), 'utf8').split(find);
  if (texts.length !== 2) throw new Error(`stands ${texts.length - 1} times in ${file}: ${find}`);
  return texts.join(replace);
}

/** Builds the module with the bug in `folder`, which is inside the project so that packages are found, and loads it. */
export function loadMutant<Part extends keyof AddonModules>(
  part: Part,
  change: AddonChange,
  folder: string,
): AddonModules[Part] {
  const [sources, target] = [join(folder, 'sources'), join(folder, 'target')];
  copySources(sources);
  changeAddon(join(sources, part), change);
  const problem = compileAddon({ name: 'native', sources, target, variables: { parts: part }, proof: '' });
  if (problem !== null) throw new Error(problem);
  return (createRequire(import.meta.url)(join(target, 'native.node')) as AddonModules)[part];
}
