// Hides the addon of the precompiles from a process that loads this file first, in every thread: WebAssembly takes its place.
// Runs in tests only.
const dlopen = process.dlopen.bind(process);

process.dlopen = (module: object, file: string, flags?: number) => {
  if (file.endsWith('precompiles.node')) throw new Error('hidden by a test');
  if (flags === undefined) dlopen(module, file);
  else dlopen(module, file, flags);
};
