// Worker time that a job takes at least, by what it brings along and a worker goes through before it can look at the
// clock. Runs on main.
import { LIMITS } from '../../limits/index.js';
import type { AccountOverride, CallRequest, Job } from '../../transaction/call-request.js';
import type { TracerSpec } from '../../transaction/trace-request.js';

/**
 * Milliseconds of hashing and decoding code, of sealing simulated blocks, and of copying a traced memory at each step.
 */
export function foreseenMs({ call, stateOverride, blocks, simulation, trace }: Job): number {
  let bytes = initcodeBytes(call) + overriddenBytes(stateOverride);
  for (const block of blocks ?? []) {
    bytes += overriddenBytes(block.stateOverride);
    for (const each of block.calls) bytes += initcodeBytes(each);
  }
  const sealingMs = simulation === undefined ? 0 : blocks!.length * LIMITS.simulatedBlockMs;
  const copyingMs = trace !== undefined && copiesMemory(trace.tracer) ? LIMITS.trialMs : 0;
  return bytes / LIMITS.codeBytesPerMs + sealingMs + copyingMs;
}

/** True if a job is foreseen to take too long for the worker with the short ones: it has no trial there. */
export function isForeseenLong(ms: number): boolean {
  return ms > LIMITS.longerJobMs;
}

function initcodeBytes({ to, data }: CallRequest): number {
  return to === null ? data.length : 0;
}

function overriddenBytes(overrides: readonly AccountOverride[]): number {
  return overrides.reduce((sum, { code }) => sum + (code?.length ?? 0), 0);
}

function copiesMemory(tracer: TracerSpec): boolean {
  return tracer.name === 'structLogger' && tracer.enableMemory;
}
