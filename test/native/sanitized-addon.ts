// Preloaded into every thread of a test under `npm run sanitize`: selects the addon built with sanitizers.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Folder of that addon. */
export const SANITIZED = fileURLToPath(new URL('sanitized/', import.meta.url));

const { extensions } = createRequire(import.meta.url);
const load = extensions['.node'];
extensions['.node'] = (module, file) =>
  load(
    module,
    file.replace(/^.*[\\/]src[\\/]native[\\/](?=native\.node$)/, () => SANITIZED),
  );
