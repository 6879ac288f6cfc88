// All steps of the build behind the compiler of TypeScript, side by side; each finds out by itself that nothing changed. Runs in
// `npm run build` only.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Longest first. */
const STEPS = ['native', 'evm/kernel', 'feed/dev/contracts', 'http/uws/native'];

const codes = await Promise.all(STEPS.map(run));
process.exitCode = Math.max(...codes);

/** Exit code of a step; 1 where a signal ended it. */
async function run(step: string): Promise<number> {
  const program = fileURLToPath(new URL(`${step}/build.js`, import.meta.url));
  const [code] = (await once(spawn(process.execPath, [program], { stdio: 'inherit' }), 'exit')) as [number | null];
  return code ?? 1;
}
