// The meaning of a message of the stream for a replica that stands somewhere: decided here, carried out in replica.ts. Pure. Runs on the
// publisher.
import type { Message } from '../messages/message.js';

/** The newest version here, by the executor's numbers. */
export interface Position {
  readonly epoch: number;
  readonly version: number;
}

/** Position of a replica in the stream. */
export interface StreamPosition extends Position {
  /** Sequence of the last message that was applied or passed over as a whole. */
  readonly sequence: number;
}

/** `passed`: it is here already. `anew`: nothing here goes on. `gap`: something is missing before it. */
export type Decision =
  | { readonly kind: 'apply' }
  | { readonly kind: 'continue' }
  | { readonly kind: 'passed' }
  | { readonly kind: 'anew' }
  | { readonly kind: 'gap'; readonly expected: number };

/** A version is applied on the one before it in the same epoch, and on nothing else. */
export function decide({ epoch, version }: Position, message: Message): Decision {
  if (message.kind === 'epoch') {
    if (!message.continues) return { kind: 'anew' };
    return message.version === version ? { kind: 'continue' } : { kind: 'gap', expected: version };
  }
  if (message.epoch === epoch && message.version === version + 1) return { kind: 'apply' };
  if (message.epoch === epoch && message.version <= version) return { kind: 'passed' };
  return { kind: 'gap', expected: version + 1 };
}
