// The load tester as packed: it only uses the package's own files and dependencies.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Results } from '../../bench/suite/results.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type FakeChain, startChain } from './fixtures/chain.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly text: string;
}

describe('the load tester of the package', () => {
  const folder = temporaryFolder();
  let chain: FakeChain;

  before(async () => {
    chain = await startChain({ head: () => 10 });
    const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    const [{ files }] = JSON.parse(packed) as [{ readonly files: readonly { readonly path: string }[] }];
    for (const { path } of files)
      cpSync(join(ROOT, path), join(folder, 'node_modules/prestate', path), { recursive: true });
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
    };
    for (const [path, { dev }] of Object.entries(lock.packages)) {
      if (path === '' || dev === true || !existsSync(join(ROOT, path)) || path.split('node_modules/').length > 2)
        continue;
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      symlinkSync(join(ROOT, path), join(folder, path));
    }
  });
  after(() => chain.stop());

  /** `onText` receives the output so far. */
  async function benchWith(
    onText: (text: string, child: ChildProcess) => void,
    args: readonly string[],
  ): Promise<Ended> {
    const program = join(folder, 'node_modules/prestate/dist/src/main.js');
    const child = spawn(process.execPath, [program, 'bench', ...args], { cwd: folder });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece: Buffer) => {
        text += piece.toString();
        onText(text, child);
      });
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, text };
  }

  const bench = (...args: readonly string[]): Promise<Ended> => benchWith(() => undefined, args);

  /** Calls in a closed loop, which works at whatever rate the machine allows. */
  function load(): string[] {
    const call = { method: 'eth_getTransactionCount', params: [`0x${'22'.repeat(20)}`, 'latest'] };
    writeFileSync(join(folder, 'calls.jsonl'), JSON.stringify(call));
    return ['--target', `mine=${chain.url}`, '--replay', 'calls.jsonl', '--seconds', '0.1', '--rounds', '1'];
  }

  test('measures an endpoint, writes JSON and a report, and fails where a threshold is met', async () => {
    const { code, text } = await bench(...load(), '--name', 'one', '--fail-if', 'replay p99 > 60s');
    assert.equal(code, 0, text);
    assert.match(text, /replay: recorded requests\n {2}mine +[\d,]+ /);
    const html = readFileSync(join(folder, 'results/one.html'), 'utf8');
    assert.match(html, /uPlot/);
    assert.match(
      readFileSync(join(folder, 'results/one.csv'), 'utf8'),
      /^scenario,run,.*\r\nreplay,recorded requests,.*,mine,/,
    );
    assert.ok(existsSync(join(folder, 'results/one.json')));
    const failed = await bench(...load(), '--name', 'two', '--fail-if', 'replay rate < 1000000000');
    assert.equal(failed.code, 1);
    assert.match(failed.text, /failed, replay rate < 1000000000: mine, replay: recorded requests: rate is /);
    const compared = await bench('--compare', 'results/one.json', 'results/one.json');
    assert.equal(compared.code, 0, compared.text);
    assert.match(compared.text, /replay: recorded requests/);
  });

  test('keeps what has been measured when it is interrupted', async () => {
    let isSent = false;
    const { code, text } = await benchWith(
      (said, child) => {
        if (!isSent && said.includes('[ 1/')) isSent = child.kill('SIGINT');
      },
      ['--target', `mine=${chain.url}`, 'batches', '--seconds', '0.05', '--rounds', '1', '--name', 'cut'],
    );
    assert.equal(code, 1);
    assert.match(text, /batches: 10 nonces\n {2}mine +[\d,]+ /);
    assert.match(text, /^not measured, interrupted: batches \(.*100 estimates\)$/m);
    assert.match(text, /^interrupted after \d+ s; results\/cut\.json, results\/cut\.csv$/m);
    const { rows, isCut } = JSON.parse(readFileSync(join(folder, 'results/cut.json'), 'utf8')) as Results;
    assert.deepEqual([rows[0]!.run, isCut], ['10 nonces', true]);
    assert.match(readFileSync(join(folder, 'results/cut.html'), 'utf8'), /interrupted: what had been measured by then/);
  });

  test('reports missing requirements and clone-only scenarios in one line', async () => {
    for (const [args, message] of [
      [[], /^prestate: --target NAME=URL is required/],
      [['micro'], /^prestate: only available in the project's clone/],
      [
        ['--target', 'a=http://127.0.0.1:1', '--wait', '0'],
        /^prestate: a does not answer at http:\/\/127\.0\.0\.1:1: /,
      ],
      [['--fail-if', 'p99'], /^prestate: --fail-if p99: /],
    ] as const) {
      const { code, text } = await bench(...args);
      assert.equal(code, 1);
      assert.match(text, message);
      assert.equal(text.trimEnd().split('\n').length, 1, text);
    }
    assert.match((await bench('--help')).text, /^prestate bench --target NAME=URL/);
  });
});
