// The EVM of @ethereumjs with a deadline, and with either native or JavaScript precompiles
// (`PrecompileImplementations`).
// oxlint-disable no-underscore-dangle -- the names are @ethereumjs/evm's
import type { Common } from '@ethereumjs/common';
import { EVM, EVMError, type EVMResult, type ExecResult, type PrecompileFunc } from '@ethereumjs/evm';
import { LIMITS } from '../../limits/index.js';
import { OPCODES } from '../opcodes.table.js';
import { PrecompileTimePredictor } from '../precompiles/precompile-time.js';
import type { PrecompileImplementations } from '../precompiles/precompile-implementations.js';
import { precompileFailed } from '../precompiles/make-precompile-result.js';

const { BLS_12_381_POINT_NOT_ON_CURVE: REFUSED_INPUT, OUT_OF_GAS, REVERT } = EVMError.errorMessages;

/**
 * Pairing precompiles by address: bytes of one pair in the input, and the names in @ethereumjs of the gas for a call
 * and for each pair.
 */
const PAIRINGS: ReadonlyMap<number, readonly [pairBytes: number, callGas: string, pairGas: string]> = new Map([
  [0x08, [192, 'bn254PairingGas', 'bn254PairingWordGas']],
  [0x0f, [384, 'bls12381PairingBaseGas', 'bls12381PairingPerPairGas']],
]);

/**
 * Wraps a precompile so that a call without enough gas runs out of gas, whatever its input is. @ethereumjs would check
 * the input's length first.
 */
function chargeGasFirst(number: number, run: PrecompileFunc): PrecompileFunc {
  const pairing = PAIRINGS.get(number);
  if (pairing === undefined) return run;
  const [pairBytes, callGas, pairGas] = pairing;
  return (input) => {
    const pairs = BigInt(Math.floor(input.data.length / pairBytes));
    const gas = input.common.param(callGas) + pairs * input.common.param(pairGas);
    return input.gasLimit < gas ? precompileFailed(OUT_OF_GAS, input.gasLimit) : run(input);
  };
}

/**
 * Thrown when the deadline has passed. @ethereumjs passes on any error that is not an EVMError, so it ends all frames.
 */
export class DeadlinePassed extends Error {}

/** Options for creating an EVM of @ethereumjs, except those that the set of precompiles determines. */
export type EvmOptions = Omit<NonNullable<ConstructorParameters<typeof EVM>[0]>, 'bn254' | 'bls'>;
/** The function with which @ethereumjs executes an instruction. */
export type OpHandler = EVM['_opcodeMap'][number]['opHandler'];
/** State of the frame that executes an instruction. */
export type RunState = Parameters<OpHandler>[0];
/** A function that computes the dynamic gas of an instruction. @ethereumjs awaits its result. */
export type GasHandler = (runState: RunState, gas: bigint, common: Common) => bigint | Promise<bigint>;
type Precompile = EVM['_precompiles'] extends Map<string, infer T> ? T : never;

const JUMP = 0x56;
const JUMPI = 0x57;
/**
 * Instructions whose work depends on a length operand: hashes, copies, logs. Calls are not included; they are checked
 * as frames.
 */
const BY_LENGTH = new Set(
  OPCODES.filter(({ memory, ends }) => ends === null && memory.some((range) => 'length' in range)).map(
    ({ code }) => code,
  ),
);

/**
 * An EVM that ends at its deadline. The clock is checked at JUMP and JUMPI, which every loop contains, and in
 * `runCall`, which every recursion calls. It is also checked at instructions whose gas is not static, because even code
 * without jumps may take long. A precompile that would run far beyond the deadline is not started.
 */
export class DeadlineEvm extends EVM {
  /** Time of `performance.now()` at which the execution is aborted. */
  #deadline = Infinity;
  #checksLeft = 0;

  /** `set` has the implementations of the precompiles. */
  constructor(options: EvmOptions, set: PrecompileImplementations) {
    super({ ...options, bn254: set.bn254, bls: set.bls });
    this._precompiles = new Map(
      [...this._precompiles].map(([address, run]) => [address, this.#precompile(address, run, set)]),
    );
    for (const { code } of OPCODES)
      if (this.#isChecked(code)) this.wrap(code, (handler) => this.#checked(handler, code));
  }

  /**
   * Sets the deadline (a time of `performance.now()`) for everything that runs from now on. Once it has passed,
   * DeadlinePassed is thrown.
   */
  endAt(deadline: number): void {
    this.#deadline = deadline;
    this.#checksLeft = LIMITS.deadlineCheckSteps;
  }

  /**
   * Checks the clock at the start of each frame, for which @ethereumjs always calls this method. Rejects with
   * DeadlinePassed.
   */
  override async runCall(options: Parameters<EVM['runCall']>[0]): Promise<EVMResult> {
    this.#check();
    return super.runCall(options);
  }

  protected wrap(code: number, make: (handler: OpHandler) => OpHandler): void {
    const entry = this._opcodeMap[code];
    if (entry === undefined || entry.opcodeInfo.code !== code) return;
    this._opcodeMap[code] = { ...entry, opHandler: make(entry.opHandler) };
  }

  /** Wraps the function that computes an instruction's dynamic gas, if the instruction has one. */
  protected wrapGas(code: number, make: (gasHandler: GasHandler) => GasHandler): void {
    const entry = this._opcodeMap[code];
    if (entry?.opcodeInfo.dynamicGas !== true || entry.opcodeInfo.code !== code) return;
    // @ethereumjs declares gas functions as synchronous or asynchronous; it awaits the result either way.
    this._opcodeMap[code] = Object.assign({ ...entry }, { gasHandler: make(entry.gasHandler) });
  }

  /** Counts work that takes as long as this many instructions. Throws DeadlinePassed if the deadline has passed. */
  protected worked(steps: number): void {
    this.#checksLeft -= steps;
    if (this.#checksLeft <= 0) this.#check();
  }

  #isChecked(code: number): boolean {
    return code === JUMP || code === JUMPI || this._opcodeMap[code]?.opcodeInfo.dynamicGas === true;
  }

  /**
   * Wraps an instruction so that it checks the clock: always if its work depends on a length, otherwise every sixteenth
   * time.
   */
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

  #precompile(address: string, library: Precompile, { functions, native }: PrecompileImplementations): Precompile {
    const number = Number.parseInt(address, 16);
    const run = chargeGasFirst(number, functions.get(number) ?? withoutReverts(library));
    return this.#bounded(run, new PrecompileTimePredictor(number, native.has(number) ? 'native' : 'library'));
  }

  #bounded(run: Precompile, time: PrecompileTimePredictor): Precompile {
    return async (input) => {
      if (this.#deadline === Infinity) return run(input);
      const startMs = performance.now();
      const minimumRunMs = time.minimumRunMs(input.data, input.gasLimit);
      if (!PrecompileTimePredictor.fits(minimumRunMs, this.#deadline - startMs)) throw new DeadlinePassed();
      const result = await run(input);
      time.learn(minimumRunMs, performance.now() - startMs);
      return result;
    };
  }
}

/**
 * Wraps a precompile: @ethereumjs reports some refused inputs as reverts, but a failed precompile always consumes all
 * gas.
 */
function withoutReverts(run: Precompile): Precompile {
  return async (input): Promise<ExecResult> => {
    const result = await run(input);
    if (result.exceptionError?.error !== REVERT) return result;
    return { ...result, exceptionError: new EVMError(REFUSED_INPUT) };
  };
}
