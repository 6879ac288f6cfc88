// This build against a reference commit, measured alternately: `npm run pace -- [part of a row …] [--seconds S]
// [--rounds N]`. Prints the table that a change to the request path has to show.
import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { buildSockets } from './load/sockets/build.js';
import { type PaceOptions, readPaceOptions } from './own/pace-options.js';
import { callsIn, type PaceRun } from './own/pace-rows.js';
import { behind, ceilingTable, type PaceFigures, type PaceRow, paceTable } from './own/pace-table.js';
import { referenceBuild } from './own/reference-build.js';
import { openOwnStage } from './own/still-stage.js';
import { startBuild, startScript } from './program.js';
import { type Listed, scenarioAt } from './scenarios/scenarios.js';
import { hasNumbers } from './suite/comparison.js';
import { Generators } from './suite/generator-host.js';
import { thisMachine } from './suite/machine.js';
import type { Row } from './suite/results.js';
import type { RowOptions } from './suite/row-plan.js';
import { measureRow } from './suite/row.js';
import type { Stage } from './suite/stage.js';
import { targetAt } from './suite/target.js';

const ACCOUNTS = 10_000;
const ROWS = new URL('own/pace-rows.js', import.meta.url).href;
const FIXED = { warmUpSeconds: 0.3, warmUpsMax: 6, seed: 1, beside: null, pace: null };
const SPIN = 'for (;;);';
const say = (text: string): void => void process.stdout.write(text);

const ending = new AbortController();
process.once('SIGINT', () => ending.abort());

async function main(): Promise<number> {
  const options = readPaceOptions(process.argv.slice(2));
  const reference = referenceBuild(say);
  buildSockets();
  const generators = new Generators();
  const stage = await openOwnStage(ACCOUNTS, async (genesis, start) => {
    const args = ['--port', '0', '--genesis', genesis];
    const ours = await start(startScript('src/main.js', ...args));
    const other = await start(startBuild(reference.folder, 'src/main.js', ...args));
    return [await targetAt('ours', ours), await targetAt('reference', other)];
  });
  try {
    const given = { ...FIXED, seconds: options.seconds, rounds: options.rounds };
    const rows = await measure(options.runs, { listed: await scenarioAt(ROWS), stage, options: given, generators });
    printTables(rows, reference.commit, options);
    return rows.length < options.runs.length || rows.some((row) => row.ours === null || row.reference === null) ? 1 : 0;
  } finally {
    await generators.stop();
    await stage.stop();
  }
}

interface PaceMeans {
  readonly listed: Listed;
  readonly stage: Stage;
  readonly options: RowOptions;
  readonly generators: Generators;
}

async function measure(wanted: readonly PaceRun[], means: PaceMeans): Promise<PaceRow[]> {
  const rows: PaceRow[] = [];
  for (const run of wanted) {
    if (ending.signal.aborted) break;
    const row = await rowOf(run, means);
    say(`${row.name}, ${row.connections}: ${rateText(row.ours)}, reference ${rateText(row.reference)} calls/s\n`);
    rows.push(row);
  }
  return rows;
}

async function rowOf(run: PaceRun, { listed, stage, options, generators: parts }: PaceMeans): Promise<PaceRow> {
  const busy = run.isBusy ? Array.from({ length: availableParallelism() }, spin) : [];
  try {
    const row = await measureRow({ listed, run, stage, options, parts, signal: ending.signal, onLive: null });
    const { name, load, isBusy } = run;
    const about = { name, connections: load.connections, calls: callsIn(run), isBusy };
    return { ...about, ours: figuresOf(row, 'ours'), reference: figuresOf(row, 'reference') };
  } finally {
    for (const child of busy) child.kill();
  }
}

function spin(): ChildProcess {
  return spawn(process.execPath, ['-e', SPIN], { stdio: 'ignore' });
}

/** `null` if there are none; the reason is printed. */
function figuresOf(row: Row, name: string): PaceFigures | null {
  const side = row.sides.find(({ target }) => target === name);
  if (side !== undefined && hasNumbers(side)) return side.figures;
  say(`${row.run}, ${name}: no numbers: ${side?.void ?? 'no turn'}\n`);
  return null;
}

function rateText(figures: PaceFigures | null): string {
  return figures === null ? 'no' : Math.round(figures.callsPerSecond.median).toLocaleString('en');
}

function printTables(rows: readonly PaceRow[], commit: string, { seconds, rounds }: PaceOptions): void {
  const { version, cores, node, loadBefore } = thisMachine();
  say(
    `\n${version} against ${commit.slice(0, 8)}; ${cores} cores, Node ${node}, medians of ${rounds} turns of ${seconds} s, `,
  );
  say(`load ${loadBefore}\n\n${paceTable(rows)}\nMain's share only:\n\n${ceilingTable(rows)}\n`);
  const lost = behind(rows);
  say(
    lost.length === 0 ? 'every row is faster than the reference\n' : `slower than the reference: ${lost.join('; ')}\n`,
  );
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
