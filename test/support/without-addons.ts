// Hides this project's addons from a process that preloads this file, in every thread: the fallbacks for machines
// without a compiler are used instead.
import { sep } from 'node:path';

const dlopen = process.dlopen.bind(process);

process.dlopen = (module: object, file: string, flags?: number) => {
  if (!file.includes(`${sep}node_modules${sep}`)) throw new Error('hidden by a test');
  if (flags === undefined) dlopen(module, file);
  else dlopen(module, file, flags);
};
