// Flags of the suite: which targets are loaded, with what, and when a run has failed.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { WebSocketServer } from 'ws';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { textOf } from '../../bench/load/ask.js';
import { Times } from '../../bench/load/histogram.js';
import { open } from '../../bench/load/connection.js';
import { randomOf } from '../../bench/load/random.js';
import { scheduleOf } from '../../bench/load/schedule.js';
import type { Run } from '../../bench/scenarios/scenario.js';
import { scenariosNamed } from '../../bench/scenarios/scenarios.js';
import { lossesOf } from '../../bench/suite/comparison.js';
import { shownCommand, shownUrl } from '../../bench/suite/endpoint-text.js';
import { readCommandAndConfig } from '../../bench/suite/options.js';
import { csvOf } from '../../bench/suite/csv.js';
import { runsAt, withConnections } from '../../bench/suite/pace.js';
import type { Row } from '../../bench/suite/results.js';
import { Progress } from '../../bench/suite/progress.js';
import { readRecord } from '../../bench/suite/recorded.js';
import { targetAt, waitFor } from '../../bench/suite/target.js';
import { failuresOf, thresholdOf } from '../../bench/suite/threshold.js';
import { temporaryFile } from '../support/temporary-folder.js';
import { startChain } from './fixtures/chain.js';
import { sampleResults } from './fixtures/results.js';

