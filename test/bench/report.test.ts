// The report in a real browser: one file without network, every plot drawn, no exceptions, in light and dark mode.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { reportOf } from '../../bench/report/report.js';
import { tableOf, terminalTable } from '../../bench/suite/table.js';
import { NO_BROWSER, startBrowser } from '../support/browser.js';
import { PATIENCE_MS } from '../support/patience.js';
import { temporaryFile } from '../support/temporary-folder.js';
import { sampleResults } from './fixtures/results.js';

const WIDTHS = [400, 1000, 1400];
/** Text that is cut off by its card's right edge, or too small to read. */
const CUT = `[...document.querySelectorAll('.card th, .card td, .card .ratio span, .card p, h1, h2, h3, dd, li, pre')].filter((one) => {
  const { right, width } = one.getBoundingClientRect();
  const edge = (one.closest('.card') ?? document.body).getBoundingClientRect().right;
  const isMark = one.classList.contains('mark');
  return width > 0 && ((!isMark && right > edge) || right > innerWidth || one.scrollWidth > one.clientWidth + 1 && one.tagName === 'PRE' || parseFloat(getComputedStyle(one).fontSize) < 12);
}).map((one) => one.textContent)`;

test('the report draws every plot and loads no external file', { skip: NO_BROWSER }, async (t) => {
  const file = temporaryFile('report.html', reportOf(sampleResults()));
  const browser = await startBrowser();
  t.after(() => browser.close());
  const grounds: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ colorScheme, viewport: { width: 1200, height: 900 } });
    const [faults, requested]: [string[], string[]] = [[], []];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => requested.push(request.url()));
    await page.goto(pathToFileURL(file).href, { timeout: PATIENCE_MS });
    assert.deepEqual(faults, []);
    assert.deepEqual(requested, [pathToFileURL(file).href]);
    // Four for each of the five rows, two of them over time, two for the rising rates, and one for each target of the
    // surge.
    assert.equal(await page.locator('canvas').count(), 24);
    assert.equal((await page.locator('.bars .bar').count()) > 0, true);
    const style = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    grounds.push(String(style));
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      // Plots adapt to the width with a delay.
      await page.waitForFunction(`${CUT}.length === 0`, undefined, { timeout: PATIENCE_MS }).catch(async () => {
        assert.deepEqual(await page.evaluate(CUT), [], `at ${width} px`);
      });
    }
    await page.close();
  }
  assert.notEqual(grounds[0], grounds[1]);
});

test('the report lists void rows with the reason and the wrong result, and escapes text', () => {
  const html = reportOf(sampleResults());
  assert.match(html, /no numbers: wrong answers: the nonce is 1, not 2/);
  assert.match(html, /eth_getTransactionCount \[&quot;0x1&quot;\]/);
  assert.match(html, /--name &quot;&lt;sample&gt;&quot;/);
  assert.ok(!html.includes('<fast>') && !html.includes('<sample>'));
});

test('the report shows refusals of a surge, their latency and the time to recover', () => {
  const html = reportOf(sampleResults());
  assert.match(html, /ours: refused: 50 %, after p50 0\.0\d+, p99 0\.\d+, at most 0\.\d+ ms/);
  assert.match(html, /in the surge 50 % answered, 50 % refused, 0\.0 % neither; recovered 0 ms after its end/);
  assert.match(html, /"label":"ours, refused"/);
});

test('the table on a terminal is no wider than it, and has every column that fits', () => {
  for (const columns of [40, 80, 200]) {
    const lines = terminalTable(sampleResults(), columns).trimEnd().split('\n');
    assert.deepEqual(
      lines.filter((line) => line.length > columns),
      [],
      `${columns} columns`,
    );
    for (const name of ['estimates: times 2', 'nonces: times 1']) assert.ok(lines.includes(name), name);
  }
  const text = terminalTable(sampleResults(), 80);
  assert.match(text, /^ +calls\/s  p50 ms  p99 ms/);
  assert.match(text, /^ {2}theirs +333 /m);
  assert.match(text, /^ {4}ours 3\.00 x \(3\.00 to 3\.00\) calls\/s$/m);
  assert.match(text, /^ {2}theirs {2}no numbers: wrong answers: the nonce is 1, not 2$/m);
  assert.match(terminalTable(sampleResults(), 200), /p99\.9 ms  max ms .*refused \(p99 ms\)/);
});

test('the table of a README names each target of each row, and which is better by how much', () => {
  const lines = tableOf(sampleResults()).trimEnd().split('\n');
  assert.equal(lines.length, 2 + 5 * 2);
  assert.equal(new Set(lines.map((line) => line.length)).size, 1, 'columns stand in line');
  assert.match(lines[3]!, /theirs .* ours 3\.00 x \(3\.00 to 3\.00\) calls\/s/);
  assert.match(lines[8]!, /overload.* 50 % \(0\.099\) /);
  assert.match(lines[11]!, /no numbers: wrong answers/);
});
