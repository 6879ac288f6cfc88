// Senders that have been recovered already. Runs in tests only.
import type { Recovery, Sender } from '../../src/transaction/sender.js';

export function recovered(senders: readonly (Sender | null)[]): Recovery {
  return { at: (index) => senders[index]! };
}
