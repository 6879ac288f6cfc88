// Cost of an engine, without HTTP and threads: an execution on warm state, a whole estimate, the first one after a
// start, after a new version and of a new contract, estimates among millions of accounts, and a worker's memory.
// Usage: node dist/bench/kernel.bench.js [executions|estimates|start|versions|contracts|accounts|memory ...]
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Job } from '../src/transaction/evm-job.js';
import { JobRunner } from '../src/execution/call/job-runner.js';
import { createChainRules, type ForkRules } from '../src/evm/reference/fork-rules.js';
import { JournaledState } from '../src/evm/journal/journaled-state.js';
import { WorkerPool } from '../src/pool/worker-pool.js';
import { TableReader } from '../src/state/table/read/table-reader-and-snapshot.js';
import { KernelCounters } from '../src/evm/kernel/kernel-counters-and-code-denylist.js';
import type { EstimatorData } from '../src/pool/threads/estimator-program.js';
import { deployContractSet, type CallTemplate, type ContractSet } from '../test/support/contract-set.js';
import { contextAt, messageOf } from '../test/support/deployment.js';
import { chainAt } from '../test/support/jobs.js';
import type { FirstEstimates, FirstTimes } from './first-estimate.js';
import { ENGINES, engineNamed } from './support/engines.js';
import { SetTable, holderJobs, jobsOf, requireGas } from './support/set-table.js';
import { cpuUs, digits, median, printHead, printRow, wallUs } from './support/timing.js';

const CHAIN = chainAt('osaka');
const GAS = 16_000_000n;
const TIMESTAMP = 1_700_000_000;
/** Different jobs of one kind, run in rotation. */
const JOBS = 256;
const STARTS = 5;
const VERSIONS = 40;
const ROUTERS = 16;
const FILLS = [10_000, 1_000_000, 5_000_000];
const WORKERS = 4;
const MIB = 2 ** 20;
const NAMES = ENGINES.map(([name]) => name);

const SECTIONS: Readonly<Record<string, (set: ContractSet) => Promise<void>>> = {
  // First, while the process is small.
  memory,
  executions,
  estimates,
  start,
  versions,
  contracts,
  accounts,
};

async function main(): Promise<void> {
  const set = await deployContractSet(ROUTERS);
  const wanted = process.argv.slice(2);
  for (const [name, section] of Object.entries(SECTIONS)) {
    if (wanted.length === 0 || wanted.includes(name)) await section(set);
  }
}

function rulesNow(): ForkRules {
  return createChainRules(CHAIN).at(0, TIMESTAMP);
}

function createRunner(engine: string): JobRunner {
  return new JobRunner({ rules: createChainRules(CHAIN), createEngine: engineNamed(engine) });
}

/** One value per engine, and the speed-up of the others over the first. */
async function printEngines(label: string, value: (engine: string) => Promise<number>): Promise<void> {
  const values: number[] = [];
  for (const name of NAMES) values.push(await value(name));
  const ratios = values.slice(1).map((time) => `${digits(values[0]! / time)}x`);
  printRow(label, ...values.map(digits), ...ratios);
}

function printEnginesHead(what: string): void {
  printHead(what, ...NAMES, ...NAMES.slice(1).map((name) => `${name}, ratio`));
}

/** The engine alone, on warm state; every execution is reverted. */
async function executions({ calls, ...set }: ContractSet): Promise<void> {
  const table = new SetTable({ calls, ...set });
  printEnginesHead('warm execution, us');
  for (const call of calls.filter(({ data }) => data !== undefined)) {
    await printEngines(call.name, (engine) => executionUs(table, call, engine));
  }
}

function executionUs(table: SetTable, call: CallTemplate, name: string): Promise<number> {
  const state = new JournaledState(new TableReader(table.buffer).snapshot(table.version));
  const engine = engineNamed(name)(rulesNow(), state);
  const messages = jobsOf(call, JOBS).map(({ call: { from, to, value, data } }) => messageOf(from, to, value, data));
  const context = contextAt(TIMESTAMP);
  return cpuUs(async (number) => {
    state.mark();
    const { status } = await engine.execute(messages[number % JOBS]!, context, GAS);
    state.undoAll();
    if (status !== 'success') throw new Error(`${call.name}: ${status}`);
  });
}

async function estimates(set: ContractSet): Promise<void> {
  const table = new SetTable(set);
  printEnginesHead('estimate, us');
  for (const call of set.calls) {
    await printEngines(call.name, (engine) => estimateUs(table, jobsOf(call, JOBS), engine));
  }
}

function estimateUs(table: SetTable, jobs: readonly Job[], engine: string): Promise<number> {
  const runner = createRunner(engine);
  return cpuUs((number) => table.run(runner, jobs[number % jobs.length]!));
}

