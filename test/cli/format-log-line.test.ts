// Log entries formatted for people.
import assert from 'node:assert/strict';
import test from 'node:test';
import { PAINT_PLAIN } from '../../src/cli/terminal-colours.js';
import { formatLogLine } from '../../src/cli/format-log-line.js';

const time = new Date(2026, 0, 2, 3, 4, 5, 6).getTime();

function lineOf(entry: Readonly<Record<string, unknown>>): string {
  return formatLogLine(JSON.stringify({ level: 30, time, pid: 1, hostname: 'h', ...entry }), PAINT_PLAIN);
}

test('a line has time, level, message and fields', () => {
  assert.equal(
    lineOf({ msg: 'listening', host: '::1', port: 1 }),
    `03:04:05.006 INFO  ${'listening'.padEnd(28)} host=::1 port=1`,
  );
  assert.equal(lineOf({ level: 40, msg: 'careful' }), '03:04:05.006 WARN  careful');
  assert.equal(lineOf({ level: 50, msg: 'x', list: [1, null] }), `03:04:05.006 ERROR ${'x'.padEnd(28)} list=[1,null]`);
});

test('a string of several words is quoted', () => {
  assert.match(lineOf({ msg: 'm', reason: 'gone for "good"' }), /reason="gone for \\"good\\""$/);
});

test('the stack of an error is on the lines below', () => {
  const line = lineOf({ msg: 'a call failed', err: { message: 'bug', stack: 'Error: bug\n    at f (x.js:1:2)' } });
  assert.equal(line, '03:04:05.006 INFO  a call failed\n    Error: bug\n    at f (x.js:1:2)');
});

test('control characters from clients are escaped', () => {
  const line = lineOf({ msg: '\u001b[2J\nline', methods: '\u001b]0;title\u0007', err: { message: '\u001b[31m' } });
  // oxlint-disable-next-line no-control-regex -- that there are none is what is tested
  assert.doesNotMatch(line.replaceAll('\n    ', ''), /[\u0000-\u001f\u007f-\u009f]/);
});
