// Every test of live chains once more, unchanged, on tables that are copied and cleaned up after every publication.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { RESTLESS } from '../../support/table-settings.js';
import { LiveRig } from './live-rig.js';

LiveRig.table = RESTLESS;
for (const file of ['live.test', 'live.fuzz', 'op-chain.test']) await import(`./${file}.js`);

after(() => assert.ok(LiveRig.evictions > 10, `${LiveRig.evictions} entries were given up`));
