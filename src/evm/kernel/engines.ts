// What executes messages in this process: the kernel, the reference, or both. Runs on publisher and estimators.
import type { Applied, Engine, Execution, ExecutionContext, Message, PrecompileMove } from '../engine.js';
import { ReferenceEngine } from '../reference-engine.js';
import type { ForkRules } from '../rules.js';
import type { OverlayState } from '../state-manager.js';
import { KernelBoard, type KernelCounter } from './board.js';
import { KernelEngine } from './kernel-engine.js';
import type { KernelMismatch } from './mismatch.js';
import { isKernelFork } from './rule-table.js';
import { ShadowEngine } from './shadow-engine.js';

/** `shadow`: everything is executed on both engines, compared, and answered by the reference. */
export type KernelMode = 'on' | 'off' | 'shadow';

/** Handed to every thread that executes. */
export interface KernelSettings {
  readonly mode: KernelMode;
  /** Of the process's KernelBoard. */
  readonly board: SharedArrayBuffer;
}

/** Makes an engine for one fork that executes on `state`. */
export type CreateEngine = (rules: ForkRules, state: OverlayState) => Engine;

/** How this thread makes its engines. `report` is told of what differs in shadow mode. */
export function engines(settings: KernelSettings, report: (mismatch: KernelMismatch) => void): CreateEngine {
  const board = new KernelBoard(settings.board);
  switch (settings.mode) {
    case 'off':
      return (rules, state) => new ReferenceEngine({ rules, state });
    case 'on':
      return (rules, state) => createKernel(rules, state, board);
    case 'shadow':
      return (rules, state) => {
        const reference = new ReferenceEngine({ rules, state });
        return new ShadowEngine({ kernel: createKernel(rules, state, board), reference, state, board, report });
      };
  }
}

/** A kernel takes address space, some 10 GB, so there is none for forks that it does not know, nor where none is left. */
function createKernel(rules: ForkRules, state: OverlayState, board: KernelBoard): Engine {
  const instead = (reason: 'fork' | 'memory'): Engine =>
    new CountedEngine(new ReferenceEngine({ rules, state }), ['executions', reason], board);
  if (!isKernelFork(rules)) return instead('fork');
  try {
    return kernelEngine(rules, state, board);
  } catch (error) {
    if (error instanceof RangeError) return instead('memory');
    throw error;
  }
}

function kernelEngine(rules: ForkRules, state: OverlayState, board: KernelBoard): Engine {
  const isDistrusted = (codeHash: Uint8Array): boolean => board.isDistrusted(codeHash);
  const kernel = new KernelEngine({
    rules,
    state,
    onFallback: (reason) => board.add(reason),
    // While all code is trusted, nobody has to find out which code is called.
    get isDistrusted() {
      return board.distrusted === 0 ? undefined : isDistrusted;
    },
  });
  return new CountedEngine(kernel, ['executions'], board);
}

/** Counts what an engine is given. */
class CountedEngine implements Engine {
  private readonly engine: Engine;
  private readonly counters: readonly KernelCounter[];
  private readonly board: KernelBoard;

  constructor(engine: Engine, counters: readonly KernelCounter[], board: KernelBoard) {
    this.engine = engine;
    this.counters = counters;
    this.board = board;
  }

  execute(message: Message, context: ExecutionContext, gasLimit: bigint): Execution | Promise<Execution> {
    this.count();
    return this.engine.execute(message, context, gasLimit);
  }

  apply(message: Message, context: ExecutionContext, gasLimit: bigint): Promise<Applied> {
    this.count();
    return this.engine.apply(message, context, gasLimit);
  }

  isPrecompile(address: Uint8Array, moves: readonly PrecompileMove[]): boolean {
    return this.engine.isPrecompile(address, moves);
  }

  private count(): void {
    for (const counter of this.counters) this.board.add(counter);
  }
}
