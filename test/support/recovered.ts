// Senders that have already been recovered.
import type { SenderRecovery, RecoveredSender } from '../../src/transaction/recover-sender.js';

export function recovered(senders: readonly (RecoveredSender | null)[]): SenderRecovery {
  return { at: (index) => senders[index]! };
}
