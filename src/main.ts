#!/usr/bin/env node
// Entry file of the command. It runs the program from its bundle (workers/build.ts), or from its single modules if
// there is no bundle, or if the compiler has run after the bundle was made.

// There is one bundle for each thread. See DECISIONS.md.
import { BUNDLE_FOLDER, isBundleCurrent } from './lib/threads/bundle-freshness.js';

await import(isBundleCurrent() ? new URL('program.js', BUNDLE_FOLDER).href : './program.js');
