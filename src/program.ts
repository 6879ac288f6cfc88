// The program: handles the command line, environment, signals and exit codes, so that other files need not.

// Minor garbage collections run without helper threads. See DECISIONS.md.
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { isatty } from 'node:tty';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { Worker } from 'node:worker_threads';
import type { ProgramOutputOptions } from './cli/program-output.js';
import { parentProcessIds, watchParentProcesses } from './cli/watch-parent-process.js';
import type { ProgressReport } from './cli/progress-report.js';
import type { Config } from './config/config.js';
import type { Engine } from './engine/engine.js';
import { Watchdog } from './lib/threads/watchdog.js';
import { workerFileUrl } from './lib/threads/worker-file.js';
import { LIMITS } from './limits/index.js';
import {
  type ProcessResources,
  webSocketsMaxFor,
  defaultStateBytes,
  readResources,
  resourceShortage,
} from './observe/check-resources.js';
import { StartError } from './lib/start-error.js';
import { packageVersion } from './observe/package-version.js';

const EXIT_CONFIGURATION = 2;
const EXIT_FAILURE = 1;
const STDOUT = 1;

// Garbage collections of the young generation run on the thread itself. With helper threads it would wait until each of
// them has had a processor, which takes 10 ms or more on a busy machine. The price is 3 % more of a thread's time for
// collecting.
setFlagsFromString('--no-parallel-scavenge');

/** The worker threads that are running. */
const threads = new Set<Worker>();
process.on('worker', (thread: Worker) => {
  threads.add(thread);
  thread.once('exit', () => threads.delete(thread));
});

/** File descriptors of stdin, stdout and stderr that are terminals. */
const terminals = [0, STDOUT, 2].filter((fd) => isatty(fd));

/**
 * Handles signals. Until a program or load test runs, a signal makes the process exit. Needed because process 1 of a
 * container has no default handlers.
 */
let onSignal: (signal: NodeJS.Signals) => void = () => void leave([], 0);
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => onSignal(name));
const ancestry = parentProcessIds();

/**
 * Prints these lines and exits without waiting for a thread that is stuck. If a thread hangs in a system call, or the
 * terminal is closed, the process kills itself; otherwise Node.js would abort with a stack trace, because it cannot
 * reset the terminal.
 */
async function leave(lines: readonly string[], exitCode: number): Promise<never> {
  for (const line of lines) process.stderr.write(`prestate: ${line}\n`);
  const running = [...threads];
  const ended = Promise.all(running.map((thread) => thread.terminate()));
  await Promise.race([ended, sleep(LIMITS.threadEndMsMax)]);
  if (running.some((thread) => threads.has(thread)) || terminals.some((fd) => !isatty(fd))) {
    process.kill(process.pid, 'SIGKILL');
  }
  process.exit(exitCode);
}

/** Stops a running program, component by component, within bounded time. */
class Ending {
  readonly #engine: Engine;
  readonly #progress: ProgressReport;
  readonly #watchdog = new Watchdog(workerFileUrl('watchdog'), {
    checkMs: LIMITS.watchdogCheckMs,
    silentChecksMax: LIMITS.mainSilentChecksMax,
    stoppingChecksMax: Math.ceil((LIMITS.stopMsMax + LIMITS.threadEndMsMax) / LIMITS.watchdogCheckMs),
  });
  #isEnding = false;
  #signalledAtMs = 0;

  constructor(engine: Engine, progress: ProgressReport) {
    this.#engine = engine;
    this.#progress = progress;
  }

  /**
   * Stops the engine and exits, printing the message. Only the first call counts. If stopping hangs, the watchdog
   * thread ends the process.
   */
  async end(message: string | null, exitCode: number): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#progress.end();
    this.#watchdog.stopping();
    setTimeout(() => void this.#leave('something hangs: not stopped in order', EXIT_FAILURE), LIMITS.stopMsMax).unref();
    try {
      await this.#engine.stop();
    } catch (error) {
      await this.#leave((error as Error).message, EXIT_FAILURE);
    }
    await this.#leave(message, exitCode);
  }

  /** Handles a signal. The first one stops the engine in an orderly way, a second one exits at once. */
  signalled(signal: NodeJS.Signals, log: (signal: NodeJS.Signals) => void): void {
    const now = performance.now();
    if (this.#signalledAtMs === 0) {
      this.#signalledAtMs = now;
      log(signal);
      void this.end(null, 0);
    } else if (now - this.#signalledAtMs >= LIMITS.secondSignalMsMin) {
      void this.#leave(`ended by a second ${signal}`, EXIT_FAILURE);
    }
  }

  #leave(message: string | null, exitCode: number): Promise<never> {
    this.#engine.removeTemporary();
    return leave(message === null ? [] : [message], exitCode);
  }
}

