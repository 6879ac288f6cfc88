// The unchanged program with tables that are copied and evicted after every publication. RESTLESS=1 runs all of its
// tests like this.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Server, metric } from '../support/server.js';
import { until } from '../support/patience.js';

process.env['RESTLESS'] = '1';

test('the program keeps serving while tables are copied all the time', async () => {
  const server = await Server.start('--dev-traffic', '20');
  try {
    await until(async () => (await metric(server, 'table_generation')) > 3, 'the table was copied three times');
    assert.equal(await server.result('eth_chainId'), '0x7a69');
  } finally {
    assert.equal(await server.stop(), 0);
  }
});
