// The execution time of the current block or increment: measured, bounded, interrupted for what arrives meanwhile, and
// cut short if a newer one supersedes it.
import { whenReady, tryNow } from '../../../lib/threads/sync-or-async.js';
import { DeadlineError } from '../../../execution/deadline-error.js';
import { LIMITS } from '../../../limits/index.js';
import type { LiveCounts } from '../../counts.js';
import { taskName, type Executing } from '../../status.js';

/** Work to be executed: a confirmed block, or an increment of one that is not (or its opening). */
export type ExecutionTask =
  | { readonly kind: 'block'; readonly block: number; readonly hash: Uint8Array }
  | { readonly kind: 'increment'; readonly block: number };

/**
 * Thrown if a task is abandoned. `late`: it takes longer than its bound. `superseded`: it takes longer than expected
 * and is no longer needed.
 */
export class ExecutionAborted extends Error {
  readonly kind: 'late' | 'superseded';

  constructor(kind: ExecutionAborted['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Execution time in milliseconds: expected, and allowed. */
export interface TimeBounds {
  readonly ms: number;
  readonly msMax: number;
}

/** What execution time is measured with. */
export interface ExecutionTimeDeps {
  readonly counts: LiveCounts;
  /** A task starts or has ended. */
  readonly onChange: () => void;
  /** Milliseconds of a clock that never goes back; `performance.now` by default. */
  readonly now?: () => number;
  /** Resolves in a later tick of the event loop; `setImmediate` by default. */
  readonly yieldTick?: () => Promise<void>;
  /** LIMITS by default. */
  readonly bounds?: Readonly<Record<ExecutionTask['kind'], TimeBounds>>;
}

/** Runs transactions until its deadline, a time of `performance.now()`. */
interface Interruptible {
  deadline: number;
}

interface Running {
  readonly task: ExecutionTask;
  executedMs: number;
  /** Why it is no longer needed. */
  supersededBy: string | null;
}

const BOUNDS: Readonly<Record<ExecutionTask['kind'], TimeBounds>> = {
  block: { ms: LIMITS.blockMs, msMax: LIMITS.blockMsMax },
  increment: { ms: LIMITS.incrementMs, msMax: LIMITS.incrementMsMax },
};

/**
 * One task at a time. Waiting for the upstream node does not count. A task within its expected time is always finished,
 * so that heads which keep replacing each other cannot stop progress.
 */
export class ExecutionTime {
  readonly #deps: Required<ExecutionTimeDeps>;
  readonly #newestMs: Record<ExecutionTask['kind'], number> = { block: 0, increment: 0 };
  #running: Running | null = null;
  #yieldedAtMs = 0;

  constructor(deps: ExecutionTimeDeps) {
    this.#deps = { now: () => performance.now(), yieldTick: nextTick, bounds: BOUNDS, ...deps };
  }

  /** The current task; `null`: none. */
  get task(): ExecutionTask | null {
    return this.#running?.task ?? null;
  }

  /** The current task for main, with the milliseconds of execution so far. */
  get executing(): Executing | null {
    if (this.#running === null) return null;
    const { task, executedMs } = this.#running;
    return { kind: task.kind, block: task.block, executedMs };
  }

  /** Milliseconds that the newest block and increment took. */
  get newestMs(): Readonly<Record<ExecutionTask['kind'], number>> {
    return { ...this.#newestMs };
  }

  /**
   * Executes a task, of which main is notified before it starts: it may keep this thread busy. Rejects with
   * ExecutionAborted.
   */
  async during<T>(task: ExecutionTask, execute: () => Promise<T>): Promise<T> {
    const { onChange, counts, now } = this.#deps;
    this.#running = { task, executedMs: 0, supersededBy: null };
    this.#yieldedAtMs = now();
    onChange();
    try {
      return await execute();
    } catch (error) {
      if (error instanceof ExecutionAborted) counts[ABORTED_COUNT[task.kind]]++;
      throw error;
    } finally {
      this.#end(this.#running);
      onChange();
    }
  }

  /** Runs a step of the task, which `executor` interrupts when time is up. Rejects with ExecutionAborted then. */
  step<T>(executor: Interruptible, run: () => T | Promise<T>): T | Promise<T> {
    const { now } = this.#deps;
    this.#check();
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
    return whenReady(tryNow(run, failed), (result) => {
      end();
      return result;
    });
  }

  /** Between two steps: yields to the event loop; `null` if it has yielded recently. */
  pause(): Promise<void> | null {
    return this.#deps.now() - this.#yieldedAtMs < LIMITS.executionYieldMs ? null : this.#yieldTick();
  }

  async #yieldTick(): Promise<void> {
    const { now, yieldTick } = this.#deps;
    await yieldTick();
    this.#yieldedAtMs = now();
  }

  /** The current task is no longer needed. `by`: the reason, for the operator. */
  supersede(by: string): void {
    if (this.#running !== null) this.#running.supersededBy ??= by;
  }

  /** Infinity if there is no task. */
  get #leftMs(): number {
    if (this.#running === null) return Infinity;
    const { task, executedMs, supersededBy } = this.#running;
    const { ms, msMax } = this.#deps.bounds[task.kind];
    return (supersededBy === null ? msMax : ms) - executedMs;
  }

  #check(): void {
    if (this.#leftMs <= 0) throw this.#aborted();
  }

  #aborted(): ExecutionAborted {
    const { task, supersededBy } = this.#running!;
    if (supersededBy !== null)
      return new ExecutionAborted('superseded', `${taskName(task)} is given up: ${supersededBy}`);
    const { msMax } = this.#deps.bounds[task.kind];
    return new ExecutionAborted('late', `${taskName(task)} takes longer than ${msMax} ms to execute`);
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

function nextTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
