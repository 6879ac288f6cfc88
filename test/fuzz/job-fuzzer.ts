// Compares two engines on jobs: estimates, calls and access lists on random worlds, with and without overrides.
import { isDeepStrictEqual } from 'node:util';
import type { AccountOverride, CallRequest, Job, JobOutcome } from '../../src/transaction/evm-job.js';
import type { TracerSpec } from '../../src/transaction/trace-request-types.js';
import { JobRunner, type GasSearchReason } from '../../src/execution/call/job-runner.js';
import { createChainRules } from '../../src/evm/reference/fork-rules.js';
import { toBytes } from '../../src/lib/bytes/big-endian.js';
import { chainAt, job } from '../support/jobs.js';
import { UNLIMITED_MS } from '../support/patience.js';
import type { MakeEngine } from '../support/programs/compare.js';
import { link } from '../support/programs/code.js';
import { nonEvmChainAt, withTokens } from '../support/programs/non-evm-accounts.js';
import type { Fork } from '../support/programs/opcodes.js';
import { Random, nextSeed, type Seed } from '../support/programs/random.js';
import { createWorld, viewOf, type World } from '../support/programs/world.js';

/** Counters of a run of jobs. */
export interface JobTally {
  /** Jobs by their outcome. */
  readonly counts: Map<string, number>;
  /** Jobs with different outcomes, and estimates that did not work. */
  readonly mismatches: string[];
}

const KINDS = ['estimate', 'estimate', 'call', 'accessList', 'trace'] as const;
/** Larger jobs would not prove more. */
const GAS_CAP = 1_500_000n;

/** Runners of two kinds of engine, one of each kind per fork. */
export class JobFuzzer {
  readonly tally: JobTally = { counts: new Map(), mismatches: [] };
  private readonly runners = new Map<Fork, readonly JobRunner[]>();
  private readonly makers: readonly [MakeEngine, MakeEngine];
  private readonly timeoutMs: number;
  private readonly hasNonEvm: boolean;
  private current = '';

  /** `timeoutMs`: time limit of a job, if an engine may never stop; `hasNonEvm`: some accounts have non-EVM code. */
  constructor(first: MakeEngine, second: MakeEngine, timeoutMs = UNLIMITED_MS, hasNonEvm = false) {
    this.makers = [first, second];
    this.hasNonEvm = hasNonEvm;
    this.timeoutMs = timeoutMs;
  }

  /** Runs a few jobs on each world of `worlds` seeds from `first` on. */
  async fuzz(first: Seed, worlds: number): Promise<JobTally> {
    for (let i = 0; i < worlds; i++) await this.world(this.worldOf(nextSeed(first, i)));
    return this.tally;
  }

  private worldOf(seed: Seed): World {
    const world = createWorld(seed);
    return this.hasNonEvm ? withTokens(world) : world;
  }

  /** Repeats the first job at the end: the overrides of the others must be gone. */
  private async world(world: World): Promise<void> {
    const random = new Random(nextSeed(world.seed, 1));
    const jobs = [jobOf(world, random), overridden(world, random), jobOf(world, random)];
    const view = viewOf(world);
    for (const [i, requested] of [...jobs, jobs[0]!].entries()) {
      this.current = `seed ${world.seed}, job ${i} (${requested.kind})`;
      const [first, second] = await this.answers(world, requested, view);
      this.count(first!);
      if (!isDeepStrictEqual(first, second)) this.wrong(`${text(first!)}, ${text(second!)}`);
    }
  }

  private async answers(world: World, requested: Job, view: ReturnType<typeof viewOf>): Promise<JobOutcome[]> {
    const timed = { ...requested, timeoutMs: this.timeoutMs };
    const outcomes: JobOutcome[] = [];
    for (const runner of this.at(world.fork)) {
      outcomes.push(await runner.runJob(timed, view, world.context.env));
      runner.renew();
    }
    return outcomes;
  }

