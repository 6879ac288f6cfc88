// Counts what a reference engine executes, so that a fuzzer can show its coverage.
// oxlint-disable no-underscore-dangle -- the names are @ethereumjs/evm's
import { ReferenceEngine } from '../../src/evm/reference/reference-engine.js';
import type { MinimumGasTrackingEvm } from '../../src/evm/reference/minimum-gas-tracking-evm.js';
import type { MakeEngine } from '../support/programs/compare.js';
import { opcodeOfByte } from '../../src/evm/opcodes.js';

/** Number of occurrences by name. */
export type Coverage = Map<string, number>;

/** Private tables of an EVM. */
interface Tables {
  readonly _opcodeMap: MinimumGasTrackingEvm['_opcodeMap'];
  readonly _precompiles: MinimumGasTrackingEvm['_precompiles'];
}

type Handler = Tables['_opcodeMap'][number]['opHandler'];
type RunState = Parameters<Handler>[0];

/** Instructions whose result says whether they succeeded. */
const ANSWERING = new Set(['CREATE', 'CREATE2', 'CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL']);

/** Instructions that end a frame by an exception in the library, and so never return. */
const ENDING = new Set(['STOP', 'RETURN', 'REVERT', 'INVALID', 'SELFDESTRUCT']);

/** Creates reference engines that count successful instructions and calls of precompiles. */
export function counting(coverage: Coverage): MakeEngine {
  return (rules, state) => {
    const engine = new ReferenceEngine({ rules, state });
    const tables = tablesOf(engine);
    for (const [code, entry] of Object.entries(tables._opcodeMap)) {
      if (entry.opcodeInfo.code !== Number(code) || entry.opcodeInfo.isInvalid) continue;
      const opHandler = counted(entry.opHandler, opcodeOfByte(Number(code))?.name ?? code, coverage);
      tables._opcodeMap[Number(code)] = { ...entry, opHandler };
    }
    for (const [address, run] of tables._precompiles) {
      tables._precompiles.set(address, async (input) => {
        const result = await run(input);
        const name = `precompile 0x${address.replace(/^0+/, '')}`;
        count(coverage, result.exceptionError === undefined ? name : `${name} failed`);
        return result;
      });
    }
    return engine;
  };
}

/** The tables in which the inner EVM looks up its instructions and precompiles. */
export function tablesOf(engine: ReferenceEngine): Tables {
  return engine.evm as unknown as Tables;
}

function count(coverage: Coverage, name: string): void {
  coverage.set(name, (coverage.get(name) ?? 0) + 1);
}

function counted(handler: Handler, name: string, coverage: Coverage): Handler {
  const done = (runState: RunState): void => {
    if (!ENDING.has(name)) count(coverage, name);
    if (!ANSWERING.has(name)) return;
    const [answer] = runState.stack.peek(1);
    if (answer !== 0n) count(coverage, `${name} succeeded`);
  };
  const finish = async (answer: Promise<unknown>, runState: RunState): Promise<void> => {
    await answer;
    done(runState);
  };
  return (runState, common) => {
    if (ENDING.has(name)) count(coverage, name);
    const pays = (name === 'CALL' || name === 'CALLCODE') && runState.stack.peek(3)[2] !== 0n;
    if (pays) count(coverage, `${name} with value`);
    const answer: unknown = handler(runState, common);
    return answer instanceof Promise ? finish(answer, runState) : done(runState);
  };
}
