// Compiles blocks that have run often to WebAssembly: the traces that begin with them are functions in the kernel's table, by which
// the interpreter runs them from then on. Runs on publisher and estimators.
//
// Gain and price: see ../README.md, "Compiled blocks".
import { LIMITS } from '../../../limits.js';
import { wasm, type WasmMemory, type WasmTable } from '../../../lib/wasm.js';
import { CodeReader } from './code-reader.js';
import { traceModule } from './trace-module.js';
import type { Places } from './trace-writer.js';
import { Traces } from './traces.js';

/** What of a kernel a compiler reads and writes. */
export interface CompilableKernel {
  readonly layout: Places & Readonly<Record<'HOT_CODE' | 'HOT_BLOCK', number>>;
  readonly u32: Uint32Array;
  readonly memory: WasmMemory;
  readonly table: WasmTable;
  /** Its functions, by their names. */
  readonly functions: object;
  /** Counts how often codes were forgotten. */
  readonly generation: number;
}

/** When blocks are compiled. */
export interface CompileBounds {
  /** Runs of a block after which it is, and with it others of its code: */
  readonly runs: number;
  /** Those that have had so many. */
  readonly runsMin: number;
}

/** As the program compiles. */
export const COMPILE_BOUNDS: CompileBounds = { runs: LIMITS.compiledRuns, runsMin: LIMITS.compiledRunsMin };

/** That of one kernel. */
export class Compiler {
  readonly #kernel: CompilableKernel;
  readonly #bounds: CompileBounds;
  #generation = 0;
  /** Traces in the table, and bytes of their modules. */
  #places = 0;
  #bytes = 0;

  constructor(kernel: CompilableKernel, bounds: CompileBounds) {
    this.#kernel = kernel;
    this.#bounds = bounds;
  }

  /** Compiles the block that has become hot and others of its code, as far as there is room; answers how many traces. */
  compile(): number {
    const { u32, layout, generation } = this.#kernel;
    if (generation !== this.#generation) this.#forget(generation);
    const code = new CodeReader(u32, u32[layout.HOT_CODE >>> 2]!);
    const headsMax = this.#bytes < LIMITS.compiledBytesMax ? this.#room : 0;
    const traces = new Traces(code, layout, { runsMin: this.#bounds.runsMin, headsMax });
    traces.add(u32[layout.HOT_BLOCK >>> 2]!);
    for (const block of code.blocks()) traces.add(block);
    if (traces.heads.length > 0) this.#put(traces, code);
    return traces.heads.length;
  }

  get #room(): number {
    return Math.min(LIMITS.tracesAtOnce, LIMITS.tracesMax - this.#places);
  }

  /** With the codes goes what was compiled of them. */
  #forget(generation: number): void {
    this.#generation = generation;
    for (let place = 0; place < this.#places; place++) this.#kernel.table.set(place, null);
    this.#places = 0;
    this.#bytes = 0;
  }

  #put({ heads, functions }: Traces, code: CodeReader): void {
    const { table, memory, functions: exported } = this.#kernel;
    const firstPlace = this.#places;
    const bytes = traceModule({ count: heads.length, functions, firstPlace });
    this.#places += heads.length;
    this.#bytes += bytes.length;
    if (table.length < this.#places) table.grow(this.#places - table.length + LIMITS.tracesAtOnce);
    void new wasm.Instance(new wasm.Module(bytes), { kernel: { ...exported, memory, table } });
    for (const [i, head] of heads.entries()) code.setPlace(head, firstPlace + i);
  }
}
