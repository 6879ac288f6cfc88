// Runs every attack briefly, one after the other, on one program: no other client is refused or gets a wrong response,
// memory stays within limits, and at the end the program is as it was. `npm run attack` measures times, for longer.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { LIMITS } from '../../src/limits/index.js';
import { Server } from '../support/server.js';
import { KINDS } from './honest-client.js';
import { ATTACKS } from './attacks.js';
import { runAttack, residentMiB } from './trial.js';

const ATTACK_MS = process.env['HEAVY'] === undefined ? 250 : 700;
const REST_MS = 50;
/**
 * How much memory one attack may take, and all may leave behind: as many bodies and responses as are allowed at a time.
 */
const MEMORY_MIB_MAX = (LIMITS.bodiesBytesMax + LIMITS.unsentBytesMax + LIMITS.answersBytesMax) / 2 ** 20;

describe('while one client attacks, others', () => {
  let server: Server;
  let startMiB = 0;
  before(async () => {
    server = await Server.start('--dev-traffic', '20', '--workers', '2');
    startMiB = residentMiB(server.process.pid!);
  });
  after(() => server.stop());

  for (const attack of ATTACKS) {
    test(`are answered: ${attack.what}`, async () => {
      const { seen, memory } = await runAttack(server, attack, ATTACK_MS, REST_MS);
      for (const kind of KINDS) {
        const { times, refused, failed } = seen[kind];
        assert.deepEqual({ refused, failed }, { refused: 0, failed: [] }, kind);
        assert.ok(times.length > 0, kind);
      }
      assert.ok(memory.peak - startMiB < MEMORY_MIB_MAX, `${memory.peak} MiB, ${startMiB} at the start`);
    });
  }

  test('see no crash, no killed worker and no error in the log', async () => {
    const text = await server.metrics();
    for (const name of ['worker_crashes', 'worker_kills', 'publisher_restarts']) {
      assert.match(text, new RegExp(`^prestate_${name}_total 0$`, 'm'));
    }
    assert.deepEqual(
      server.log.filter((line) => /"level":[56]0/.test(line)),
      [],
    );
  });
});
