// The program of an estimator thread: runs the main thread's jobs on their state versions, and checks results with the
// reference EVM.

// On Linux each thread sets its own priority, so that a thread comes before those that wait for it: first the main and
// the publisher thread, then the worker for short jobs (nice 5), then the others (nice 10). See DECISIONS.md.
import { ERRORS } from '../../rpc-errors.js';
import type { Job, JobOutcome } from '../../transaction/evm-job.js';
import type { ChainDescription } from '../../chain/chain-description.js';
import { whenReady, catchNow, finallyNow } from '../../lib/threads/sync-or-async.js';
import { collectGarbage } from '../../lib/memory/garbage-collection.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import { JobRunner, type EstimateCriterion } from '../../execution/call/job-runner.js';
import type { CreateEngine, KernelSettings } from '../../evm/kernel/kernel-or-reference-engine.js';
import { RESPONSE_TOO_LARGE } from '../../execution/call/response-size-budget.js';
import { runWithMissingState } from '../../execution/call/find-missing-keys.js';
import { runJobRecordingReads } from '../../execution/call/run-job-recording-reads.js';
import { createChainRules, type ForkRules } from '../../evm/reference/fork-rules.js';
import { LIMITS } from '../../limits/index.js';
import { releaseMemory } from '../../native/release-memory.js';
import { ArchiveDamage } from '../../state/archive/format/archive-damage.js';
import { ArchiveReader } from '../../state/archive/reader.js';
import { VersionNotKept } from '../../state/table/read/table-reader-and-snapshot.js';
import type { StateView } from '../../state/views/state-view.js';
import type { ReferenceResult } from '../codec/reference-result.js';
import { StateResolver, type StateAtPosition } from './job-base-state.js';
import { createTaskServer, type WorkerTaskMessage } from './task-server.js';
import type { TableRef } from '../pool-request-types.js';

/** Data that an estimator thread gets when it starts. */
export interface EstimatorData {
  readonly chain: ChainDescription;
  /** Folder of the archive; `null` for a live chain, which has none. */
  readonly dataDir: string | null;
  readonly kernel: KernelSettings;
  readonly estimateMode: EstimateCriterion;
  /** True unless this is the estimator for short jobs. A thread that takes long jobs has a lower priority. */
  readonly takesLong: boolean;
}

/**
 * Creates the task server of an estimator thread. `createEngine` creates the EVMs that execute jobs; the reference EVM
 * checks them. `onDamage` is called with each damaged archive record that a job needs.
 */
export function createEvmTaskServer(
  { chain, dataDir, estimateMode }: Pick<EstimatorData, 'chain' | 'dataDir' | 'estimateMode'>,
  createEngine: CreateEngine,
  onDamage: (message: string) => void,
): (task: WorkerTaskMessage) => Promise<ArrayBuffer | null> {
  const runners = new RunnersByTable(chain, { createEngine, estimateMode });
  const resolver = new StateResolver(dataDir === null ? null : ArchiveReader.open(dataDir));
  return createTaskServer({
    run: (job, table) =>
      catchNow(
        () => answerAt(job, table, resolver, runners.at(table).runner),
        (error) => damaged(error, onDamage),
      ),
    runReference: (job, table) => runReferenceAt(job, table, resolver, runners.at(table).reference),
    onAnswered: () => runners.renew(),
    onIdle: () => {
      runners.renew(LIMITS.engineBytesIdleMax);
      releaseMemory();
    },
    onTable: (table) => {
      if (resolver.switchTo(table)) collectGarbage();
    },
  });
}

interface RunnerDeps extends Pick<EstimatorData, 'estimateMode'> {
  readonly createEngine: CreateEngine;
}

/** The functions that run jobs by the rules of one chain. */
interface Runners {
  readonly runner: JobRunner;
  /** Runs jobs on the reference EVM, for checks. */
  readonly reference: JobRunner;
}

/**
 * Job runners by state table, because a table may come with a chain description of its own. Of such tables, only the
 * newest one's runners are retained.
 */
class RunnersByTable {
  readonly #how: RunnerDeps;
  readonly #first: Runners;
  readonly #made = new Map<string, ForkRules>();
  #own: { readonly generation: number; readonly runners: Runners } | null = null;

  constructor(chain: ChainDescription, how: RunnerDeps) {
    this.#how = how;
    this.#first = this.#make(chain);
  }