test('with --rate each scenario has every load once, and no name mentions another pace', async () => {
  for (const pace of [
    { kind: 'rate', perSecond: 20_000 },
    { kind: 'stages', stages: [{ perSecond: 5, seconds: 1 }] },
  ] as const)
    for (const { scenario } of await scenariosNamed([])) {
      const runs = runsAt(scenario.runs, pace);
      const shapes = runs.map(({ part, load, beside }) => {
        const { share: _, kind, ...shape } = load as { readonly kind: string; readonly share?: number };
        return JSON.stringify([part, beside, shape, ['closed', 'open', 'step'].includes(kind) ? 'paced' : kind]);
      });
      assert.equal(new Set(shapes).size, runs.length, scenario.name);
      assert.equal(new Set(runs.map(({ name }) => name)).size, runs.length, scenario.name);
      for (const { name } of runs) assert.doesNotMatch(name, /closed loop|measured rate|first target's rate/);
    }
  const [only, ...more] = runsAt((await scenariosNamed(['nonces']))[0]!.scenario.runs, {
    kind: 'rate',
    perSecond: 2000,
  });
  assert.deepEqual([only!.name, more], ['2,000 requests/s', []]);
});

test('stages follow one another, and no request starts after the last', () => {
  const command = readCommandAndConfig(['--target', 'a=http://127.0.0.1:1', '--stages', '10:1,100:0.05s,5:1']);
  assert.ok(command.kind === 'run' && command.options.pace !== null);
  assert.equal(command.options.rounds, 1);
  const start = scheduleOf(command.options.pace);
  assert.deepEqual(
    [0, 9, 10, 14, 15, 16, 20].map((number) => start(number)),
    [0, 900, 1000, 1040, 1050, 1250, Infinity],
  );
  for (const [stages, message] of [
    ['10', /RATE:SECONDS/],
    ['0:5', /at least 1/],
  ] as const)
    assert.throws(() => readCommandAndConfig(['--stages', stages]), message);
  assert.throws(() => readCommandAndConfig(['--stages', '1:1', '--rate', '5']), /exclude each other/);
});

test('a request file holds recorded requests, plain calls and batches, or vegeta targets', () => {
  const call = { jsonrpc: '2.0', id: 7, method: 'eth_chainId', params: [] };
  const lines = [
    { t_ms: 100, body: JSON.stringify(call) },
    { t_ms: 150, body: call },
    call,
    [call, { method: 'eth_blockNumber', params: [] }],
    { method: 'POST', url: 'http://elsewhere', body: Buffer.from(JSON.stringify(call)).toString('base64') },
    { method: 'eth_chainId' },
  ];
  const file = temporaryFile('requests.jsonl', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const read = readRecord(file);
  assert.deepEqual(
    read.map(({ startMs }) => startMs),
    [0, 50, null, null, null, null],
  );
  assert.deepEqual(
    read.map(({ calls }) => calls),
    [1, 1, 1, 2, 1, 1],
  );
  for (const at of [0, 1, 2, 4]) assert.deepEqual(JSON.parse(read[at]!.body), call);
  assert.deepEqual(JSON.parse(read[3]!.body)[1], { jsonrpc: '2.0', id: 2, method: 'eth_blockNumber', params: [] });
  assert.deepEqual(JSON.parse(read[5]!.body), { jsonrpc: '2.0', id: 1, method: 'eth_chainId' });
  const wrong = temporaryFile('requests.jsonl', '{"url":"http://a","method":"GET"}\n');
  assert.throws(() => readRecord(wrong), /line 1: .*neither a body nor a call/);
});

test('headers are sent with every request, over HTTP and WebSocket, and never shown', async (t) => {
  const command = readCommandAndConfig([
    '--target',
    'a=http://127.0.0.1:1',
    '--header',
    'Authorization: Bearer secret',
    '--header',
    'x-a: b',
  ]);
  assert.ok(command.kind === 'run');
  const { headers } = command.options;
  assert.deepEqual(headers, { authorization: 'Bearer secret', 'x-a': 'b' });
  assert.throws(
    () => readCommandAndConfig(['--header', 'no\nheader: secret']),
    (error: Error) => !error.message.includes('secret'),
  );
  const chain = await startChain({ head: () => 1 });
  const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(sockets, 'listening');
  t.after(async () => {
    sockets.close();
    await chain.stop();
  });
  await targetAt('a', chain.url, headers);
  assert.equal(chain.headers().authorization, 'Bearer secret');
  await new Promise<void>((resolve, reject) => {
    open(
      { url: chain.url, headers: { 'x-a': 'c' }, transport: 'http' },
      { answered: () => resolve(), lost: reject },
    ).then((connection) => connection.send('{"id":1,"method":"eth_chainId","params":[]}'), reject);
  });
  assert.equal(chain.headers()['x-a'], 'c');
  const url = `http://127.0.0.1:${(sockets.address() as AddressInfo).port}`;
  const [[, request], connection] = await Promise.all([
    once(sockets, 'connection') as Promise<[unknown, { readonly headers: Record<string, string> }]>,
    open({ url, headers, transport: 'websocket' }, { answered: () => undefined, lost: () => undefined }),
  ]);
  connection.close();
  assert.equal(request.headers['x-a'], 'b');
  assert.equal(shownUrl('https://user:word@host:8/v3/KEY?a=b'), 'https://host:8/…');
  assert.equal(
    shownCommand('prestate bench --target a=https://host/v3/KEY --header "Authorization: Bearer secret" --seconds 1'),
    'prestate bench --target a=https://host/… --header "Authorization: …" --seconds 1',
  );
});

test('a request that the endpoint never answers times out', async (t) => {
  const server = createServer(() => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await assert.rejects(textOf({ url, headers: {} }, '{}', 50), /timeout/);
});

test('a starting target is waited for until it answers JSON-RPC, the wait times out or is aborted', async (t) => {
  const answers = ['<h1>503</h1>', '<h1>503</h1>', '{"jsonrpc":"2.0","id":1,"result":"node"}'];
  let requested = 0;
  const server = createServer((_, response) => response.end(answers[requested++]));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  const endpoint = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, headers: {} };
  const reasons: string[] = [];
  const waiting = { signal: t.signal, onWait: (reason: string) => reasons.push(reason) };
  await waitFor(endpoint, { ...waiting, ms: 60_000 });
  assert.deepEqual([requested, reasons], [3, ['no JSON-RPC']]);
  await waitFor({ url: 'http://127.0.0.1:1', headers: {} }, { ...waiting, ms: 0 });
  await waitFor({ url: 'http://127.0.0.1:1', headers: {} }, { ...waiting, ms: 60_000, signal: AbortSignal.abort() });
});

function isOpen({ load }: Run): boolean {
  return load.kind !== 'closed';
}

test('closed loops get the requested number of connections, and none appears twice', async () => {
  const command = readCommandAndConfig(['-c', '7']);
  assert.ok(command.kind === 'run' && command.options.connections === 7);
  assert.throws(() => readCommandAndConfig(['-c', '1.5']), /a whole number/);
  for (const { scenario } of await scenariosNamed([])) {
    const runs = withConnections(scenario.runs, 7);
    const closed = runs.filter(({ load }) => load.kind === 'closed');
    assert.ok(closed.every(({ load }) => load.kind === 'closed' && load.connections === 7));
    assert.equal(new Set(closed.map(({ part, load }) => JSON.stringify([part, load]))).size, closed.length);
    assert.deepEqual(runs.filter(isOpen), scenario.runs.filter(isOpen));
  }
});

test('the CSV has a row for each load and target, with empty cells where there are no numbers', () => {
  const [head, ...lines] = csvOf(sampleResults()).trimEnd().split('\r\n');
  const columns = head!.split(',');
  const at = (line: string, name: string): string => line.split(',')[columns.indexOf(name)]!;
  assert.equal(lines.length, 10);
  assert.deepEqual(
    ['target', 'calls_per_second', 'p50_ms', 'no_numbers'].map((name) => at(lines[0]!, name)),
    [
      'ours',
      String(sampleResults().rows[0]!.sides[0]!.figures!.callsPerSecond.median),
      String(sampleResults().rows[0]!.sides[0]!.figures!.latency.p50),
      '',
    ],
  );
  const lying = lines.find((line) => line.includes('wrong answers'))!;
  assert.match(lying, /,,,,,,,,,,,,,"?wrong answers/);
});

test('a threshold fails the run if it is met, or if it matches no load', () => {
  const { rows } = sampleResults();
  const failed = (text: string): string[] => failuresOf([thresholdOf(text)], rows);
  assert.deepEqual(failed('estimates p50 > 1s'), []);
  assert.match(
    failed('estimates p99 > 1ms')[0]!,
    /^estimates p99 > 1ms: ours, estimates: times 2: p99 is \d+(\.\d+)? ms$/,
  );
  assert.deepEqual(failed('estimates p99 < 500 us'), []);
  assert.match(failed('theirs estimates rate < 1000')[0]!, /theirs, estimates: times 2: rate is 333\/s/);
  assert.match(failed('overload errors > 10%')[0]!, /errors is 50 %/);
  assert.deepEqual(failed('saturation: 4 p99 > 1h'.replace('1h', '100s')), []);
  assert.match(failed('theirs nonces p99 > 1s')[0]!, /no numbers: wrong answers/);
  assert.match(failed('nothing p99 > 1ms')[0]!, /no load of that name/);
  for (const text of ['p98 > 1ms', 'p99 > 1%', 'p99', 'rate > 5ms', 'p99 = 3'])
    assert.throws(() => thresholdOf(text), /--fail-if/);
});

function scaled(values: readonly number[], factor: number): number[] {
  return values.map((value) => value * factor);
}

/** The row with calls per second and p99 multiplied by `factor`. */
function changed(row: Row, factor: number): Row {
  const sides = row.sides.map((side) => {
    const { rounds } = side.figures!;
    const others = { callsPerSecond: scaled(rounds.callsPerSecond, factor), p99: scaled(rounds.p99, factor) };
    return { ...side, figures: { ...side.figures!, rounds: { ...rounds, ...others } } };
  });
  return { ...row, sides };
}

test('a comparison reports a loss where a row is worse or no longer has numbers', () => {
  const older = sampleResults();
  const [closed, step] = older.rows as readonly [Row, Row];
  const losses = (...rows: readonly Row[]): string[] => lossesOf(older, { ...older, rows });
  assert.deepEqual(losses(...older.rows), []);
  assert.deepEqual(losses(changed(closed, 2), changed(step, 0.5)), []);
  assert.equal(losses(changed(closed, 0.5)).length, 2);
  assert.match(losses(changed(step, 2))[0]!, /^saturation: times 1, ours: 2\.00 x .* p99$/);
  const gone = { ...closed, sides: closed.sides.map((side) => ({ ...side, void: 'no call succeeded' })) };
  assert.match(losses(gone)[0]!, /^estimates: times 2, ours: no numbers: no call succeeded$/);
});

test('percentiles are accurate to a thousandth over the whole range, also after encoding and summing', () => {
  const random = randomOf(3);
  const values = Array.from({ length: 20_000 }, () => Math.round(10 ** (random() * 7.5)) / 1000);
  const times = new Times();
  for (const value of values) times.add(value);
  const sorted = values.toSorted((a, b) => a - b);
  for (const percentile of [0, 1, 50, 90, 99, 99.9, 99.99, 100]) {
    const exact = sorted[Math.max(0, Math.ceil((percentile / 100) * sorted.length - 1e-9) - 1)]!;
    for (const found of [times, Times.decode(times.encode()), Times.sum([new Times(), times])].map((one) =>
      one.percentile(percentile),
    ))
      assert.ok(found >= exact && found <= exact * 1.001 + 0.001, `${percentile}: ${found} for ${exact}`);
  }
  assert.equal(times.countFrom(1), values.filter((value) => value >= 1).length);
  assert.equal(Math.round(times.bars().reduce((sum, [, share]) => sum + share, 0) * 1e6), 1e6);
  assert.deepEqual([new Times().percentile(50), new Times().count], [0, 0]);
});

test('the running load is one line per second, redrawn in place on a terminal', () => {
  const live = { perSecond: 1234.4, errors: 2, p50: 0.5, p99: 12.34 };
  const [row] = sampleResults().rows;
  for (const columns of [60, null]) {
    const isTerminal = columns !== null;
    const written: string[] = [];
    let nowMs = 0;
    const progress = new Progress({ write: (text) => written.push(text), nowMs: () => nowMs, columns });
    progress.expect(1);
    for (; nowMs < 25_000; nowMs += 1000) progress.live('nonces: closed loop', 'ours', live);
    progress.row(row!);
    const lines = written.filter((text) => text.includes('ours: 1,234/s, 2 errors, p50 0.5'));
    assert.equal(lines.length, 25);
    assert.ok(isTerminal || lines.every((text) => text.endsWith('0.50 p99 12.3 ms\n')));
    assert.ok(!isTerminal || lines.every((text) => text.length < '\r\x1b[K'.length + columns));
    assert.ok(lines.every((text) => text.endsWith('\n') === !isTerminal && text.startsWith('\r') === isTerminal));
    assert.match(written.at(-1)!, /\[ 1\/1\] 0:00 left {2}estimates: times 2 - ours .*\n$/);
  }
});
