// Runs mutants of the addon for plain reads, one at a time, and reports after how many bodies and values the fuzzer
// detects each. `node dist/test/fuzz/plain-reads.js [part of a name]`. Exits with 1 if one is not detected.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPlainReads } from '../../src/rpc/reads/native-plain-reads.js';
import { findDifferingBody, findDifferingValue } from '../rpc/reads/find-difference.js';
import { loadMutant, type AddonChange } from './addon-change.js';
import { PLAIN_READ_MUTANTS } from './plain-read-mutants.js';

const TABLES = 300;
const SEED = 1;
const CALLS_MAX = 1000;

const wanted = process.argv[2] ?? '';
const folder = mkdtempSync(join(fileURLToPath(new URL('.', import.meta.url)), 'mutants-'));
try {
  for (const [name, mutant] of Object.entries(PLAIN_READ_MUTANTS))
    if (name.includes(wanted)) await tryOut(name, mutant);
} finally {
  rmSync(folder, { recursive: true });
}

async function tryOut(name: string, mutant: AddonChange): Promise<void> {
  const addon = loadMutant('reads', mutant, mkdtempSync(join(folder, 'addon-')));
  const open = createPlainReads(addon, CALLS_MAX);
  const bodies = await findDifferingBody(open, TABLES, SEED);
  const values = findDifferingValue(open, TABLES, SEED);
  const found = [
    ...(bodies.difference === null ? [] : [`${bodies.tried} bodies`]),
    ...(values.difference === null ? [] : [`${values.tried} values`]),
  ];
  if (found.length === 0) process.exitCode = 1;
  process.stdout.write(`${found.length === 0 ? 'NOT FOUND' : `found after ${found.join(', ')}`}: ${name}\n`);
}
