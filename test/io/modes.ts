// The ways in which the program may execute, all of which answer the same.
import assert from 'node:assert/strict';
import type { Server } from '../support/server.js';

/** Flags of the program; with the kernel every answer is checked when there is time. */
export const MODES: readonly (readonly string[])[] = [
  ['--kernel', 'on', '--kernel-check', '1'],
  ['--kernel', 'off'],
];

/** Nothing has differed, on any thread. */
export async function assertNoMismatch(server: Server): Promise<void> {
  assert.equal(await readMetric(server, 'prestate_kernel_mismatches_total'), 0);
  assert.deepEqual(
    server.log.filter((line) => line.includes('differ')),
    [],
  );
}

/** A metric without labels, or with those given in its name. */
export async function readMetric(server: Server, name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  assert.ok(line !== undefined, `there is no ${name}`);
  return Number(line.slice(name.length + 1));
}
