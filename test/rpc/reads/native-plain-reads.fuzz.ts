// Random bodies and tables: the addon responds to plain reads byte for byte like the service, and reads the same values
// as a snapshot.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadPlainReads } from '../../../src/rpc/reads/native-plain-reads.js';
import { findDifferingBody, findDifferingValue } from './find-difference.js';
import { rounds } from '../../support/rounds.js';

const SEED = 20_261_122;
const TABLES = rounds(20);

const { open, reason } = loadPlainReads(1000);

void describe('plain reads', { skip: reason === 'addon' ? false : reason }, () => {
  void it('are answered byte for byte as by the service', async () => {
    const { tried, plain, batches, runs, difference } = await findDifferingBody(open, TABLES, SEED);
    assert.equal(difference, null);
    // Guards against a generator that degenerates into one kind of body.
    assert.ok(
      plain > tried / 8 && plain < (tried * 3) / 4 && batches > tried / 20 && runs > tried / 20,
      `${plain} plain, ${batches} batches, ${runs} runs of ${tried}`,
    );
  });

  void it('read every key at every version as a snapshot does', () => {
    const { tried, plain, difference } = findDifferingValue(open, TABLES, SEED);
    assert.equal(difference, null);
    assert.ok(plain > tried / 2 && plain < tried, `${plain} of ${tried} read`);
  });
});
