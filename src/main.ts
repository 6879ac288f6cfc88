#!/usr/bin/env node
// The command: runs the program from its bundle (workers/build.ts), or from its modules if there is no bundle or the
// compiler has run since.

// A bundle for each thread. See DECISIONS.md.
import { BUNDLE_FOLDER, isBundleCurrent } from './lib/threads/bundle-check.js';

await import(isBundleCurrent() ? new URL('program.js', BUNDLE_FOLDER).href : './program.js');
