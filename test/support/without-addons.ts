// Hides the addons of this program from a process that loads this file first, in every thread: what serves without a compiler takes
// their place. Runs in tests only.
import { sep } from 'node:path';

const dlopen = process.dlopen.bind(process);

process.dlopen = (module: object, file: string, flags?: number) => {
  if (!file.includes(`${sep}node_modules${sep}`)) throw new Error('hidden by a test');
  if (flags === undefined) dlopen(module, file);
  else dlopen(module, file, flags);
};
