// Selects the traces of one module: the basic blocks with which they start, and those through which they run.
//
// A trace is a sequence of basic blocks along the most frequent path. After a branch it follows the side that has run
// more often; after a jump to a constant target, that target. So stack items stay in variables, and the return address
// of a Solidity function is a constant. A trace ends before a basic block that it already contains, at a jump to an
// unknown target, and at an instruction that is left to the interpreter.
import { LIMITS } from '../../../limits/index.js';
import { ByteSink } from './byte-sink.js';
import type { DecodedCodeReader } from './decoded-code-reader.js';
import { kernelFunctionIndex, KERNEL_FUNCTIONS } from './kernel-functions.js';
import { INLINE_OPERATIONS, continueWithBlock, type TraceContinuation } from './operation-codegen.js';
import { JitTraceCodegen, type PathToBlock } from './jit-trace-writer.js';

/** The traces of a module, to which more can be added. */
export class JitModuleTraces {
  /** First basic block of each trace, in the order of `functions`. */
  readonly heads: number[] = [];
  readonly #code: DecodedCodeReader;
  readonly #runsMin: number;
  readonly #headsMax: number;
  readonly #writer: JitTraceCodegen;
  readonly #functions = new ByteSink();
  /** `#covered`: basic blocks of all traces. `#gone`: basic blocks of the trace that is being written. */
  readonly #covered = new Set<number>();
  #gone = new Set<number>();

  /** `runsMin`: minimum run count of a basic block that starts a trace. `headsMax`: maximum number of traces. */
  constructor(code: DecodedCodeReader, runsMin: number, headsMax: number) {
    this.#code = code;
    this.#runsMin = runsMin;
    this.#headsMax = headsMax;
    this.#writer = new JitTraceCodegen({
      jumps: code.jumps,
      length: code.length,
      destination: (target) => code.destination(target),
      followed: (...blocks) => this.#followed(blocks),
      pathTo: (block) => this.#pathTo(block),
    });
  }

  /** True if no more traces can be started. */
  get isFull(): boolean {
    return this.heads.length === this.#headsMax;
  }

  /** The encoded function bodies of all traces. */
  get functions(): Uint8Array {
    return this.#functions.written;
  }

  /**
   * Adds a trace that starts with this basic block, unless it already is in a trace. Then adds the traces to which the
   * new trace exits.
   */
  add(block: number): void {
    if (this.#covered.has(block)) return;
    const first = this.heads.length;
    this.#pathTo(block);
    for (let i = first; i < this.heads.length; i++) this.#write(this.heads[i]!);
  }

  #pathTo(block: number): PathToBlock {
    const tableIndex = this.#code.tableIndexOf(block);
    if (tableIndex !== null) return { tableIndex };
    const known = this.heads.indexOf(block);
    if (known >= 0) return { index: KERNEL_FUNCTIONS.length + known };
    if (this.isFull || !this.#mayBegin(block)) return null;
    return { index: KERNEL_FUNCTIONS.length + this.heads.push(block) - 1 };
  }

  /**
   * False if the basic block's first instruction is left to the interpreter, so that calling a compiled function would
   * gain nothing.
   */
  #mayBegin(block: number): boolean {
    const first = this.#code.after(block);
    const { name } = this.#code.operationAt(first);
    const isWorthIt = this.#code.isBlock(first) || name in INLINE_OPERATIONS || kernelFunctionIndex(name) !== undefined;
    return isWorthIt && this.#code.runsOf(block) >= this.#runsMin;
  }

  /** Returns which of these basic blocks has run most often, for the trace to continue with. */
  #followed(blocks: readonly number[]): number {
    if (this.#gone.size === LIMITS.traceBlocksMax) return 0;
    let [most, mostRuns] = [0, 0];
    for (const block of blocks) {
      const runs = this.#code.runsOf(block);
      if (runs > mostRuns && !this.#gone.has(block)) [most, mostRuns] = [block, runs];
    }
    return most;
  }

  #write(head: number): void {
    this.#gone = new Set();
    this.#writer.begin();
    for (let next: TraceContinuation = head; typeof next === 'number'; next = this.#writeBlock(next)) {
      this.#gone.add(next);
      this.#writer.enter(next, this.#code.needsOf(next));
    }
    for (const block of this.#gone) this.#covered.add(block);
    this.#writer.code.writeTo(this.#functions);
  }

  #writeBlock(block: number): TraceContinuation {
    let next: TraceContinuation = 'on';
    let at = this.#code.after(block);
    for (; next === 'on'; at = this.#code.after(at)) {
      if (this.#code.isBlock(at)) return continueWithBlock(this.#writer, at);
      next = this.#writer.code.length < LIMITS.traceBytesMax ? this.#writeOperation(at) : 'left';
      if (next === 'left') this.#writer.exit(at);
    }
    return next;
  }

  #writeOperation(at: number): TraceContinuation {
    const instruction = this.#code.instructionAt(at);
    const { operation } = instruction;
    const next = INLINE_OPERATIONS[operation.name]?.(this.#writer, instruction) ?? 'left';
    const index = kernelFunctionIndex(operation.name);
    if (next !== 'left' || index === undefined) return next;
    if (KERNEL_FUNCTIONS[index]!.kind === 'plain') this.#writer.call(index, operation);
    else this.#writer.callPaying(index, operation, at);
    return 'on';
  }
}
