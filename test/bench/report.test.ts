// The report in a real browser: one file without network, every plot drawn, nothing thrown, in light and in dark.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { reportOf } from '../../bench/report/report.js';
import { tableOf } from '../../bench/suite/table.js';
import { NO_BROWSER, startBrowser } from '../support/browser.js';
import { PATIENCE_MS } from '../support/patience.js';
import { sampleResults } from './fixtures/results.js';

test('the report draws every plot and needs nothing else', { skip: NO_BROWSER }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'prestate-test-'));
  const file = join(folder, 'report.html');
  writeFileSync(file, reportOf(sampleResults()));
  const browser = await startBrowser();
  t.after(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });
  const grounds: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ colorScheme, viewport: { width: 1200, height: 900 } });
    const [faults, asked]: [string[], string[]] = [[], []];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(pathToFileURL(file).href, { timeout: PATIENCE_MS });
    assert.deepEqual(faults, []);
    assert.deepEqual(asked, [pathToFileURL(file).href]);
    // Two of each of the five rows, two of the rising rates, and one of each target of the surge.
    assert.equal(await page.locator('canvas').count(), 14);
    assert.equal((await page.locator('svg.bars rect').count()) > 0, true);
    const style = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    grounds.push(String(style));
    // Nothing is wider than the page.
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
    await page.close();
  }
  assert.notEqual(grounds[0], grounds[1]);
});

test('the report says what is void, why, and lists the wrong answer; texts cannot be elements', () => {
  const html = reportOf(sampleResults());
  assert.match(html, /no numbers: wrong answers: the nonce is 1, not 2/);
  assert.match(html, /eth_getTransactionCount \[&quot;0x1&quot;\]/);
  assert.match(html, /--name &quot;&lt;sample&gt;&quot;/);
  assert.ok(!html.includes('<fast>') && !html.includes('<sample>'));
});

test('what was refused in a surge, how soon, and when all was answered again', () => {
  const html = reportOf(sampleResults());
  assert.match(html, /ours: refused: 50 %, after p50 0\.0\d+, p99 0\.\d+, at most 0\.\d+ ms/);
  assert.match(
    html,
    /in the surge 50 % answered, 50 % refused, 0\.0 % neither; all is answered again 0 ms after its end/,
  );
  assert.match(html, /"label":"ours, refused"/);
});

test('the table in the terminal names each target of each row, and which is better by how much', () => {
  const lines = tableOf(sampleResults()).trimEnd().split('\n');
  assert.equal(lines.length, 2 + 5 * 2);
  assert.equal(new Set(lines.map((line) => line.length)).size, 1, 'columns stand in line');
  assert.match(lines[3]!, /theirs .* ours 3\.00 x \(3\.00 to 3\.00\) calls\/s/);
  assert.match(lines[8]!, /overload.* 50 % \(0\.099\) /);
  assert.match(lines[11]!, /no numbers: wrong answers/);
});
