// Modes in which the program may execute, all of which give the same responses.
import assert from 'node:assert/strict';
import type { Server } from '../support/server.js';

/** The program's flags; with the kernel every result is cross-checked when there is time. */
export const MODES: readonly (readonly string[])[] = [
  ['--kernel', 'on', '--kernel-check', '1'],
  ['--kernel', 'off'],
];

/** Asserts that no thread has found a mismatch. */
export async function assertNoMismatch(server: Server): Promise<void> {
  assert.equal(await readMetric(server, 'prestate_kernel_mismatches_total'), 0);
  assert.deepEqual(
    server.log.filter((line) => line.includes('differ')),
    [],
  );
}

/** A metric without labels, or with those included in its name. */
export async function readMetric(server: Server, name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  assert.ok(line !== undefined, `there is no ${name}`);
  return Number(line.slice(name.length + 1));
}
