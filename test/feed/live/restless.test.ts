// Unchanged tests of live chains on tables that copy and evict after every publication. HEAVY=1: also those of
// `live.test`.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { RESTLESS } from '../../support/table-settings.js';
import { LiveRig } from './live-rig.js';

LiveRig.table = RESTLESS;
const ALSO = process.env['HEAVY'] === undefined ? [] : ['live.test'];
for (const file of ['live.fuzz', 'op-chain.test', ...ALSO]) await import(`./${file}.js`);

after(() => assert.ok(LiveRig.evictions > 10, `${LiveRig.evictions} entries were given up`));
