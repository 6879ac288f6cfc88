// Result files: results/NAME.json, results/NAME.csv and results/NAME.html. Runs in the bench.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportOf } from '../report/report.js';
import { csvOf } from './csv.js';
import { RESULTS_VERSION, type Results } from './results.js';

const FOLDER = 'results';

/** Writes all files, and creates the folder if missing. */
export function writeResults(results: Results): Readonly<Record<'json' | 'csv' | 'html', string>> {
  mkdirSync(FOLDER, { recursive: true });
  const fileOf = (kind: string): string => join(FOLDER, `${results.name}.${kind}`);
  const files = { json: fileOf('json'), csv: fileOf('csv'), html: fileOf('html') };
  writeFileSync(files.json, `${JSON.stringify(results, null, 1)}\n`);
  writeFileSync(files.csv, csvOf(results));
  writeFileSync(files.html, reportOf(results));
  return files;
}

/** Throws if the file has no results of this version. */
export function readResults(file: string): Results {
  const results = JSON.parse(readFileSync(file, 'utf8')) as Results | { readonly version?: unknown };
  if (results.version !== RESULTS_VERSION || !('rows' in results))
    throw new Error(`${file}: no results of version ${RESULTS_VERSION}`);
  return results;
}
