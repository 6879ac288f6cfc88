// The topic `watch` on a randomly driven chain: contracts with every kind of dependency, a pool without threads, and a
// polling client for comparison.
import { engineFactory, type KernelMode } from '../../../src/evm/kernel/kernel-or-reference-engine.js';
import { KernelCounters } from '../../../src/evm/kernel/kernel-counters-and-code-denylist.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { JobRunner } from '../../../src/execution/call/job-runner.js';
import { runWithMissingState } from '../../../src/execution/call/find-missing-keys.js';
import { runJobRecordingReads } from '../../../src/execution/call/run-job-recording-reads.js';
import { DEV_CHAIN } from '../../../src/feed/dev/genesis.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { TimeSlicer } from '../../../src/fairness/time-slicer.js';
import type { Caller, Subscriber } from '../../../src/rpc/answer/request-response-types.js';
import { RpcArguments } from '../../../src/rpc/params/arguments.js';
import type { MethodFunction } from '../../../src/rpc/call/method-types.js';
import { bindMethod, type MethodDeps } from '../../../src/rpc/methods/method-functions.js';
import type { MethodRow } from '../../../src/methods.table.js';
import type { ChainEvents } from '../../../src/rpc/push/chain-events.js';
import { readWatchedCall, runWatchedCallOnce, type WatchedCall } from '../../../src/rpc/watch/run-watched-call.js';
import { WatchedCallsTopic } from '../../../src/rpc/watch/watched-call-topic.js';
import { addressOf, wordOf } from '../../state/diffs.js';
import { NO_MISSING_KEYS, type MissingKeys } from '../../../src/state/views/miss-recording-view.js';
import type { Job, JobOutcome } from '../../../src/transaction/evm-job.js';
import { assemble } from '../../support/assembler.js';
import { UNLIMITED_MS } from '../../support/patience.js';
import { fewTicks } from '../push/event-loop-ticks.js';
import { CONTRACTS_FROM, Rig } from '../push/rig.js';
import { LATEST_BLOCK } from '../../../src/rpc/view/block-param-types.js';
import type { RpcCallOutcome } from '../../../src/rpc/answer/call-result.js';

const RETURN = 'PUSH 0; MSTORE; PUSH 32; PUSH 0; RETURN';
/** The fee recipient of every eighth block of the rig, which is only warm there. */
const RECIPIENT = toHex(addressOf(2));

const contract = (at: number): string => toHex(addressOf(CONTRACTS_FROM + at));

/** Contracts that each depend on something different. */
const CONTRACTS = [
  // A slot whose number is in a slot.
  `PUSH 0; SLOAD; SLOAD; ${RETURN}`,
  // The balance of an account whose address is in a slot.
  `PUSH 0; SLOAD; BALANCE; ${RETURN}`,
  // The block.
  `TIMESTAMP; NUMBER; ADD; ${RETURN}`,
  `PUSH 1; NUMBER; SUB; BLOCKHASH; ${RETURN}`,
  // Gas only: the original value of a slot, whether an address is warm.
  'CALLVALUE; PUSH 1; SSTORE; STOP',
  `PUSH ${RECIPIENT}; BALANCE; POP; STOP`,
  // Another contract.
  `PUSH 32; PUSH 0; PUSH 0; PUSH 0; PUSH ${contract(0)}; GAS; STATICCALL; POP; PUSH 32; PUSH 0; RETURN`,
  // A slot: reverts, or returns its own balance.
  `PUSH 1; SLOAD; REF fine; JUMPI; PUSH 0; PUSH 0; REVERT; LABEL fine; SELFBALANCE; ${RETURN}`,
  // Its own slot; other instructions never run.
  `PUSH 2; SLOAD; ${RETURN}; LABEL never; TIMESTAMP; BLOCKHASH`,
  // Code that it creates.
  `PUSH 0; PUSH 0; PUSH 0; CREATE; ${RETURN}`,
].map((text) => fromHex(assemble(text)));

/** The last contract but one: it only depends on its slot. */
export const IDLE_CONTRACT = CONTRACTS.length - 2;

