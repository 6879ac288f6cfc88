// The library's EVM with a deadline, and with the precompiles of one set.
// oxlint-disable no-underscore-dangle -- the names are @ethereumjs/evm's
import { EVM, EVMError, type EVMResult, type ExecResult } from '@ethereumjs/evm';
import { LIMITS } from '../../limits/index.js';
import { OPCODES } from '../opcodes.table.js';
import { chargeGasFirst } from '../precompiles/pairing-gas.js';
import { PrecompileTimePredictor } from '../precompiles/precompile-time.js';
import type { PrecompileSet } from '../precompiles/precompile-set.js';

/** Thrown through the library's frames after the deadline: it passes on any error that is not an EVMError. */
export class DeadlinePassed extends Error {}

/** The library's options for creating an EVM, except those that the set of precompiles provides. */
export type EvmOptions = Omit<NonNullable<ConstructorParameters<typeof EVM>[0]>, 'bn254' | 'bls'>;
/** The function by which the library executes an instruction. */
export type OpHandler = EVM['_opcodeMap'][number]['opHandler'];
type Precompile = EVM['_precompiles'] extends Map<string, infer T> ? T : never;

const { REVERT, BLS_12_381_POINT_NOT_ON_CURVE: REFUSED_INPUT } = EVMError.errorMessages;
const JUMP = 0x56;
const JUMPI = 0x57;
/** Instructions that process as much memory as operands say: hashes, copies, logs. Calls are frames instead. */
const BY_LENGTH = new Set(
  OPCODES.filter(({ memory, ends }) => ends === null && memory.some((range) => 'length' in range)).map(
    ({ code }) => code,
  ),
);

/**
 * An EVM that ends at its deadline. Every loop passes JUMP or JUMPI, and every recursion `runCall`, so the clock is
 * checked there. It is also checked at instructions whose gas is not static, because code without jumps may be long. A
 * precompile that would run far beyond the deadline is not started.
 */
export class DeadlineEvm extends EVM {
  /** Time of `performance.now()` at which the execution is aborted. */
  #deadline = Infinity;
  #checksLeft = 0;

  /** `set` implements the precompiles. */
  constructor(options: EvmOptions, set: PrecompileSet) {
    super({ ...options, bn254: set.bn254, bls: set.bls });
    this._precompiles = new Map(
      [...this._precompiles].map(([address, run]) => [address, this.#precompile(address, run, set)]),
    );
    for (const { code } of OPCODES)
      if (this.#isChecked(code)) this.wrap(code, (handler) => this.#checked(handler, code));
  }

  /** Ends all that runs from now on at `deadline`, by `performance.now()`: throws or rejects with DeadlinePassed. */
  endAt(deadline: number): void {
    this.#deadline = deadline;
    this.#checksLeft = LIMITS.deadlineCheckSteps;
  }

  /** All frames, including the outermost one, pass through here. Rejects with DeadlinePassed. */
  override async runCall(options: Parameters<EVM['runCall']>[0]): Promise<EVMResult> {
    this.#check();
    return super.runCall(options);
  }

  protected wrap(code: number, make: (handler: OpHandler) => OpHandler): void {
    const entry = this._opcodeMap[code];
    if (entry === undefined || entry.opcodeInfo.code !== code) return;
    this._opcodeMap[code] = { ...entry, opHandler: make(entry.opHandler) };
  }

  /** Counts work that takes as long as this many steps. Throws DeadlinePassed. */
  protected worked(steps: number): void {
    this.#checksLeft -= steps;
    if (this.#checksLeft <= 0) this.#check();
  }

  #isChecked(code: number): boolean {
    return code === JUMP || code === JUMPI || this._opcodeMap[code]?.opcodeInfo.dynamicGas === true;
  }

  /** Checks the clock at each instruction whose work depends on a length, and at every sixteenth of the others. */
  #checked(handler: OpHandler, code: number): OpHandler {
    const counts = BY_LENGTH.has(code) ? LIMITS.deadlineCheckSteps : 1;
    return (runState, common) => {
      this.worked(counts);
      return handler(runState, common);
    };
  }

  #check(): void {
    this.#checksLeft = LIMITS.deadlineCheckSteps;
    if (performance.now() > this.#deadline) throw new DeadlinePassed();
  }

  #precompile(address: string, library: Precompile, { functions, native }: PrecompileSet): Precompile {
    const number = Number.parseInt(address, 16);
    const run = chargeGasFirst(number, functions.get(number) ?? withoutReverts(library));
    return this.#bounded(run, new PrecompileTimePredictor(number, native.has(number) ? 'native' : 'library'));
  }

  #bounded(run: Precompile, time: PrecompileTimePredictor): Precompile {
    return async (input) => {
      if (this.#deadline === Infinity) return run(input);
      const startMs = performance.now();
      const predictedMs = time.predictedMs(input.data, input.gasLimit);
      if (!PrecompileTimePredictor.fits(predictedMs, this.#deadline - startMs)) throw new DeadlinePassed();
      const result = await run(input);
      time.learn(predictedMs, performance.now() - startMs);
      return result;
    };
  }
}

/** The library says "revert" for some refused inputs, but all gas is used, as for any failed precompile. */
function withoutReverts(run: Precompile): Precompile {
  return async (input): Promise<ExecResult> => {
    const result = await run(input);
    if (result.exceptionError?.error !== REVERT) return result;
    return { ...result, exceptionError: new EVMError(REFUSED_INPUT) };
  };
}
