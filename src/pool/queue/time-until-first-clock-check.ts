// Predicts the minimum worker time of a job from its data: the part that is processed before the clock can be checked.
import { LIMITS } from '../../limits/index.js';
import type { AccountOverride, CallRequest, Job } from '../../transaction/evm-job.js';
import type { TracerSpec } from '../../transaction/trace-request-types.js';

/**
 * Returns the milliseconds for hashing and decoding code, sealing simulated blocks, and copying memory at each step of
 * a trace.
 */
export function minimumRunMs({ call, stateOverride, blocks, simulation, trace }: Job): number {
  let bytes = initcodeBytes(call) + overriddenBytes(stateOverride);
  for (const block of blocks ?? []) {
    bytes += overriddenBytes(block.stateOverride);
    for (const each of block.calls) bytes += initcodeBytes(each);
  }
  const sealingMs = simulation === undefined ? 0 : blocks!.length * LIMITS.simulatedBlockMs;
  const copyingMs = trace !== undefined && copiesMemory(trace.tracer) ? LIMITS.trialMs : 0;
  return bytes / LIMITS.codeBytesPerMs + sealingMs + copyingMs;
}

/** True if a job is predicted to take too long for the worker for short jobs, so that it gets no trial run there. */
export function isPredictedLong(ms: number): boolean {
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
