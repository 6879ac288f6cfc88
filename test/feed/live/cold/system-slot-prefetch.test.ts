// Prefetching the slots of future system calls: once for many blocks, again when half of them are used up, and a
// failing node does no harm.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HISTORY_STORAGE_ADDRESS, blockHashSlot } from '../../../../src/chain/block-start-system-contracts.js';
import { SystemSlotPrefetch } from '../../../../src/feed/live/cold/system-slot-prefetch.js';
import { latin1Key } from '../../../../src/lib/bytes/latin1-key.js';
import { LIMITS } from '../../../../src/limits/index.js';
import type { MissingKeys } from '../../../../src/state/views/miss-recording-view.js';
import { UpstreamError } from '../../../../src/upstream/upstream.js';
import { blockEnv } from '../../../support/jobs.js';
import { RULES } from '../chain-maker.js';

const AHEAD = LIMITS.systemSlotsAhead;
const key = ({ address, slot }: MissingKeys['slots'][number]): string => latin1Key(address) + latin1Key(slot);

/** Caches what it is asked to fetch. */
class FakeFetcher {
  readonly resident = new Set<string>();
  reads = 0;
  fails = false;

  hasAll({ slots }: MissingKeys): boolean {
    return slots.every((each) => this.resident.has(key(each)));
  }

  async fetch(_needs: MissingKeys, { slots }: MissingKeys): Promise<boolean> {
    this.reads++;
    if (this.fails) throw new UpstreamError('unreachable', 'gone');
    for (const each of slots) this.resident.add(key(each));
    return true;
  }
}

/** Follows blocks one after the other, two seconds apart. */
async function follow(ahead: SystemSlotPrefetch, from: number, to: number): Promise<void> {
  for (let number = from; number <= to; number++) {
    ahead.after(blockEnv({ number, timestamp: BigInt(1_700_000_000 + 2 * number) }));
    await new Promise(setImmediate);
  }
}

test('slots are prefetched for many blocks at once, and again once half of them are used', async () => {
  const fetcher = new FakeFetcher();
  const ahead = new SystemSlotPrefetch(fetcher, RULES);
  await follow(ahead, 100, 100);
  assert.equal(fetcher.reads, 1);
  for (const number of [101, 100 + AHEAD - 1])
    assert.ok(
      fetcher.hasAll({ accounts: [], slots: [{ address: HISTORY_STORAGE_ADDRESS, slot: blockHashSlot(number) }] }),
    );
  // Timestamps advance twice as fast as block numbers.
  await follow(ahead, 101, 100 + AHEAD / 4);
  assert.equal(fetcher.reads, 1);
  await follow(ahead, 101 + AHEAD / 4, 101 + AHEAD / 4);
  assert.equal(fetcher.reads, 2);
});

test('one prefetch runs at a time, and a failed one is tried again with the next block', async () => {
  const fetcher = new FakeFetcher();
  const ahead = new SystemSlotPrefetch(fetcher, RULES);
  fetcher.fails = true;
  const env = blockEnv({ number: 100, timestamp: 1_700_000_000n });
  ahead.after(env);
  ahead.after(env);
  assert.equal(fetcher.reads, 1);
  await new Promise(setImmediate);
  fetcher.fails = false;
  ahead.after(env);
  assert.equal(fetcher.reads, 2);
  assert.ok(fetcher.resident.size > 0);
});
