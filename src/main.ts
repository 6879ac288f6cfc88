#!/usr/bin/env node
// The executable: runs the program from its bundle (workers/build.ts), or from its separate modules if there is no
// bundle or the TypeScript compiler has run since.

// Each thread has a bundle of its own. See DECISIONS.md.
import { statSync } from 'node:fs';

const BUNDLE = new URL('../bundle/program.js', import.meta.url);
/** Updated by each run of the compiler that changes something; not part of the package. */
const COMPILED = new URL('../tsconfig.tsbuildinfo', import.meta.url);

function modifiedMs(file: URL): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

const bundledMs = modifiedMs(BUNDLE);
const isBundled = bundledMs !== undefined && bundledMs >= (modifiedMs(COMPILED) ?? 0);
await import(isBundled ? BUNDLE.href : './program.js');
