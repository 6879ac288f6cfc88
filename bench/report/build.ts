// Copies the report's plot library, with its licence, next to the report's script, so that the package needs no other.
// Runs in `npm run build` only.
import { copyFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const FILES = ['dist/uPlot.min.css', 'dist/uPlot.iife.min.js', 'LICENSE'];
const TARGET = new URL('./uplot/', import.meta.url);

mkdirSync(TARGET, { recursive: true });
for (const file of FILES) {
  const source = createRequire(import.meta.url).resolve(`uplot/${file}`);
  copyFileSync(source, fileURLToPath(new URL(file.split('/').at(-1)!, TARGET)));
}