async function run(config: Config): Promise<void> {
  const version = packageVersion();
  const workers = config.workers ?? availableParallelism();
  const resources = await enough(workers);
  const [{ openProgramOutput: openOutput }, { Engine }, { collectBannerFacts: bannerFacts }] = await Promise.all([
    import('./cli/program-output.js'),
    import('./engine/engine.js'),
    import('./engine/banner-facts.js'),
  ]);
  const { log, progress, showBanner } = openOutput(outputOptions(config));
  const onFatal = (message: string, exitCode: number): void => {
    log.error(message);
    void ending.end(message, exitCode);
  };
  const socketsMax = webSocketsMaxFor(resources, workers);
  if (socketsMax < LIMITS.socketsMax) log.warn({ socketsMax }, 'file descriptors bound the WebSockets');
  const stateBytesMax = defaultStateBytes(resources);
  const engine = new Engine(config, { log, progress, version, workers, socketsMax, stateBytesMax, onFatal });
  const ending = new Ending(engine, progress);
  onSignal = (name) => ending.signalled(name, (signal) => log.info({ signal }, 'stopping'));
  endWithNpm(() => {
    log.info('npm has ended: stopping');
    void ending.end(null, 0);
  });
  try {
    showBanner(bannerFacts(config, await engine.start(), version));
  } catch (error) {
    const exitCode = error instanceof StartError ? error.exitCode : EXIT_FAILURE;
    await ending.end((error as Error).message, exitCode);
  }
}

/** Decides how the program writes to stdout: readable lines on a terminal, JSON lines elsewhere. */
function outputOptions(config: Config): ProgramOutputOptions {
  const isTerminal = isatty(STDOUT);
  const { TERM, NO_COLOR = '' } = process.env;
  const canDraw = isTerminal && TERM !== 'dumb';
  return {
    level: config['log-level'],
    format: config['log-format'] ?? (isTerminal ? 'pretty' : 'json'),
    hasColours: canDraw && NO_COLOR === '',
    columns: canDraw ? () => process.stdout.columns : null,
    nowMs: () => performance.now(),
  };
}

/**
 * Asks the instance at the configured address whether it is ready, within the time limit of a health check, and prints
 * the answer.
 */
async function logWhenReady({ host, port }: Config): Promise<void> {
  const { fetchUnreadyReason } = await import('./cli/readiness-query.js');
  const reason = await fetchUnreadyReason(host, port, LIMITS.readyCheckMsMax);
  if (reason !== null) return leave([reason], EXIT_FAILURE);
  process.stdout.write('ready\n');
}

/**
 * Stops the program when the npm process that started it ends. A signal to npm is meant for the program, but npm
 * forwards only some signals, and only to the shell between npm and the program.
 */
function endWithNpm(gone: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  watchParentProcesses(ancestry, LIMITS.parentCheckMs, gone);
}

/**
 * Reads the available resources. Exits if memory or file descriptors are not enough for `workers` estimator threads.
 */
async function enough(workers: number): Promise<ProcessResources> {
  const resources = readResources();
  const short = resourceShortage(resources, workers);
  if (short !== null) await leave([short], EXIT_FAILURE);
  return resources;
}

const say = (text: string): void => void process.stdout.write(text);

/**
 * Runs a load test of endpoints. The first signal ends the test and reports its results so far, a second one exits at
 * once.
 */
async function bench(args: readonly string[]): Promise<never> {
  const { runBench } = await import('./cli/run-bench.js');
  const ending = new AbortController();
  onSignal = () => (ending.signal.aborted ? void leave([], EXIT_FAILURE) : ending.abort());
  const columns = isatty(STDOUT) ? process.stdout.columns : null;
  const terminal = { name: 'prestate bench', write: say, columns, signal: ending.signal };
  const code = await runBench(args, terminal).catch((error: Error) => leave([error.message], EXIT_FAILURE));
  return leave([], code);
}

// Resources are checked first: without enough memory, loading the modules fails with an obscure message or none.
await enough(1);
if (process.argv[2] === 'bench') await bench(process.argv.slice(3));
const [{ helpText }, { readCommandAndConfig }] = await Promise.all([
  import('./config/help-text.js'),
  import('./config/read-settings.js'),
]);
const command = readCommandAndConfig(process.argv.slice(2), process.env);
switch (command.kind) {
  case 'help':
    process.stdout.write(`${helpText(process.stdout.columns)}\n`);
    break;
  case 'version':
    process.stdout.write(`${(await import('./observe/version-line.js')).versionLine(packageVersion())}\n`);
    break;
  case 'checked':
    process.stdout.write('the configuration is right\n');
    break;
  case 'ready':
    await logWhenReady(command.config);
    break;
  case 'invalid':
    await leave(command.faults, EXIT_CONFIGURATION);
    break;
  case 'run':
    await run(command.config);
}
