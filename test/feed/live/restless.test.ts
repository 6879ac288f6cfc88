// Tests of live chains once more, unchanged, on tables that are copied and cleaned up after every publication. HEAVY=1:
// those of `live.test` too.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { RESTLESS } from '../../support/table-settings.js';
import { LiveRig } from './live-rig.js';

LiveRig.table = RESTLESS;
const ALSO = process.env['HEAVY'] === undefined ? [] : ['live.test'];
for (const file of ['live.fuzz', 'op-chain.test', ...ALSO]) await import(`./${file}.js`);

after(() => assert.ok(LiveRig.evictions > 10, `${LiveRig.evictions} entries were given up`));
