// Jobs, chains and block environments for execution tests, with defaults for everything a test does not care about.
import { toHex } from '../../src/lib/bytes/hex.js';
import type { Authorization, CallRequest, Job, JobOutcome } from '../../src/transaction/evm-job.js';
import type { ChainDescription } from '../../src/chain/chain-description.js';
import { JobRunner, type GasSearchReason } from '../../src/execution/call/job-runner.js';
import { createChainRules } from '../../src/evm/reference/fork-rules.js';
import type { BlockEnv } from '../../src/state/state-diff.js';
import type { StateView } from '../../src/state/views/state-view.js';
import { bytes } from './memory-view.js';
import { UNLIMITED_MS } from './patience.js';
import { candidateEngine } from './programs/engines.js';

/** A chain on which `fork` is active from genesis. */
export function chainAt(fork: string, chainId = 1337n): ChainDescription {
  return {
    chainId,
    forks: [{ name: fork, block: 0, timestamp: null }],
    blobSchedule: {},
    depositContract: null,
    transactionGasCap: true,
    op: null,
  };
}

/** A block with a 30M gas limit and a base fee of 7 wei. */
export function blockEnv(changes: Partial<BlockEnv> = {}): BlockEnv {
  return {
    number: 100,
    timestamp: 1_700_000_000n,
    gasLimit: 30_000_000n,
    baseFeePerGas: 7n,
    coinbase: new Uint8Array(20).fill(0xcb),
    prevRandao: new Uint8Array(32).fill(0x11),
    difficulty: 0n,
    excessBlobGas: 0n,
    parentBeaconBlockRoot: new Uint8Array(32),
    ...changes,
  };
}

/** A call's arguments; addresses and data as hex. */
export interface CallText {
  readonly from?: string;
  readonly to?: string;
  readonly gas?: bigint;
  readonly gasPrice?: bigint;
  readonly maxFeePerGas?: bigint;
  readonly maxPriorityFeePerGas?: bigint;
  readonly maxFeePerBlobGas?: bigint;
  readonly value?: bigint;
  readonly data?: string | Uint8Array;
  readonly accessList?: CallRequest['accessList'];
  readonly blobVersionedHashes?: readonly string[];
  readonly authorizationList?: readonly Authorization[];
}

export function callRequest(text: CallText): CallRequest {
  return {
    from: bytes(text.from ?? '', 20),
    to: text.to === undefined ? null : bytes(text.to, 20),
    gas: text.gas ?? null,
    gasPrice: text.gasPrice ?? null,
    maxFeePerGas: text.maxFeePerGas ?? null,
    maxPriorityFeePerGas: text.maxPriorityFeePerGas ?? null,
    maxFeePerBlobGas: text.maxFeePerBlobGas ?? null,
    value: text.value ?? 0n,
    data: bytes(text.data ?? '', 0),
    accessList: text.accessList ?? null,
    blobVersionedHashes: text.blobVersionedHashes?.map((hash) => bytes(hash, 32)) ?? null,
    authorizationList: text.authorizationList ?? null,
  };
}

/** An estimate of `call` with a gas cap of 50M and no time limit; `changes` overrides fields. */
export function job(call: CallText, changes: Partial<Job> = {}): Job {
  return {
    kind: 'estimate',
    position: { kind: 'version', version: 1 },
    call: callRequest(call),
    stateOverride: [],
    blockOverride: null,
    gasCap: 50_000_000n,
    timeoutMs: UNLIMITED_MS,
    ...changes,
  };
}

const runners = new Map<string, JobRunner>();
/** By fork: runners in mode `least`, which search for the smallest gas limit at which the call succeeds. */
const leastRunners = new Map<string, JobRunner>();

/** Counts binary searches that the tracked run should have made unnecessary. */
export const unconfirmed = { count: 0 };

function countSearch(reason: GasSearchReason): void {
  if (reason === 'unconfirmed') unconfirmed.count++;
}

/** Runs the job on the runner of this fork, which all tests share. */
export async function runOn(
  fork: string,
  requested: Job,
  view: StateView,
  env: BlockEnv = blockEnv(),
): Promise<JobOutcome> {
  let runner = runners.get(fork);
  if (runner === undefined) {
    const rules = createChainRules(chainAt(fork));
    runners.set(
      fork,
      (runner = new JobRunner({ rules, createEngine: candidateEngine, onSearch: countSearch, confirms: true })),
    );
  }
  return runner.runJob(requested, view, env);
}

/** Like `runOn`, but in mode `least`: the smallest gas limit at which the call succeeds. */
export async function leastOn(fork: string, requested: Job, view: StateView): Promise<number | string> {
  let runner = leastRunners.get(fork);
  if (runner === undefined) {
    runner = new JobRunner({
      rules: createChainRules(chainAt(fork)),
      createEngine: candidateEngine,
      estimateMode: 'least',
    });
    leastRunners.set(fork, runner);
  }
  return estimated(await runner.runJob(requested, view, blockEnv()));
}

/** The estimate as a number, or the error message. */
export async function estimateOn(
  fork: string,
  requested: Job,
  view: StateView,
  env?: BlockEnv,
): Promise<number | string> {
  return estimated(await runOn(fork, requested, view, env));
}

function estimated(outcome: JobOutcome): number | string {
  switch (outcome.kind) {
    case 'gas':
      return Number(outcome.gas);
    case 'failure':
      return outcome.message;
    case 'revert':
      return 'execution reverted';
    case 'return':
    case 'json':
      throw new Error('an estimate returned data');
    case 'watched':
      throw new Error('an estimate was watched');
    case 'foreign':
      return `foreign ${toHex(outcome.address)}`;
    case 'missing':
      throw new Error('an estimate lacked state');
  }
}