  at(table: TableRef | null): Runners {
    if (table?.chain === undefined) return this.#first;
    const { generation, chain } = table;
    if (this.#own?.generation !== generation) this.#own = { generation, runners: this.#make(chain) };
    return this.#own.runners;
  }

  renew(bytesKeptMax?: number): void {
    this.#first.runner.renew(bytesKeptMax);
    this.#own?.runners.runner.renew(bytesKeptMax);
  }

  #make(chain: ChainDescription): Runners {
    const { createEngine, estimateMode } = this.#how;
    const rules = createChainRules(chain, this.#made);
    const runner = new JobRunner({ rules, createEngine, estimateMode });
    runner.prepare(Number.MAX_SAFE_INTEGER, Math.floor(Date.now() / 1000));
    return { runner, reference: new JobRunner({ rules, estimateMode }) };
  }
}

function answerAt(
  job: Job,
  table: TableRef | null,
  resolver: StateResolver,
  runner: JobRunner,
): JobOutcome | Promise<JobOutcome> {
  return onState(job, table, resolver, (state) => (state === null ? notKept(job) : answer(job, state, runner)));
}

/** Runs a job on the reference EVM with a time limit, because the thread is needed for the next jobs. */
async function runReferenceAt(
  job: Job,
  table: TableRef | null,
  resolver: StateResolver,
  reference: JobRunner,
): Promise<ReferenceResult> {
  const brief = { ...job, timeoutMs: Math.min(job.timeoutMs, LIMITS.kernelCheckMsMax) };
  return onState(job, table, resolver, async (state) => {
    if (state === null) return { outcome: notKept(job), codeHash: null };
    const outcome = await answer(brief, state, reference);
    return { outcome, codeHash: outcome.kind === 'missing' ? null : calledCode(job, state.view) };
  });
}

function answer(job: Job, state: StateAtPosition, runner: JobRunner): JobOutcome | Promise<JobOutcome> {
  if (job.isWatched !== true) return outcomeOn(state.view, job, state, runner);
  return runJobRecordingReads({ job, view: state.view, runner }, (view) => outcomeOn(view, job, state, runner));
}

function outcomeOn(
  view: StateView,
  job: Job,
  state: StateAtPosition,
  runner: JobRunner,
): JobOutcome | Promise<JobOutcome> {
  const { env, isComplete, contents } = state;
  const run = isComplete ? runner.runJob(job, view, env, contents) : runWithMissingState(runner, job, { view, env });
  return whenReady(run, bounded);
}

/** Replaces a result that is longer than the largest response by an error, so that it does not leave the thread. */
function bounded(outcome: JobOutcome): JobOutcome {
  const bytes = 'data' in outcome ? outcome.data.length : outcome.kind === 'json' ? outcome.text.length : 0;
  return bytes <= LIMITS.returnBytesMax ? outcome : RESPONSE_TOO_LARGE;
}

/**
 * Returns the hash of the code that the job calls, including overrides, or of its init code; `null` if the job makes
 * several calls.
 */
function calledCode({ call, stateOverride, blocks, bundle }: Job, view: StateView): Uint8Array | null {
  if (blocks !== undefined || bundle !== undefined) return null;
  const { to } = call;
  if (to === null) return keccak256(call.data);
  const code = stateOverride.find(({ address }) => Buffer.compare(address, to) === 0)?.code;
  return code === undefined ? (view.account(to)?.codeHash ?? null) : keccak256(code);
}

/**
 * Runs `use` with the state on which the job runs. If that state version is no longer retained, or is evicted while
 * `use` reads it, runs `use` with `null`.
 */
function onState<T>(
  { position, kind }: Job,
  table: TableRef | null,
  resolver: StateResolver,
  use: (state: StateAtPosition | null) => T | Promise<T>,
): T | Promise<T> {
  const step = (): T | Promise<T> =>
    catchNow(
      () => use(resolver.at(position, table)),
      (error) => {
        if (error instanceof VersionNotKept) return use(null);
        throw error;
      },
    );
  if (position.kind !== 'archive' && kind !== 'simulate') return step();
  return finallyNow(step, () => resolver.release());
}

/**
 * Returns the outcome of a job that needs a damaged archive record. It is not retried, because another thread would
 * read the same record.
 */
function damaged(error: unknown, onDamage: (message: string) => void): JobOutcome {
  if (!(error instanceof ArchiveDamage)) throw error;
  onDamage(error.message);
  return { kind: 'failure', error: 'internal', message: ERRORS.internal.message };
}

function notKept({ position }: Job): JobOutcome {
  const message =
    position.kind === 'archive'
      ? `missing trie node: state at block ${position.block} is not available`
      : ERRORS.stateNotKept.message;
  return { kind: 'failure', error: 'stateNotKept', message };
}
