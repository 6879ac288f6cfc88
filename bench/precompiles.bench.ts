// How much gas of each precompile is computed in a second of processor time, by the addon and by the library? Prints
// one table. `node dist/bench/precompiles.bench.js [part of a name]`, or with `--readme`, which writes that of
// bench/RESULTS.md, too.
import { parseArgs } from 'node:util';
import { createChainRules } from '../src/evm/reference/fork-rules.js';
import { ETHEREUMJS_PRECOMPILES, NATIVE_FIRST_PRECOMPILES } from '../src/evm/precompiles/precompile-implementations.js';
import { chainAt } from '../test/support/jobs.js';
import { SUBJECTS, type Subject } from '../test/support/precompile-vectors.js';
import { precompileRunner, type RunPrecompile } from '../test/support/precompile-runner.js';
import { writeTable } from './own/readme.js';
import { markdown } from './suite/table.js';
import { median, printHead, printRow } from './support/timing.js';

const PLENTY = 10n ** 12n;
/** Calls of a round take so much processor time at least; best of some rounds, the first of which warms up. */
const ROUND_US = 60_000;
const ROUNDS = 4;

/** Mgas in a second of processor time, of each input. */
async function ratesOf({ number, inputs }: Subject, run: RunPrecompile): Promise<number[]> {
  const rates: number[] = [];
  for (const input of inputs) {
    const { gas, error } = await run(number, input, PLENTY);
    // A call that fails takes all gas; it has to be given what the others cost.
    const price = error === null ? gas : await priceOf(number, inputs, run);
    rates.push(Number(price) / (await callUs(async () => void (await run(number, input, PLENTY)))));
  }
  return rates;
}

/** Of the first input that succeeds. */
async function priceOf(number: number, inputs: readonly Uint8Array[], run: RunPrecompile): Promise<bigint> {
  for (const input of inputs) {
    const { gas, error } = await run(number, input, PLENTY);
    if (error === null) return gas;
  }
  throw new Error(`no input of ${number} succeeds`);
}

/** Processor time of a call in microseconds. */
async function callUs(call: () => Promise<void>): Promise<number> {
  const rounds: number[] = [];
  let [calls, us] = [1, 0];
  while (rounds.length <= ROUNDS) {
    const start = process.cpuUsage();
    for (let i = 0; i < calls; i++) await call();
    const { user, system } = process.cpuUsage(start);
    us = user + system;
    // The clock of processor time may be as coarse as some milliseconds.
    if (us < ROUND_US) calls = Math.ceil(calls * Math.min(50, (1.2 * ROUND_US) / Math.max(us, 1)));
    else rounds.push(us / calls);
  }
  return Math.min(...rounds.slice(1));
}

function shown(rate: number): string {
  return rate >= 10 ? rate.toFixed(0) : rate.toPrecision(2);
}

/** Median and worst. */
function shownOf(rates: readonly number[]): [string, string] {
  return [shown(median([...rates])), shown(Math.min(...rates))];
}

const HEAD = ['precompile', 'ours', 'library'];
/** Precompiles a line of the table there. */
const IN_A_LINE = 5;

/** Rows of name, ours and the library's, some beside one another. */
function compact(rows: readonly (readonly string[])[]): string {
  const heads = Array.from({ length: IN_A_LINE }, () => HEAD).flat();
  const lines = Array.from({ length: Math.ceil(rows.length / IN_A_LINE) }, (_, at) => {
    const cells = rows.slice(at * IN_A_LINE, (at + 1) * IN_A_LINE).flat();
    return heads.map((_head, i) => cells[i] ?? '');
  });
  return markdown([heads, ...lines]);
}

const { values: options, positionals } = parseArgs({
  options: { readme: { type: 'boolean' } },
  allowPositionals: true,
});
const wanted = positionals[0] ?? '';
const rows: string[][] = [];
printHead('Mgas/s of CPU', 'ours, median', 'ours, worst', 'library, median', 'library, worst', 'ratio of the worst');
for (const measured of SUBJECTS.filter(({ name }) => name.includes(wanted))) {
  const rules = createChainRules(chainAt(measured.fork)).at(1, 1);
  const ours = await ratesOf(measured, precompileRunner(rules, NATIVE_FIRST_PRECOMPILES));
  const theirs = await ratesOf(measured, precompileRunner(rules, ETHEREUMJS_PRECOMPILES));
  if (NATIVE_FIRST_PRECOMPILES.native.has(measured.number))
    rows.push([measured.name, shownOf(ours).join(' / '), shownOf(theirs).join(' / ')]);
  printRow(measured.name, ...shownOf(ours), ...shownOf(theirs), shown(Math.min(...ours) / Math.min(...theirs)));
}
if (options.readme) writeTable('bench/RESULTS.md', 'precompiles', compact(rows));
