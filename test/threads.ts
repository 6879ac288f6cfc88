// Prints which threads load each file: `npm run threads -- [PART ...]` shows those whose path contains an argument.
import { FILES, loadedBy, THREADS } from './support/imports.js';

const parts = process.argv.slice(2);
const loaded = Object.entries(THREADS).map(([thread, entry]) => [thread, loadedBy(entry)] as const);

for (const file of FILES.toSorted().filter((name) => parts.length === 0 || parts.some((part) => name.includes(part)))) {
  const threads = loaded.filter(([, files]) => files.has(file)).map(([thread]) => thread);
  process.stdout.write(`${file}: ${threads.join(', ') || 'none'}\n`);
}
