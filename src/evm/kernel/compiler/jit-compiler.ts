// Compiles basic blocks that have run often to WebAssembly. The trace that starts with such a basic block (see
// select-jit-traces.ts) becomes a function in the kernel's WebAssembly table, which the interpreter then calls.
//
// ../README.md, "Compiled blocks", describes how much faster that is, and what it costs.

// Code is compiled at run time, path by path, with stack items in variables ([the
// kernel](evm/kernel/README.md#compiled-blocks)). See DECISIONS.md.
import { LIMITS } from '../../../limits/index.js';
import { wasm } from '../../../lib/bytes/wasm-types.js';
import { HOT_BASIC_BLOCK_ADDRESS, HOT_BASIC_BLOCK_CODE_ENTRY } from '../assembly/shared/memory-layout.js';
import type { Kernel } from '../kernel.js';
import { DecodedCodeReader, setBlockRunCount } from './decoded-code-reader.js';
import { encodeJitModule } from './jit-module.js';
import { JitModuleTraces } from './select-jit-traces.js';

/**
 * Memory that V8 needs, in bytes: CODE_SHARE for each byte of WebAssembly code, MODULE_BYTES for each module and its
 * one instance, and PLACE_BYTES for each slot of the table that all instances import. Measured on Node 20, where each
 * instance has its own copy of the table. Later versions need less.
 */
const CODE_SHARE = 4;
const MODULE_BYTES = 64 * 1024;
const PLACE_BYTES = 40;

/** Number of unused slots that are added when the table grows. */
const PLACES_MORE = 64;

/** When to compile, and how much. */
export interface JitBounds {
  /** Run count at which a basic block is compiled, together with other basic blocks of its code. */
  readonly runs: number;
  /** Minimum run count of the other basic blocks that are compiled together with the one that has reached `runs`. */
  readonly runsMin: number;
  /** Largest share of a thread's time that may be spent on compiling. */
  readonly timeShare: number;
  /** Maximum number of bytes that V8 may need for compiled code. */
  readonly bytesMax: number;
  /** Minimum time between two occasions on which all compiled code is dropped because there is too much of it. */
  readonly keptMs: number;
}

/** Default bounds. */
export const JIT_BOUNDS: JitBounds = {
  runs: LIMITS.compiledRuns,
  runsMin: LIMITS.compiledRunsMin,
  timeShare: LIMITS.compileTimeShare,
  bytesMax: LIMITS.compiledBytesMax,
  keptMs: LIMITS.compiledKeptMs,
};

/** Compiles the code of one kernel. */
export class JitCompiler {
  readonly #kernel: Kernel;
  readonly #bounds: JitBounds;
  /** Number of times that the kernel had dropped all contract codes when the current functions were compiled. */
  #generation = 0;
  /** First basic block of each compiled trace. Its index is that of the trace's function in the WebAssembly table. */
  #heads: number[] = [];
  #modules = 0;
  #codeBytes = 0;
  /** Set when memory ran out. From then on, nothing is compiled. */
  #hasLacked = false;
  /** Memory of dropped functions that the garbage collector may not have freed yet. */
  #droppedBytes = 0;
  #startedMs = 0;
  /** Time before which nothing is compiled, so that compiling does not take more than its share of time. */
  #restedMs = 0;

  constructor(kernel: Kernel, bounds: JitBounds) {
    this.#kernel = kernel;
    this.#bounds = bounds;
  }

  /** Approximate bytes that V8 needs for everything compiled so far. */
  get keptBytes(): number {
    return this.#bytes + this.#droppedBytes;
  }

  /**
   * Compiles the hot basic block and other basic blocks of its code, within the bounds of traces and memory. Returns
   * the number of traces. If it is too early to compile again, or everything is full, only resets the basic block's run
   * count.
   */
  compile(): number {
    const { u32 } = this.#kernel;
    const block = u32[HOT_BASIC_BLOCK_ADDRESS >>> 2]!;
    const startedMs = performance.now();
    if (startedMs >= this.#restedMs) this.#evict(startedMs);
    if (startedMs < this.#restedMs || this.#isFull) {
      setBlockRunCount(u32, block, this.#bounds.runsMin);
      return 0;
    }
    const count = this.#compile(new DecodedCodeReader(u32, u32[HOT_BASIC_BLOCK_CODE_ENTRY >>> 2]!), block);
    const endedMs = performance.now();
    this.#restedMs = endedMs + (endedMs - startedMs) * (1 / this.#bounds.timeShare - 1);
    return count;
  }

  #compile(code: DecodedCodeReader, hot: number): number {
    const headsMax = Math.min(LIMITS.tracesAtOnce, LIMITS.tracesMax - this.#heads.length);
    const traces = new JitModuleTraces(code, this.#bounds.runsMin, headsMax);
    traces.add(hot);
    for (const block of code.blocks(LIMITS.compiledScanMax)) {
      if (traces.isFull) break;
      traces.add(block);
    }
    return traces.heads.length > 0 && this.#tryToPut(traces, code) ? traces.heads.length : 0;
  }

  /** Adds compiled traces to the table. Returns false if memory ran out. */
  #tryToPut(traces: JitModuleTraces, code: DecodedCodeReader): boolean {
    try {
      this.#put(traces, code);
      return true;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#hasLacked = true;
      return false;
    }
  }

  get #isFull(): boolean {
    return this.#hasLacked || this.#bytes >= this.#bounds.bytesMax || this.#heads.length === LIMITS.tracesMax;
  }

  get #bytes(): number {
    return CODE_SHARE * this.#codeBytes + this.#modules * (MODULE_BYTES + PLACE_BYTES * this.#kernel.table.length);
  }

  /**
   * Drops all traces if the kernel has dropped its codes, or if there are too many traces and the last drop is long
   * ago.
   */
  #evict(nowMs: number): void {
    const { generation, u32 } = this.#kernel;
    const isForgotten = generation !== this.#generation;
    if (!isForgotten && !(this.#isFull && nowMs - this.#startedMs >= this.#bounds.keptMs)) return;
    for (const [tableIndex, head] of this.#heads.entries()) {
      this.#kernel.table.set(tableIndex, null);
      if (!isForgotten) setBlockRunCount(u32, head, 0);
    }
    this.#droppedBytes += this.#bytes;
    this.#generation = generation;
    this.#heads = [];
    this.#modules = 0;
    this.#codeBytes = 0;
    this.#hasLacked = false;
    this.#startedMs = nowMs;
  }

  #put({ heads, functions }: JitModuleTraces, code: DecodedCodeReader): void {
    const { table, memory, run } = this.#kernel;
    const firstTableIndex = this.#heads.length;
    const missing = firstTableIndex + heads.length - table.length;
    if (missing > 0) table.grow(missing + PLACES_MORE);
    const bytes = encodeJitModule(heads.length, functions, firstTableIndex);
    void new wasm.Instance(new wasm.Module(bytes), { kernel: { ...run, memory, table } });
    for (const [i, head] of heads.entries()) code.setTableIndex(head, firstTableIndex + i);
    this.#heads.push(...heads);
    this.#codeBytes += bytes.length;
    this.#modules++;
  }
}
