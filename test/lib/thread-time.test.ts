// The time for which a thread has had a processor. Runs on main.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openThreadTime } from '../../src/lib/thread-time.js';
import { until } from '../support/patience.js';

void test(
  'a thread that computes uses time, and never less than before',
  { skip: process.platform !== 'linux' },
  async () => {
    const threadMs = openThreadTime();
    const begun = threadMs();
    assert.ok(begun > 0);
    let last = begun;
    await until(() => {
      for (let i = 0, x = 0; i < 1e6; i++) x += i;
      const now = threadMs();
      assert.ok(now >= last);
      last = now;
      return now > begun + 1;
    });
  },
);
