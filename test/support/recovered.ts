// Senders that are already recovered. Runs in tests only.
import type { Recovery, Sender } from '../../src/transaction/sender.js';

export function recovered(senders: readonly (Sender | null)[]): Recovery {
  return { at: (index) => senders[index]! };
}