const FROM = toHex(addressOf(1));
const everyContract = CONTRACTS.flatMap((_, at) => [
  { method: 'eth_call', params: [{ to: contract(at) }, 'pending'] },
  { method: 'eth_estimateGas', params: [{ from: FROM, to: contract(at), value: at === 4 ? '0x1' : '0x0' }, 'pending'] },
]);

const DIFF = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } };

/** Calls as clients write them. */
export const CALLS: readonly unknown[] = [
  ...everyContract,
  { method: 'eth_getTransactionCount', params: [FROM, 'pending'] },
  { method: 'eth_getTransactionCount', params: [FROM] },
  { method: 'eth_getBalance', params: [toHex(addressOf(2)), 'pending'] },
  { method: 'eth_getStorageAt', params: [contract(0), '0x1', 'pending'] },
  { method: 'eth_getStorageAt', params: [toHex(addressOf(3)), toHex(wordOf(2)), 'latest'] },
  { method: 'eth_getCode', params: [contract(3), 'pending'] },
  { method: 'eth_call', params: [{ to: contract(0) }] },
  { method: 'eth_call', params: [{ to: contract(2) }, 'latest'] },
  { method: 'eth_call', params: [{ to: contract(3) }, 'latest'] },
  { method: 'eth_createAccessList', params: [{ to: contract(6) }, 'pending'] },
  { method: 'eth_estimateGas', params: [{ from: FROM, to: toHex(addressOf(2)), value: '0x3' }, 'pending'] },
  { method: 'eth_call', params: [{ to: contract(0), gasPrice: '0x10000000000000000000000001' }, 'pending'] },
  { method: 'eth_call', params: [{ data: assemble(`COINBASE; ${RETURN}`) }, 'pending'] },
  ...[0, 1, 2, 4, 6].map((at) => ({ method: 'debug_traceCall', params: [{ to: contract(at) }, 'pending', DIFF] })),
  { method: 'debug_traceCall', params: [{ to: contract(2) }, 'latest', { tracer: 'callTracer' }] },
  { method: 'debug_traceCall', params: [{ to: contract(7) }, 'pending', { tracer: 'prestateTracer' }] },
];

function runnerOf(mode: KernelMode): JobRunner {
  const createEngine = engineFactory({ mode, counters: new KernelCounters().buffer });
  return new JobRunner({ rules: createChainRules(DEV_CHAIN), createEngine });
}

/** A planted fault: changes an outcome, or drops events. */
export interface Plant {
  readonly outcome?: (outcome: JobOutcome) => JobOutcome;
  readonly events?: (events: ChainEvents) => ChainEvents;
}

/** The rig with watched calls on it. */
export class WatchRig extends Rig {
  readonly watches: WatchedCallsTopic;
  readonly parts: MethodDeps;
  /** Jobs whose outcome has not been delivered yet. */
  inFlight = 0;
  jobs = 0;
  #isCalm = false;
  /** Runs both the watched calls and the requests. */
  readonly #runner: JobRunner;
  readonly #request: JobRunner;
  readonly #plant: Plant;

  constructor(seed: number, mode: KernelMode, plant: Plant = {}) {
    super(seed, CONTRACTS);
    this.#plant = plant;
    this.#runner = runnerOf(mode);
    this.#request = runnerOf('on');
    this.watches = new WatchedCallsTopic({
      events: plant.events?.(this.events) ?? this.events,
      readView: () => this.current.get(),
      slices: new TimeSlicer(Infinity),
      chain: DEV_CHAIN,
      afterPause: (retry) => setImmediate(retry),
    });
    this.parts = this.#makeParts();
  }

  /** Decodes calls as the subscription does. */
  read(calls: readonly unknown[]): readonly WatchedCall[] {
    return calls.map((call, at) => {
      const read = readWatchedCall(call, at, { chain: DEV_CHAIN, defaultBlock: LATEST_BLOCK });
      if ('error' in read) throw new Error(read.message);
      return read;
    });
  }

