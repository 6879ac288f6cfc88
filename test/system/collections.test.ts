// The program's threads run minor garbage collections without helper threads, as V8's own trace shows.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));
/** Collections to check. */
const COLLECTIONS = 12;

/** V8 prints one line per collection, and one for each thread that took part. */
const COLLECTION = /^\[\d+:(0x[0-9a-f]+)\].* Scavenge /;
const PART = /^\[\d+:(0x[0-9a-f]+)\] scavenge\[0x/;

test('no minor collection waits for another thread', async () => {
  const flags = ['--trace-gc', '--trace-parallel-scavenge', MAIN, '--port', '0', '--dev-traffic', '100'];
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  let isServing = false;
  const parts = new Map<string, number>();
  let collections = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    isServing ||= line.includes('"listening"');
    const isolate = PART.exec(line)?.[1];
    if (isolate !== undefined) parts.set(isolate, (parts.get(isolate) ?? 0) + 1);
    const collected = COLLECTION.exec(line)?.[1];
    if (collected === undefined) continue;
    // Collections from before the program has set its flags, and those of threads started before, do not count.
    // The lines of two threads may interleave; then the number of threads is unknown.
    if (isServing) assert.equal(parts.get(collected) ?? 1, 1, line);
    parts.delete(collected);
    if (isServing && ++collections === COLLECTIONS) break;
  }
  child.stdout.resume();
  child.kill('SIGTERM');
  await once(child, 'exit');
  assert.equal(collections, COLLECTIONS);
});
