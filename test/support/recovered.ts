// Senders that have already been recovered.
import type { SendersBeingRecovered, RecoveredSender } from '../../src/transaction/recover-sender.js';

export function recovered(senders: readonly (RecoveredSender | null)[]): SendersBeingRecovered {
  return { at: (index) => senders[index]! };
}
