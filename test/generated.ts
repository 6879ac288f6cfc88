// The parts of documents that are made from tables of the program. `npm run documents` writes them; documents.test.ts
// compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { ERRORS } from '../src/errors.js';
import { METHODS } from '../src/methods.table.js';

const METHODS_DOCUMENT = new URL('../../src/rpc/METHODS.md', import.meta.url);

/** The document of methods as the tables have it now. */
export function methodsDocument(): string {
  const methods = [...METHODS.values()].map(({ name, params, says = '' }) => {
    return `| \`${name}\` | ${params.map((param) => param.replace('?', '')).join(', ')} | ${says} |`;
  });
  const errors = Object.values(ERRORS)
    .toSorted((a, b) => b.code - a.code)
    .map(({ code, message }) => `| ${code} | ${message} |`);
  const text = readFileSync(METHODS_DOCUMENT, 'utf8');
  const withMethods = filled(text, 'methods', ['| method | parameters | |', '| --- | --- | --- |', ...methods]);
  return filled(withMethods, 'errors', ['| code | text |', '| --- | --- |', ...new Set(errors)]);
}

/** The text with these lines between the marks of that name. */
function filled(text: string, name: string, lines: readonly string[]): string {
  const mark = `<!-- ${name} -->\n`;
  const start = text.indexOf(mark) + mark.length;
  return `${text.slice(0, start)}${lines.join('\n')}\n${text.slice(text.indexOf('<!-- end -->', start))}`;
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href) writeFileSync(METHODS_DOCUMENT, methodsDocument());
