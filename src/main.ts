#!/usr/bin/env node
// The command: runs the program from its bundle (workers/build.ts), or from its modules if there is no bundle or the
// compiler has run since.

// Decision (2026-11, two cores): A bundle for each thread. Of the 5.7 s of processor time of a start, 3.3 resolved,
// read and linked some 740 modules on each of several threads; from bundles it takes 2.5 s in all and 40 MiB less. With
// our own modules bundled and packages left where they are it takes 4.3. Price: esbuild, and a second copy of the code
// on disk.
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
