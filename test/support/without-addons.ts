// Preloaded to hide this project's addons from every thread of a process, so that it uses the fallbacks for machines
// without a compiler.
import { sep } from 'node:path';

const dlopen = process.dlopen.bind(process);

process.dlopen = (module: object, file: string, flags?: number) => {
  if (!file.includes(`${sep}node_modules${sep}`)) throw new Error('hidden by a test');
  if (flags === undefined) dlopen(module, file);
  else dlopen(module, file, flags);
};
