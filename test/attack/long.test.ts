// A client that sends as fast as it can for longer than the watchdog's timeout: the program survives, and others get
// responses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../../src/limits/index.js';
import { Server } from '../support/server.js';
import { KINDS } from './honest-client.js';
import { ATTACKS } from './attacks.js';
import { runAttack } from './trial.js';

const LIGHT = process.env['HEAVY'] === undefined && 'takes minutes; HEAVY=1 runs it';
/** Longer than the main thread may be silent before the watchdog ends the process. */
const ATTACK_MS = LIMITS.mainSilentChecksMax * LIMITS.watchdogCheckMs + 10_000;

for (const name of ['pipeline', 'messages', 'tiny-chunks', 'many-pipelines']) {
  void test(
    `others are answered, and the program survives, after ${ATTACK_MS / 1000} s of ${name}`,
    { skip: LIGHT },
    async (t) => {
      const server = await Server.start('--dev-traffic', '20', '--workers', '2');
      t.after(() => server.stop());
      const { seen } = await runAttack(
        server,
        ATTACKS.find((attack) => attack.name === name)!,
        ATTACK_MS,
        1000,
      );
      for (const kind of KINDS) {
        const { times, refused, failed } = seen[kind];
        assert.deepEqual({ refused, failed }, { refused: 0, failed: [] }, kind);
        assert.ok(times.length > 1000, `${times.length} answers`);
      }
      assert.equal(server.process.exitCode, null);
    },
  );
}