/** In a new thread each time: nothing is compiled, nothing is cached. */
async function start(set: ContractSet): Promise<void> {
  const table = new SetTable(set);
  printHead('after a thread start', 'engine', 'first estimate, ms', 'second, ms', 'tenth, ms');
  for (const call of set.calls) {
    for (const engine of NAMES) {
      const runs: FirstTimes[] = [];
      for (let round = 0; round < STARTS; round++) runs.push(await firstEstimates(table, call, engine));
      const ms = [0, 1, 9].map((at) => digits(median(runs.map((times) => times[at]!)) / 1000));
      printRow(call.name, engine, ...ms);
    }
  }
}

async function firstEstimates(table: SetTable, call: CallTemplate, engine: string): Promise<FirstTimes> {
  const { buffer, version } = table;
  const workerData: FirstEstimates = { engine, buffer, version, jobs: jobsOf(call, 10) };
  const worker = new Worker(new URL('./first-estimate.js', import.meta.url), { workerData });
  const [times] = (await once(worker, 'message')) as [FirstTimes];
  await worker.terminate();
  return times;
}

/** Publishes a version, then runs two estimates on it. */
async function versions(set: ContractSet): Promise<void> {
  const table = new SetTable(set);
  printHead('on a new version', 'engine', 'first estimate, us', 'second, us');
  for (const call of set.calls) {
    for (const engine of NAMES) {
      const runner = createRunner(engine);
      const jobs = jobsOf(call, JOBS);
      for (let warm = 0; warm < JOBS; warm++) await table.run(runner, jobs[warm]!);
      const pairs = await pairsOf(VERSIONS, (index) => {
        table.publishSmall();
        return () => table.run(runner, jobs[index]!);
      });
      printRow(call.name, engine, ...pairs.map(digits));
    }
  }
}

/** Median times of a step's first and second run. */
async function pairsOf(count: number, prepare: (index: number) => () => Promise<void>): Promise<[number, number]> {
  const [first, second]: [number[], number[]] = [[], []];
  for (let index = 0; index < count; index++) {
    const step = prepare(index);
    first.push(await wallUs(step));
    second.push(await wallUs(step));
  }
  return [median(first), median(second)];
}

/** Swaps at routers with different code, on a warm engine. */
async function contracts(set: ContractSet): Promise<void> {
  const table = new SetTable(set);
  const swap = set.calls.find(({ name }) => name === 'V2 router swap')!;
  printHead('first call of a contract, 22 KB', 'engine', 'first estimate, us', 'second, us');
  for (const engine of NAMES) {
    const runner = createRunner(engine);
    for (const warm of jobsOf(swap, JOBS)) await table.run(runner, warm);
    const jobs = set.routerCopies.map((to) => jobsOf({ ...swap, to }, 1)[0]!);
    const pairs = await pairsOf(jobs.length, (index) => () => table.run(runner, jobs[index]!));
    printRow(swap.name, engine, ...pairs.map(digits));
  }
}

/** Every estimate reads new accounts and slots. */
async function accounts(set: ContractSet): Promise<void> {
  printEnginesHead('estimate, by number of accounts and slots, us');
  for (const fill of FILLS) {
    const table = new SetTable(set, fill);
    for (const kind of ['plain transfer', 'ERC-20 transfer'] as const) {
      const jobs = holderJobs(table, kind);
      const label = `${kind}, ${fill.toLocaleString('en')}`;
      await printEngines(label, (engine) => estimateUs(table, jobs, engine));
    }
  }
}

/** Resident memory of the program's estimators. */
async function memory(set: ContractSet): Promise<void> {
  const table = new SetTable(set);
  const jobs = set.calls.flatMap((call) => jobsOf(call, 4 * WORKERS));
  const empty = residentMiB();
  const pool = await startPool();
  pool.setTable({ generation: 1, buffer: table.buffer });
  const started = residentMiB();
  const position = { kind: 'version', version: table.version } as const;
  const outcomes = await Promise.all(jobs.map((job) => pool.submit({ ...job, position })!));
  outcomes.forEach(requireGas);
  const used = residentMiB();
  await pool.close();
  printHead('memory of an estimator thread', 'MiB');
  printRow('started', digits((started - empty) / WORKERS));
  printRow('after estimates of every kind', digits((used - empty) / WORKERS));
}

function startPool(): Promise<WorkerPool> {
  const workerFile = new URL('../workers/estimator.js', import.meta.url);
  const kernel = { mode: 'on', counters: new KernelCounters().buffer } as const;
  const workerData = (takesLong: boolean): EstimatorData => ({
    chain: CHAIN,
    dataDir: null,
    kernel,
    estimateMode: 'same',
    takesLong,
  });
  const pin = { pin: () => true, unpin: () => undefined };
  const parts = { pinOn: () => pin, onFailure: (error: Error) => console.error(error) };
  return WorkerPool.start({ workers: WORKERS, workerFile, workerData }, parts);
}

function residentMiB(): number {
  return process.memoryUsage.rss() / MIB;
}

await main();
