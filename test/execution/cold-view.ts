// State that has to be fetched first, as on a live chain.
import assert from 'node:assert/strict';
import { toHex } from '../../src/lib/bytes/hex.js';
import { StateMiss } from '../../src/state/views/state-miss.js';
import type { StateView } from '../../src/state/views/state-view.js';
import type { JobOutcome } from '../../src/transaction/evm-job.js';

function keyOf(address: Uint8Array, slot: Uint8Array | null): string {
  return toHex(address) + (slot === null ? '' : toHex(slot));
}

/** A view that only has what was requested before. */
export function coldView(view: StateView): { view: StateView; learn: (outcome: JobOutcome) => void } {
  const known = new Set<string>();
  const recorded = <T>(address: Uint8Array, slot: Uint8Array | null, value: T): T => {
    if (!known.has(keyOf(address, slot))) throw new StateMiss(address.slice(), slot === null ? null : slot.slice());
    return value;
  };
  return {
    view: {
      account: (address) => recorded(address, null, view.account(address)),
      storage: (address, slot) => recorded(address, slot, view.storage(address, slot)),
      code: (hash) => view.code(hash),
      blockHash: (number) => view.blockHash(number),
    },
    learn: (outcome) => {
      assert.ok(outcome.kind === 'missing');
      const { accounts, slots } = outcome.missingKeys;
      for (const address of accounts) known.add(keyOf(address, null));
      for (const { address, slot } of slots) known.add(keyOf(address, slot));
    },
  };
}
