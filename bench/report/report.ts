// The report: one self-contained HTML file. Runs in the bench.
import { readFileSync } from 'node:fs';
import { digits, hasNumbers } from '../suite/comparison.js';
import { percent } from '../suite/figures.js';
import type { Figures, Results, Row, Side } from '../suite/results.js';
import { comparedText, refusedCell } from '../suite/table.js';
import type { Difference } from '../suite/truth.js';
import { escaped, scriptJson, table } from './html.js';
import type { Plot } from './plot-data.js';
import { barsPlot, colours, coursePlots, curvePlot, stepPlot, surgePlots } from './plots.js';
import { ratioBars } from './ratio-bars.js';
import { STYLE } from './style.js';

const HEAD = [
  'target',
  'calls/s',
  'p50 ms',
  'p90 ms',
  'p99 ms',
  'p99.9 ms',
  'max ms',
  'from send: p99 ms',
  'CPU us/call',
  'memory MiB',
  'of raw',
  'refused (p99 ms)',
];
const MIB = 1024 * 1024;
/** Plots over time. */
const COURSES = ['results a second', 'p99'];

/** Shared state while a page is rendered. */
interface Page {
  readonly colourOf: (target: string) => string;
  readonly plots: Plot[];
}

/** The complete file. */
export function reportOf(results: Results): string {
  const page: Page = { colourOf: colours(results), plots: [] };
  const body = [
    head(results),
    failures(results),
    overview(results, page),
    ...scenarios(results, page),
    skipped(results),
  ].join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Bench: ${escaped(results.name)}</title>
<style>${library('uPlot.min.css')}${STYLE}</style></head>
<body>
${body}
<script type="application/json" id="plots">${scriptJson(page.plots)}</script>
<script>${library('uPlot.iife.min.js')}</script>
<script type="module">${pageScript()}</script>
</body></html>
`;
}

/** A file that the build has copied here. */
function library(name: string): string {
  return readFileSync(new URL(`./uplot/${name}`, import.meta.url), 'utf8');
}

/** Without the reference to its source map, which is not included. */
function pageScript(): string {
  return readFileSync(new URL('./page-script.js', import.meta.url), 'utf8').replace(/\n\/\/# sourceMappingURL.*/, '');
}

function head({ name, startedAt, seconds, machine, settings, targets, command }: Results): string {
  const facts: readonly (readonly [string, string])[] = [
    [
      'machine',
      `${machine.cpu}, ${machine.cores} cores, ${Math.round(machine.memoryBytes / MIB / 1024)} GiB, ${machine.system}`,
    ],
    ['load before', `${machine.loadBefore} in the last minute`],
    ['versions', `${machine.version}, Node ${machine.node}`],
    ...targets.map(({ name: target, version, url }): [string, string] => [target, `${version} at ${url}`]),
    ['turns', `${settings.rounds} of ${settings.secondsPerTurn} s each, targets alternating; seed ${settings.seed}`],
  ];
  const list = facts.map(([term, text]) => `<dt>${escaped(term)}</dt><dd>${escaped(text)}</dd>`).join('');
  const started = new Date(startedAt).toUTCString();
  return `<h1>Bench: ${escaped(name)}</h1><p class="faint">${started}, ${seconds} s</p><dl class="facts">${list}</dl>
<p class="faint">To repeat:</p><pre>${escaped(command)}</pre>`;
}

function failures({ failures: lines, isCut }: Results): string {
  const all = [...(isCut ? ['interrupted: what had been measured by then'] : []), ...lines];
  return all.length === 0 ? '' : `<ul class="bad">${all.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>`;
}

function overview(results: Results, { colourOf }: Page): string {
  const bars = ratioBars(results, colourOf);
  if (bars === '') return '';
  const first = results.rows.flatMap(({ comparisons }) => comparisons.map((one) => one.first))[0]!;
  return `<h2>At a glance</h2><p class="faint">To the right ${escaped(first)} is better: more calls a second in closed loops, a lower p99
in others. The thin line is the 99 % confidence interval; if it contains 1 the bar is pale: no difference.</p><div class="card">${bars}</div>`;
}

function scenarios({ rows }: Results, page: Page): string[] {
  const names = [...new Set(rows.map(({ scenario }) => scenario))];
  return names.map((name, i) => {
    const own = rows.filter(({ scenario }) => scenario === name);
    const cards = own.map((row, j) => card(row, `${i}-${j}`, page)).join('');
    const title = `<h2>${escaped(name)}</h2><p class="faint">${escaped(own[0]!.question)} State: ${escaped(own[0]!.world)}.</p>`;
    return title + steps(own, `${i}`, page) + cards;
  });
}

/** Rows of rising rates share a plot. */
function steps(rows: readonly Row[], id: string, { plots, colourOf }: Page): string {
  const rising = rows.filter(({ loadKind }) => loadKind === 'step');
  if (rising.length < 2) return '';
  plots.push(
    stepPlot(`accepted-${id}`, rising, 'callsPerSecond', colourOf),
    stepPlot(`p99-${id}`, rising, 'p99', colourOf),
  );
  const accepted = figure(`accepted-${id}`, 'results a second, by requests offered a second');
  const late = figure(`p99-${id}`, 'their p99, from the intended start, by requests offered a second');
  return `<div class="card"><h3>Rising rates</h3><div class="plots">${accepted}${late}</div></div>`;
}

function card(row: Row, id: string, page: Page): string {
  const { run, load, sides, checkedBefore, differences } = row;
  const used = HEAD.slice(1).map((_, i) =>
    sides.some((side) => hasNumbers(side) && figureCells(side.figures!)[i] !== ''),
  );
  const isShown = (_: string, i: number): boolean => i === 0 || used[i - 1]!;
  const cells = sides.map((side) => (hasNumbers(side) ? cellsOf(side, page).filter(isShown) : voidCells(side, page)));
  const compared = sides
    .map(({ target }) => [target, comparedText(row, target)] as const)
    .filter(([, text]) => text !== '');
  const notes = sides.flatMap(({ target, notes: all }) => all.map((note) => `${target}: ${note}`));
  const checked = sides.reduce((sum, { figures }) => sum + (figures?.checked ?? 0), 0);
  const truth = `${checkedBefore} requests compared at every target beforehand, ${checked} responses verified during the run.`;
  const better = compared.map(([target, reported]) => `Against ${target}: ${reported}.`);
  const text = [...better, `Load: ${load}.`, truth, ...notes].map(escaped).join('<br>');
  return `<div class="card"><h3>${escaped(run)}</h3>${table(HEAD.filter(isShown), cells)}<p class="faint">${text}</p>${differencesOf(differences)}${plotsOf(row, id, page)}</div>`;
}

function cellsOf(side: Side, page: Page): string[] {
  return [nameCell(side, page), ...figureCells(side.figures!)];
}

function voidCells(side: Side, page: Page): string[] {
  return [nameCell(side, page), `<span class="bad">no numbers: ${escaped(side.void ?? '')}</span>`];
}

function nameCell({ target }: Side, { colourOf }: Page): string {
  return `<span class="swatch" style="background:${colourOf(target)}"></span>${escaped(target)}`;
}

function figureCells(figures: Figures): string[] {
  const { callsPerSecond, latency, service, cpuUs, memory, shareOfFloor } = figures;
  return [
    `${Math.round(callsPerSecond.median).toLocaleString('en')} <span class="faint">${spread(callsPerSecond)}</span>`,
    digits(latency.p50),
    digits(latency.p90),
    digits(latency.p99),
    digits(latency.p999),
    digits(latency.max),
    digits(service.p99),
    cpuUs === null ? '' : digits(cpuUs.median),
    memory === null ? '' : `${Math.round(memory.beforeBytes / MIB)} → ${Math.round(memory.afterBytes / MIB)}`,
    shareOfFloor === null ? '' : percent(shareOfFloor),
    refusedCell(figures),
  ];
}

/** Half the range of the rounds, relative to their median; '' for a single one. */
function spread({ median, low, high }: Figures['callsPerSecond']): string {
  return median === 0 || low === high ? '' : `± ${((50 * (high - low)) / median).toFixed(0)} %`;
}

function differencesOf(differences: readonly Difference[]): string {
  if (differences.length === 0) return '';
  const lines = differences.map(({ request, answers, reason }) => {
    const said = Object.entries(answers).map(([target, answer]) => `  ${target}: ${answer}`);
    return [`${reason}: ${request}`, ...said].join('\n');
  });
  return `<pre class="bad">${escaped(lines.join('\n'))}</pre>`;
}

function plotsOf(row: Row, id: string, { plots, colourOf }: Page): string {
  const curve = curvePlot(`curve-${id}`, row, colourOf);
  if (curve.series.length === 0) return '';
  plots.push(curve, barsPlot(`bars-${id}`, row, colourOf));
  const from = row.loadKind === 'subscribers' ? 'after the first subscriber' : 'from the intended start';
  const figures = [
    figure(`curve-${id}`, `latency ${from}, by percentile`),
    figure(`bars-${id}`, 'share of all, by latency'),
  ];
  for (const [i, plot] of coursePlots(`course-${id}`, row, colourOf).entries()) {
    plots.push(plot);
    figures.push(figure(plot.id, `${COURSES[i]!}, by intended start, turns in sequence`));
  }
  for (const { target, plot } of surgePlots(`surge-${id}`, row)) {
    plots.push(plot);
    figures.push(figure(plot.id, `${target}: requests a second, by intended start`));
  }
  return `<div class="plots">${figures.join('')}</div>`;
}

function figure(id: string, caption: string): string {
  return `<figure class="plot"><figcaption>${escaped(caption)}</figcaption><div id="${id}"></div></figure>`;
}

function skipped({ skipped: lines }: Results): string {
  if (lines.length === 0) return '';
  return `<h2>Not measured</h2><ul>${lines.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>`;
}
