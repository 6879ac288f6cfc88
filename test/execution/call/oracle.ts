// Runs a call with a given gas limit on an EVM without any of our tracking: the reference for estimates.
import { createEVM, EVMError } from '@ethereumjs/evm';
import { Address } from '@ethereumjs/util';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { unprefixed } from '../../../src/evm/reference/minimum-gas-tracking-evm.js';
import { JournaledStateManager } from '../../../src/evm/reference/state-manager.js';
import { JournaledState } from '../../../src/evm/journal/journaled-state.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { NO_STATE } from '../../../src/state/views/state-view.js';
import { blockEnv, chainAt } from '../../support/jobs.js';
import type { MemoryView } from '../../support/memory-view.js';

/** Result of a run: `trace` lists how each frame ended, in order of ending. */
export interface Verdict {
  readonly succeeded: boolean;
  readonly trace: string;
  /** Statuses of all frames without their output: success, revert or halt. */
  readonly statuses: string;
  /** The resulting state, logs and return data. */
  readonly effects: string;
  /** Some inner frame halted exceptionally. */
  readonly innerHalt: boolean;
}

/** A message whose intrinsic gas is 21000: no call data. */
export interface Question {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly value: bigint;
}

export async function createOracle(
  fork: string,
): Promise<(oracle: Question, gas: bigint, view: MemoryView) => Promise<Verdict>> {
  const { common } = createChainRules(chainAt(fork)).at(100, 1_700_000_000);
  const state = new JournaledState(NO_STATE);
  const evm = await createEVM({ common, stateManager: new JournaledStateManager(state) });
  const ends: string[] = [];
  evm.events?.on('afterMessage', ({ execResult }) => {
    ends.push(`${execResult.exceptionError?.error.replace(/ at .*/, '') ?? 'ok'} ${toHex(execResult.returnValue)}`);
  });
  return async ({ from, to, value }, gas, view) => {
    state.reset(view);
    ends.length = 0;
    const { journal } = evm;
    await journal.cleanup();
    for (const address of [
      ...evm.precompiles.keys(),
      unprefixed(from),
      unprefixed(to),
      unprefixed(blockEnv().coinbase),
    ])
      journal.addAlwaysWarmAddress(address);
    const { execResult } = await evm.runCall({
      caller: new Address(from),
      to: new Address(to),
      value,
      gasLimit: gas - 21000n,
      block: { header: header() },
    });
    const error = execResult.exceptionError?.error;
    const { accounts, slots } = state.differences();
    const written = [...accounts, ...slots].map((each) => JSON.stringify(each, shown)).sort();
    return {
      succeeded: error === undefined,
      trace: ends.join('\n'),
      statuses: ends.map((end) => (isHalt(end) ? 'halt' : end.split(' ', 1)[0])).join(),
      effects: JSON.stringify([written, execResult.logs ?? [], toHex(execResult.returnValue)], shown),
      innerHalt: ends.slice(0, -1).some(isHalt),
    };
  };
}

/** A JSON replacer for bytes and bigints. */
export function shown(_: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return toHex(value);
  return typeof value === 'bigint' ? `${value}` : value;
}

function isHalt(end: string): boolean {
  return !end.startsWith('ok ') && !end.startsWith(`${EVMError.errorMessages.REVERT} `);
}

function header(): NonNullable<Parameters<Awaited<ReturnType<typeof createEVM>>['runCall']>[0]['block']>['header'] {
  const env = blockEnv();
  return {
    number: BigInt(env.number),
    coinbase: new Address(env.coinbase),
    timestamp: env.timestamp,
    difficulty: 0n,
    prevRandao: env.prevRandao,
    gasLimit: env.gasLimit,
    baseFeePerGas: 0n,
    getBlobGasPrice: () => 1n,
  };
}
