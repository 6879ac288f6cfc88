// All steps of the build behind the compiler of TypeScript, side by side; each finds out by itself that nothing changed. Runs in
// `npm run build` only.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Longest first. */
const STEPS = ['native', 'evm/kernel', 'feed/dev/contracts', 'http/uws/native'];
/** The image is built without the bench. */
const BENCH = '../bench/report';

const codes = await Promise.all([...STEPS, ...(existsSync(programOf(BENCH)) ? [BENCH] : [])].map(run));
process.exitCode = Math.max(...codes);

/** Exit code of a step; 1 where a signal ended it. */
async function run(step: string): Promise<number> {
  const [code] = (await once(spawn(process.execPath, [programOf(step)], { stdio: 'inherit' }), 'exit')) as [
    number | null,
  ];
  return code ?? 1;
}

function programOf(step: string): string {
  return fileURLToPath(new URL(`${step}/build.js`, import.meta.url));
}
