// Long answers go on one in a turn, in their order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SendTurns } from '../../src/http/send-turns.js';

void test('one goes on in each turn, and one that has more to send stands behind the others', async () => {
  const turns = new SendTurns();
  const sent: string[] = [];
  const goOn = (name: string, stretches: number): void => {
    turns.later(() => {
      sent.push(name);
      if (stretches > 1) goOn(name, stretches - 1);
    });
  };
  goOn('a', 3);
  goOn('b', 1);
  goOn('c', 2);
  const seen: string[] = [];
  for (let turn = 0; turn < 8; turn++) {
    await nextTurn();
    assert.ok(sent.length <= seen.length + 1, `${sent.length - seen.length} in a turn`);
    seen.splice(0, seen.length, ...sent);
  }
  assert.equal(sent.join(''), 'abcaca');
});
