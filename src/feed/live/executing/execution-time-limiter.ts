// Measures and limits the execution time of the current block or increment. Yields to the event loop between steps, so
// that the thread can process messages, and aborts an execution that is no longer needed.
import { setImmediate } from 'node:timers/promises';
import { whenReady, catchNow } from '../../../lib/threads/sync-or-async.js';
import { DeadlineError } from '../../../execution/deadline-error.js';
import { LIMITS } from '../../../limits/index.js';
import type { LiveFeedCounters } from '../../live-feed-counters.js';
import { executionTaskName, type CurrentExecution } from '../../live-status.js';

/** One execution: of a canonical block, or of an increment of a pre-confirmed block. */
export type ExecutionTask =
  | { readonly kind: 'block'; readonly block: number; readonly hash: Uint8Array }
  | { readonly kind: 'increment'; readonly block: number };

/** Thrown when an execution is aborted. `late`: it exceeds its limit. `superseded`: it is slow and no longer needed. */
export class ExecutionAborted extends Error {
  readonly kind: 'late' | 'superseded';

  constructor(kind: ExecutionAborted['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Expected (`ms`) and longest allowed (`msMax`) execution time in milliseconds. */
interface ExecutionTimeBounds {
  readonly ms: number;
  readonly msMax: number;
}

export interface ExecutionTimeLimiterDeps {
  readonly counts: LiveFeedCounters;
  /** Called when an execution of this kind starts and when it ends. */
  readonly onChange: (kind: ExecutionTask['kind']) => void;
  /** Returns monotonic milliseconds; by default `performance.now`. */
  readonly now?: () => number;
  /** Resolves in a later event-loop tick; by default `setImmediate`. */
  readonly yieldTick?: () => Promise<void>;
  /** Bounds of the execution time; by default those in LIMITS. */
  readonly bounds?: Readonly<Record<ExecutionTask['kind'], ExecutionTimeBounds>>;
}

/** An executor that stops at a deadline, which is a time of `performance.now()`. */
interface Interruptible {
  deadline: number;
}

interface Running {
  readonly task: ExecutionTask;
  executedMs: number;
  /** Why the execution is no longer needed; `null` while it is. */
  supersededBy: string | null;
}

const BOUNDS: Readonly<Record<ExecutionTask['kind'], ExecutionTimeBounds>> = {
  block: { ms: LIMITS.blockMs, msMax: LIMITS.blockMsMax },
  increment: { ms: LIMITS.incrementMs, msMax: LIMITS.incrementMsMax },
};

/**
 * Controls one execution at a time. Time spent waiting for the upstream node does not count. An execution within its
 * expected time is never aborted; otherwise heads that keep replacing each other could stop all progress.
 */
export class ExecutionTimeLimiter {
  readonly #deps: Required<ExecutionTimeLimiterDeps>;
  readonly #newestMs: Record<ExecutionTask['kind'], number> = { block: 0, increment: 0 };
  #running: Running | null = null;
  #yieldedAtMs = 0;

  constructor(deps: ExecutionTimeLimiterDeps) {
    this.#deps = { now: () => performance.now(), yieldTick: setImmediate, bounds: BOUNDS, ...deps };
  }

  /** The current execution; `null` if there is none. */
  get task(): ExecutionTask | null {
    return this.#running?.task ?? null;
  }

  /** The current execution as it is reported to the main thread, with the milliseconds for which it has run. */
  get executing(): CurrentExecution | null {
    if (this.#running === null) return null;
    const { task, executedMs } = this.#running;
    return { kind: task.kind, block: task.block, executedMs };
  }

  /** Milliseconds of execution time of the newest block and of the newest increment. */
  get newestMs(): Readonly<Record<ExecutionTask['kind'], number>> {
    return { ...this.#newestMs };
  }

  /**
   * Runs an execution. The main thread is notified first, because the execution may keep this thread busy. Rejects with
   * ExecutionAborted.
   */
  async during<T>(task: ExecutionTask, execute: () => Promise<T>): Promise<T> {
    const { onChange, counts, now } = this.#deps;
    this.#running = { task, executedMs: 0, supersededBy: null };
    this.#yieldedAtMs = now();
    onChange(task.kind);
    try {
      return await execute();
    } catch (error) {
      if (error instanceof ExecutionAborted) counts[ABORTED_COUNT[task.kind]]++;
      throw error;
    } finally {
      this.#end(this.#running);
      onChange(task.kind);
    }
  }

  /**
   * Runs one step of the current execution. When the execution's time is used up, `executor` stops and this function
   * rejects with ExecutionAborted.
   */
  step<T>(executor: Interruptible, run: () => T | Promise<T>): T | Promise<T> {
    const { now } = this.#deps;
    if (this.#leftMs <= 0) throw this.#aborted();
    const startedMs = now();
    executor.deadline = performance.now() + this.#leftMs;
    const end = (): void => {
      executor.deadline = Infinity;
      if (this.#running !== null) this.#running.executedMs += now() - startedMs;
    };
    const failed = (error: unknown): never => {
      end();
      throw error instanceof DeadlineError ? this.#aborted() : error;
    };
    return whenReady(catchNow(run, failed), (result) => {
      end();
      return result;
    });
  }

  /** Called between two steps. Yields to the event loop; returns `null` if it has yielded recently. */
  pause(): Promise<void> | null {
    return this.#deps.now() - this.#yieldedAtMs < LIMITS.executionYieldMs ? null : this.#yieldTick();
  }

  async #yieldTick(): Promise<void> {
    const { now, yieldTick } = this.#deps;
    await yieldTick();
    this.#yieldedAtMs = now();
  }

  /** Records that the current execution is no longer needed. `by` is the reason for the operator. */
  supersede(by: string): void {
    if (this.#running !== null) this.#running.supersededBy ??= by;
  }

  /** Milliseconds left for the current execution; Infinity if there is none. */
  get #leftMs(): number {
    if (this.#running === null) return Infinity;
    const { task, executedMs, supersededBy } = this.#running;
    const { ms, msMax } = this.#deps.bounds[task.kind];
    return (supersededBy === null ? msMax : ms) - executedMs;
  }

  #aborted(): ExecutionAborted {
    const { task, supersededBy } = this.#running!;
    if (supersededBy !== null)
      return new ExecutionAborted('superseded', `${executionTaskName(task)} is given up: ${supersededBy}`);
    const { msMax } = this.#deps.bounds[task.kind];
    return new ExecutionAborted('late', `${executionTaskName(task)} takes longer than ${msMax} ms to execute`);
  }

  #end({ task: { kind }, executedMs }: Running): void {
    const { counts, bounds } = this.#deps;
    this.#running = null;
    this.#newestMs[kind] = executedMs;
    if (executedMs > bounds[kind].ms) counts[SLOW[kind]]++;
  }
}

const SLOW = { block: 'blocksSlow', increment: 'incrementsSlow' } as const;
const ABORTED_COUNT = { block: 'blocksAborted', increment: 'incrementsAborted' } as const;
