// Places of results: results/NAME.json and results/NAME.html. Runs in the bench.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportOf } from '../report/report.js';
import { RESULTS_VERSION, type Results } from './results.js';

const FOLDER = 'results';

/** Both files; the folder is made where it is missing. */
export function writeResults(results: Results): { readonly json: string; readonly html: string } {
  mkdirSync(FOLDER, { recursive: true });
  const [json, html] = [join(FOLDER, `${results.name}.json`), join(FOLDER, `${results.name}.html`)];
  writeFileSync(json, `${JSON.stringify(results, null, 1)}\n`);
  writeFileSync(html, reportOf(results));
  return { json, html };
}

/** Throws where the file holds no results of this version. */
export function readResults(file: string): Results {
  const results = JSON.parse(readFileSync(file, 'utf8')) as Results | { readonly version?: unknown };
  if (results.version !== RESULTS_VERSION || !('rows' in results))
    throw new Error(`${file}: no results of version ${RESULTS_VERSION}`);
  return results;
}