  private at(fork: Fork): readonly JobRunner[] {
    let runners = this.runners.get(fork);
    if (runners === undefined) {
      const rules = createChainRules(this.hasNonEvm ? nonEvmChainAt(fork) : chainAt(fork));
      const onSearch = (reason: GasSearchReason): void => {
        if (reason === 'unconfirmed') this.wrong('a need that does not work');
      };
      runners = this.makers.map((createEngine) => new JobRunner({ rules, createEngine, onSearch, confirms: true }));
      this.runners.set(fork, runners);
    }
    return runners;
  }

  private count({ kind }: JobOutcome): void {
    this.tally.counts.set(kind, (this.tally.counts.get(kind) ?? 0) + 1);
  }

  private wrong(what: string): void {
    this.tally.mismatches.push(`${this.current}: ${what}`);
  }
}

function text(outcome: JobOutcome): string {
  return JSON.stringify(outcome, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

/** The world's message as a transaction. */
function jobOf({ message, accounts }: World, random: Random, changes: Partial<Job> = {}): Job {
  const isPaid = random.chance(0.3);
  const call: CallRequest = {
    from: message.caller,
    to: random.chance(0.8) ? message.to : random.pick(accounts).address,
    gas: random.chance(0.8) ? null : BigInt(random.between(20_000, 400_000)),
    gasPrice: isPaid ? BigInt(random.between(100, 10 ** 9)) : null,
    maxFeePerGas: null,
    maxPriorityFeePerGas: null,
    maxFeePerBlobGas: null,
    value: message.value,
    data: message.data,
    accessList: random.chance(0.3) ? message.accessList : null,
    blobVersionedHashes: null,
    authorizationList: null,
  };
  const kind = random.pick(KINDS);
  const trace = kind === 'trace' ? { trace: { of: 'call' as const, tracer: tracerOf(random) } } : {};
  return { ...job({}), kind, call, gasCap: GAS_CAP, ...trace, ...changes };
}

function tracerOf(random: Random): TracerSpec {
  const calls: TracerSpec = { name: 'callTracer', onlyTopCall: random.chance(0.2), withLog: random.chance(0.7) };
  const state: TracerSpec = {
    name: 'prestateTracer',
    diffMode: random.chance(0.5),
    disableCode: random.chance(0.2),
    disableStorage: random.chance(0.2),
    includeEmpty: random.chance(0.5),
  };
  const selectors: TracerSpec = { name: '4byteTracer' };
  return random.pick([calls, state, selectors, { name: 'muxTracer', tracers: [calls, state, selectors] }]);
}

/** The job with overridden accounts, and sometimes another block. */
function overridden(world: World, random: Random): Job {
  const { accounts } = world;
  const stateOverride = accounts
    .filter(() => random.chance(0.5))
    .map(({ address }) => override(address, accounts, random));
  const blockOverride = random.chance(0.7)
    ? null
    : { number: BigInt(random.between(1, 1000)), time: BigInt(random.between(1, 10 ** 9)), gasLimit: 10n ** 7n };
  return jobOf(world, random, { stateOverride, blockOverride });
}

function override(address: Uint8Array, accounts: World['accounts'], random: Random): AccountOverride {
  const slots = [0n, 1n, 2n, 3n]
    .filter(() => random.chance(0.5))
    .map((slot) => [toBytes(slot, 32), toBytes(BigInt(random.below(3)), 32)] as const);
  const storage = random.pick([{}, { state: slots }, { stateDiff: slots }]);
  const other = random.pick(accounts).code;
  return {
    address,
    ...(random.chance(0.4) ? { balance: BigInt(random.pick([0, 5, 10 ** 15])) } : {}),
    ...(random.chance(0.2) ? { nonce: BigInt(random.below(3)) } : {}),
    ...(random.chance(0.2) ? { code: link(other) } : {}),
    ...storage,
  };
}
