// Decides what a message of the stream means for a replica at a given position. replica.ts carries it out. Pure.
import type { StreamMessage } from '../messages/stream-message.js';

/** The newest applied state version, by the executor's numbers. */
export interface StreamPosition {
  readonly epoch: number;
  readonly version: number;
  /** Sequence number of the last message that was completely applied or skipped. */
  readonly sequence: number;
}

/** `passed`: the version is already applied. `anew`: the local state cannot continue. `gap`: versions are missing. */
type StreamDecision =
  | { readonly kind: 'apply' }
  | { readonly kind: 'continue' }
  | { readonly kind: 'passed' }
  | { readonly kind: 'anew' }
  | { readonly kind: 'gap'; readonly expected: number };

/**
 * Decides what to do with a message. A state version is applied only directly after its predecessor in the same stream
 * epoch.
 */
export function decideOnStreamMessage(
  { epoch, version }: Omit<StreamPosition, 'sequence'>,
  message: StreamMessage,
): StreamDecision {
  if (message.kind === 'epoch') {
    if (!message.continues) return { kind: 'anew' };
    return message.version === version ? { kind: 'continue' } : { kind: 'gap', expected: version };
  }
  if (message.epoch === epoch && message.version === version + 1) return { kind: 'apply' };
  if (message.epoch === epoch && message.version <= version) return { kind: 'passed' };
  return { kind: 'gap', expected: version + 1 };
}
