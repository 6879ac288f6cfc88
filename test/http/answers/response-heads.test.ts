// The cached response head equals one that is built from scratch.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createResponseHeads } from '../../../src/http/answers/response-heads.js';

function text(status: 200 | 204 | 429, heads: ReturnType<typeof createResponseHeads>, at: Position | null): string {
  const head = heads[status].at(at);
  assert.ok(head instanceof ArrayBuffer);
  return Buffer.from(head).toString('latin1');
}

interface Position {
  readonly block: number;
  readonly index: number;
  readonly publishedAtMs: number;
}

void test('headers of an answer are right after any sequence of positions and times', () => {
  const small = fc.record({ block: fc.nat(3), index: fc.nat(2), publishedAtMs: fc.nat(3), nowMs: fc.nat(5) });
  fc.assert(
    fc.property(fc.array(small), (steps) => {
      let clockMs = 0;
      const heads = createResponseHeads(10, [['X-Further', 'yes']], {
        nowMs: () => clockMs,
        versionsBehind: () => null,
      });
      for (const { nowMs, ...position } of steps) {
        clockMs = nowMs;
        const lines = text(200, heads, position).split('\r\n');
        assert.deepEqual(lines.slice(-3), [
          `x-block-number: ${position.block}`,
          `x-preconf-index: ${position.index}`,
          `x-snapshot-age-ms: ${Math.max(0, nowMs - position.publishedAtMs)}`,
        ]);
        assert.ok(lines.includes('X-Further: yes'));
      }
    }),
    { seed: 11, numRuns: 300 },
  );
});

void test('the age header has milliseconds of any number of digits while the position does not change', () => {
  let clockMs = 0;
  const heads = createResponseHeads(10, [], { nowMs: () => clockMs, versionsBehind: () => null });
  const at = { block: 1, index: 0, publishedAtMs: 5 };
  for (clockMs of [0, 5, 6, 14, 15, 104, 105, 2004, 1_000_005]) {
    const age = Math.max(0, clockMs - 5);
    assert.ok(text(200, heads, at).endsWith(`\r\nx-preconf-index: 0\r\nx-snapshot-age-ms: ${age}`));
  }
});

void test('each status of an answer has its headers', () => {
  const heads = createResponseHeads(10, [], { nowMs: () => 0, versionsBehind: () => null });
  assert.match(text(200, heads, null), /^200 OK\r\nContent-Type: application\/json\r\nKeep-Alive: timeout=10$/);
  assert.match(text(204, heads, null), /^204 No Content\r\nKeep-Alive: timeout=10$/);
  assert.match(text(429, heads, null), /^429 Too Many Requests\r\nContent-Type: [^\r]*\r\nRetry-After: 1\r\n/);
});

void test('a replica reports how many versions it is behind, or that this is unknown', () => {
  let behind: number | 'unknown' = 3;
  let clockMs = 0;
  const heads = createResponseHeads(10, [], { nowMs: () => clockMs++, versionsBehind: () => behind });
  const at = { block: 1, index: 0, publishedAtMs: 0 };
  assert.match(text(200, heads, at), /\r\nx-versions-behind: 3\r\nx-snapshot-age-ms: 0$/);
  behind = 'unknown';
  assert.match(text(200, heads, at), /\r\nx-versions-behind: unknown\r\nx-snapshot-age-ms: 1$/);
});