  /** Responses of a client that requests all of them now. */
  async query(calls: readonly WatchedCall[]): Promise<readonly string[]> {
    this.#isCalm = true;
    const caller: Caller = { aborted: false };
    const answers: string[] = [];
    for (const call of calls) {
      const readView = this.current.get();
      readView.pinned.begin();
      try {
        const current = (): ReturnType<typeof this.current.get> => this.current.get();
        const jobs = runWatchedCallOnce(call, readView, current, this.parts, caller);
        answers.push((await jobs)!.text);
      } finally {
        this.current.get().pinned.end();
      }
    }
    this.#isCalm = false;
    return answers;
  }

  /** Waits until nothing is in progress. */
  async calm(): Promise<void> {
    this.#isCalm = true;
    for (let quiet = 0; quiet < 3; quiet = this.inFlight === 0 ? quiet + 1 : 0) await fewTicks();
    this.#isCalm = false;
  }

  #makeParts(): MethodDeps {
    const deps: MethodDeps = {
      chain: DEV_CHAIN,
      events: this.events,
      executed: this.executed,
      subscriptions: this.subscriptions,
      watches: this.watches,
      gasCap: 50_000_000n,
      timeoutMs: UNLIMITED_MS,
      revertErrorCode: -32_000,
      defaultBlock: LATEST_BLOCK,
      receipts: 'preconfirmed',
      pool: { submit: (job: Job) => this.#submit(job) },
      preflight: { answer: () => null },
      doubt: () => null,
      tips: { suggest: () => 0n },
      backing: { fill: (wants: MissingKeys) => this.#fill(wants), epoch: () => this.current.epoch },
      onFault: (method: string, fault: unknown) => {
        throw new Error(method, { cause: fault });
      },
      methodWith: (row: MethodRow, changed: object) => bindMethod(row, { ...deps, ...changed }),
    } as unknown as MethodDeps;
    return deps;
  }

  /** Sometimes the pool is full, or a result takes a while. */
  #submit(job: Job): Promise<JobOutcome> | null {
    if (!this.#isCalm && this.random.below(10) === 0) return null;
    this.jobs++;
    this.inFlight++;
    return this.#outcome(job, this.#isCalm ? 0 : this.random.below(4));
  }

  async #outcome(job: Job, turns: number): Promise<JobOutcome> {
    const { version } = job.position as { readonly version: number };
    const [view, { env }] = [this.reader.snapshot(version), this.reader.record(version)];
    const outcome = await this.#turn(() =>
      job.isWatched === true
        ? runJobRecordingReads({ job, view, runner: this.#runner }, (noting) =>
            runWithMissingState(this.#runner, job, { view: noting, env }),
          )
        : runWithMissingState(this.#request, job, { view, env }),
    );
    for (let turn = 0; turn < turns; turn++) await fewTicks();
    this.inFlight--;
    return this.#plant.outcome?.(outcome) ?? outcome;
  }

  /** Runs one job at a time. */
  #turn(run: () => Promise<JobOutcome>): Promise<JobOutcome> {
    const outcome = this.#last.then(run);
    this.#last = outcome.then(
      () => undefined,
      () => undefined,
    );
    return outcome;
  }
  #last: Promise<undefined> = Promise.resolve(undefined);

  /** State that is not cached does not exist: it is fetched as empty. */
  #fill({ accounts, slots }: MissingKeys = NO_MISSING_KEYS): Promise<null> {
    const fill = {
      accounts: accounts.map((address) => ({ address, account: null })),
      slots: slots.map(({ address, slot }) => ({ address, slot, value: new Uint8Array(32) })),
      codes: [],
    };
    this.publisher.addMissing(fill, this.publisher.newest);
    return Promise.resolve(null);
  }
}

/** Calls the method as a connection does. */
export function query(
  rig: WatchRig,
  run: MethodFunction<MethodDeps>,
  params: readonly unknown[],
  subscriber: Subscriber,
): RpcCallOutcome {
  const readView = rig.current.get();
  readView.pinned.begin();
  try {
    const args = new RpcArguments(JSON.parse(JSON.stringify(params)) as unknown[]);
    return run(args, readView, rig.parts, { aborted: false, subscriber }) as RpcCallOutcome;
  } finally {
    readView.pinned.end();
  }
}
