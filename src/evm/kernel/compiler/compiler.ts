// Compiles blocks that have run often to WebAssembly: the traces that begin with them are functions in the kernel's table, by which
// the interpreter runs them from then on. Runs on publisher and estimators.
//
// Gain and price: see ../README.md, "Compiled blocks".
import { LIMITS } from '../../../limits.js';
import { wasm, type WasmMemory, type WasmTable } from '../../../lib/wasm.js';
import { CodeReader, setRuns } from './code-reader.js';
import { traceModule } from './trace-module.js';
import type { Places } from './trace-writer.js';
import { Traces } from './traces.js';

/** What of a kernel a compiler reads and writes. */
export interface CompilableKernel {
  readonly layout: Places & Readonly<Record<'HOT_CODE' | 'HOT_BLOCK', number>>;
  readonly u32: Uint32Array;
  readonly memory: WasmMemory;
  readonly table: WasmTable;
  /** Its functions. */
  readonly run: object;
  /** Counts how often codes were forgotten. */
  readonly generation: number;
}

/** Places by which the table grows beyond what is needed. */
const PLACES_MORE = 64;

/** When blocks are compiled. */
export interface CompileBounds {
  /** Runs of a block after which it is, and with it others of its code: */
  readonly runs: number;
  /** Those that have had so many. */
  readonly runsMin: number;
  /** Share of the time that is spent on it at most. */
  readonly timeShare: number;
  /** Bytes of WebAssembly that are kept, and how long, full, until all are dropped. */
  readonly bytesMax: number;
  readonly keptMs: number;
}

/** As the program compiles. */
export const COMPILE_BOUNDS: CompileBounds = {
  runs: LIMITS.compiledRuns,
  runsMin: LIMITS.compiledRunsMin,
  timeShare: LIMITS.compileTimeShare,
  bytesMax: LIMITS.compiledBytesMax,
  keptMs: LIMITS.compiledKeptMs,
};

/** That of one kernel. */
export class Compiler {
  readonly #kernel: CompilableKernel;
  readonly #bounds: CompileBounds;
  /** Of the codes whose blocks these are: the first block of each trace, in the order of the table. */
  #generation = 0;
  #heads: number[] = [];
  #bytes = 0;
  #begunMs = 0;
  /** When it may compile again. */
  #restedMs = 0;

  constructor(kernel: CompilableKernel, bounds: CompileBounds) {
    this.#kernel = kernel;
    this.#bounds = bounds;
  }

  /**
   * Compiles the block that has become hot and others of its code, as far as there is room and memory; answers how many traces.
   * Where it is too soon, or all is full, the block counts its runs from the least on.
   */
  compile(): number {
    const { u32, layout } = this.#kernel;
    const block = u32[layout.HOT_BLOCK >>> 2]!;
    const beganMs = performance.now();
    if (beganMs >= this.#restedMs) this.#makeRoom(beganMs);
    if (beganMs < this.#restedMs || this.#isFull) {
      setRuns(u32, block, this.#bounds.runsMin);
      return 0;
    }
    const count = this.#compile(new CodeReader(u32, u32[layout.HOT_CODE >>> 2]!), block);
    const endedMs = performance.now();
    this.#restedMs = endedMs + (endedMs - beganMs) * (1 / this.#bounds.timeShare - 1);
    return count;
  }

  #compile(code: CodeReader, hot: number): number {
    const headsMax = Math.min(LIMITS.tracesAtOnce, LIMITS.tracesMax - this.#heads.length);
    const traces = new Traces(code, this.#kernel.layout, { runsMin: this.#bounds.runsMin, headsMax });
    traces.add(hot);
    for (const block of code.blocks(LIMITS.compiledLookMax)) {
      if (traces.isFull) break;
      traces.add(block);
    }
    return traces.heads.length > 0 && this.#tryToPut(traces, code) ? traces.heads.length : 0;
  }

  /** False where memory lacks: what is compiled is as much as there can be. */
  #tryToPut(traces: Traces, code: CodeReader): boolean {
    try {
      this.#put(traces, code);
      return true;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#bytes = this.#bounds.bytesMax;
      return false;
    }
  }

  get #isFull(): boolean {
    return this.#bytes >= this.#bounds.bytesMax || this.#heads.length === LIMITS.tracesMax;
  }

  /** Drops what was compiled of codes that the kernel has forgotten, and everything where that has been full for long. */
  #makeRoom(nowMs: number): void {
    const { generation, u32 } = this.#kernel;
    const isForgotten = generation !== this.#generation;
    if (!isForgotten && !(this.#isFull && nowMs - this.#begunMs >= this.#bounds.keptMs)) return;
    for (const [place, head] of this.#heads.entries()) {
      this.#kernel.table.set(place, null);
      if (!isForgotten) setRuns(u32, head, 0);
    }
    this.#generation = generation;
    this.#heads = [];
    this.#bytes = 0;
    this.#begunMs = nowMs;
  }

  #put({ heads, functions }: Traces, code: CodeReader): void {
    const { table, memory, run } = this.#kernel;
    const firstPlace = this.#heads.length;
    const lacking = firstPlace + heads.length - table.length;
    if (lacking > 0) table.grow(lacking + PLACES_MORE);
    const bytes = traceModule({ count: heads.length, functions, firstPlace });
    void new wasm.Instance(new wasm.Module(bytes), { kernel: { ...run, memory, table } });
    for (const [i, head] of heads.entries()) code.setPlace(head, firstPlace + i);
    this.#heads.push(...heads);
    this.#bytes += bytes.length;
  }
}
