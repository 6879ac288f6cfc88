// Priorities of threads. A process of its own, so that those of the tests keep theirs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { getPriority } from 'node:os';
import { test } from 'node:test';

const MODULE = new URL('../../src/lib/thread-priority.js', import.meta.url).href;
const STEPS = 3;

/** Tells the priorities of the process' threads, the first one's first. */
const SCRIPT = `
  import { readdirSync } from 'node:fs';
  import { getPriority } from 'node:os';
  import { lowerHelperThreads } from ${JSON.stringify(MODULE)};
  const ids = readdirSync('/proc/self/task').map(Number);
  lowerHelperThreads(${STEPS});
  console.log(JSON.stringify(ids.sort((id) => (id === process.pid ? -1 : 1)).map((id) => getPriority(id))));
`;

void test(
  'the helpers of Node.js come after the thread that lowers them, which stays where it is',
  { skip: process.platform !== 'linux' },
  () => {
    const told = execFileSync(process.execPath, ['--input-type=module', '--eval', SCRIPT], { encoding: 'utf8' });
    const [first, ...helpers]: readonly number[] = JSON.parse(told);
    assert.equal(first, getPriority());
    assert.ok(helpers.length > 0);
    assert.ok(helpers.every((priority) => priority === Math.min(getPriority() + STEPS, 19)));
  },
);
