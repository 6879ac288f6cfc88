// The service on a table of its own: limits of responses hold for calls of every kind, and a body that is answered over
// many ticks gets the same response as one answered at once.
import assert from 'node:assert/strict';
import test from 'node:test';
import { rpcError } from '../../src/rpc-errors.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import {
  copyIntoChunksIfLong,
  CHUNKED_BYTES_MIN,
  ChunkedBuffer,
  releaseChunks,
} from '../../src/lib/bytes/chunked-buffer.js';
import { TimeSlicer } from '../../src/fairness/time-slicer.js';
import { copyResult } from '../../src/lib/memory/result-memory.js';
import { LIMITS } from '../../src/limits/index.js';
import type { EncodedRpcResponse as ServiceAnswer } from '../../src/rpc/answer/request-response-types.js';
import { type RpcMethod } from '../../src/rpc/call/method-types.js';
import type { JsonRpcService } from '../../src/rpc/json-rpc-service.js';
import { CODE, CONTRACT, serveTable } from './table-service.js';
import { type RpcCallOutcome, JsonBytes } from '../../src/rpc/answer/call-result.js';
import { cpuBoundClocks } from '../support/slice-clocks.js';

const CALLER = { aborted: false };
const TOO_LARGE = { code: -32_003, message: 'response too large' };
const OVERLOAD = { code: -32_005, message: 'limit exceeded' };

interface Answer {
  readonly id: number;
  readonly result?: string;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: string };
}

function textOf({ status, bytes }: ServiceAnswer): { status: number; text: string } {
  const text = Buffer.from(bytes instanceof ChunkedBuffer ? bytes.toBytes() : bytes).toString();
  releaseChunks(bytes);
  return { status, text };
}

/**
 * Status and text of the response to a body. The text is copied, because an immediate response is only valid until the
 * next one.
 */
async function post(service: JsonRpcService, body: string): Promise<{ status: number; text: string }> {
  const answer = service.answer(Buffer.from(body), CALLER);
  if (answer instanceof Promise) return textOf(await answer);
  return textOf(answer);
}

async function query(service: JsonRpcService, calls: readonly object[]): Promise<Answer[]> {
  const { text } = await post(service, JSON.stringify(calls));
  assert.ok(text.length <= LIMITS.responseBytesMax + calls.length * 100, `${text.length} bytes`);
  return JSON.parse(text) as Answer[];
}

function call(id: number, method: string, ...params: unknown[]): object {
  return { jsonrpc: '2.0', id, method, params };
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

/** A method that resolves asynchronously to `result()`. */
function later(name: string, result: () => RpcCallOutcome): RpcMethod {
  return { name, paramsMax: 1, run: () => new Promise((resolve) => setImmediate(() => resolve(result()))) };
}

for (const [kind, block] of [
  ['as plain reads', 'latest'],
  ['by the method', { blockNumber: '0x0' }],
] as const) {
  test(`codes read ${kind} stop where the response is full`, async () => {
    const calls = numbers(1000).map((id) => call(id, 'eth_getCode', toHex(CONTRACT), block));
    const answers = await query(serveTable().service, calls);
    assert.equal(answers.length, 1000);
    const first = answers.findIndex(({ error }) => error !== undefined);
    assert.ok(first > 400 && first < 600, `${first}`);
    for (const { id, result, error } of answers) {
      if (id < first) assert.equal(result?.length, 2 + CODE.length * 2);
      else assert.deepEqual(error, TOO_LARGE);
    }
  });
}

test('equal large results share their bytes, and those beyond the bound of the response are refused on arrival', async () => {
  const data = new Uint8Array(4_900_000).fill(0xab);
  const { service, memory } = serveTable({ methods: [later('large', () => data)] });
  const answering = query(
    service,
    numbers(990).map((id) => call(id, 'large')),
  );
  const answers = await answering;
  const [whole, refused] = [answers.filter(({ result }) => result !== undefined), answers.filter(({ error }) => error)];
  assert.deepEqual([whole.length, refused.length], [2, 988]);
  for (const { result } of whole) assert.equal(result, toHex(data));
  for (const { error } of refused) assert.deepEqual(error, TOO_LARGE);
  assert.equal(memory.bytes, 0);
});

test('large revert data counts towards the bound of the response', async () => {
  const revert = rpcError('revert', undefined, new Uint8Array(4_900_000));
  const answers = await query(
    serveTable({ methods: [later('reverts', () => revert)] }).service,
    numbers(100).map((id) => call(id, 'reverts')),
  );
  assert.equal(answers.filter(({ error }) => error?.message === 'execution reverted').length, 2);
  assert.equal(answers.filter(({ error }) => error?.code === TOO_LARGE.code).length, 98);
});

test('large results are refused while response memory is full, small ones are not, and the memory is freed', async () => {
  const data = new Uint8Array(4_900_000);
  const { service, memory } = serveTable({ methods: [later('large', () => data), later('small', () => '"0x1"')] });
  memory.reserve(LIMITS.answersBytesMax);
  const refused = await post(service, JSON.stringify(call(1, 'large')));
  assert.equal(refused.status, 429);
  assert.deepEqual(JSON.parse(refused.text), { jsonrpc: '2.0', id: 1, error: OVERLOAD });
  const small = await query(service, [call(1, 'small')]);
  assert.deepEqual(small, [{ jsonrpc: '2.0', id: 1, result: '0x1' }]);
  memory.give(LIMITS.answersBytesMax);
  assert.equal(memory.bytes, 0);
  assert.equal((await query(service, [call(1, 'large')]))[0]?.result, toHex(data));
  assert.equal(memory.bytes, 0);
});

test('long data is refused while too much is unsent, counted once for all who share it, and freed when written', async () => {
  const data = new Uint8Array(LIMITS.longDataBytesMin).fill(0xab);
  const { service, memory } = serveTable({ methods: [later('long', () => data)] });
  memory.reserve(LIMITS.answersBytesMax - data.length + 1);
  assert.equal((await post(service, JSON.stringify(call(1, 'long')))).status, 429);
  memory.give(1024);
  const answers = await query(
    service,
    numbers(3).map((id) => call(id, 'long')),
  );
  assert.deepEqual(
    answers.map(({ result }) => result),
    Array.from(answers, () => toHex(data)),
  );
  memory.give(LIMITS.answersBytesMax - data.length + 1 - 1024);
  assert.equal(memory.bytes, 0);
});

test('memory of a long result is reused once its response is written, or its client has left', async () => {
  const data = new Uint8Array(LIMITS.longDataBytesMin).fill(0xcd);
  let result = copyResult(data);
  const { service } = serveTable({ methods: [later('long', () => result)] });
  const aborts = [false, true];
  for (const aborted of aborts) {
    await service.answer(Buffer.from(JSON.stringify(call(1, 'long'))), { aborted });
    const next = copyResult(data);
    assert.equal(next.buffer, result.buffer);
    result = next;
  }
});

test('a long string is written unchanged from bytes or from a string, and freed if its client has left', async () => {
  // Characters of one to four bytes in UTF-8, none of which may be split.
  const value = 'aé漢😀'.repeat(LIMITS.longDataBytesMin);
  const bytes = Buffer.from(JSON.stringify(value));
  const methods = [
    later('bytes', () => new JsonBytes(bytes)),
    later('text', () => JSON.stringify(value)),
    later('odd', () => JSON.stringify(`x${value}`)),
  ];
  const { service, memory } = serveTable({ methods });
  const answers = await query(service, [call(1, 'bytes'), call(2, 'text'), call(3, 'odd'), call(4, 'bytes')]);
  assert.deepEqual(
    answers.map(({ result }) => result === value || result === `x${value}`),
    [true, true, true, true],
  );
  assert.equal((JSON.parse((await post(service, JSON.stringify(call(5, 'bytes')))).text) as Answer).result, value);
  const gone = { aborted: true };
  const left = await service.answer(Buffer.from(JSON.stringify([call(6, 'bytes'), call(7, 'text')])), gone);
  assert.equal(left.bytes.length, 0);
  assert.equal(memory.bytes, 0);
});

test('a large result whose client has left is not written, and the next one is', async () => {
  const data = new Uint8Array(LIMITS.largeAnswerBytesMin);
  const { service, memory } = serveTable({ methods: [later('long', () => data)] });
  const body = Buffer.from(JSON.stringify([call(1, 'long'), call(2, 'eth_getCode', toHex(CONTRACT), 'latest')]));
  const gone = { aborted: false };
  const left = service.answer(body, gone);
  gone.aborted = true;
  assert.equal((await left).bytes.length, 0);
  assert.equal((await query(service, [call(1, 'long')]))[0]?.result, toHex(data));
  assert.equal(memory.bytes, 0);
});

/** Calls of every kind: fast, slow, invalid, notifications, asynchronous. */
function mixed(count: number): object[] {
  const kinds = [
    (id: number) => call(id, 'eth_getTransactionCount', toHex(CONTRACT), 'pending'),
    (id: number) => call(id, 'eth_getTransactionCount', toHex(CONTRACT), { blockNumber: '0x0' }),
    (id: number) => call(id, 'eth_getStorageAt', toHex(CONTRACT), '0x0', 'latest'),
    (id: number) => call(id, 'eth_getBalance', 'wrong'),
    (id: number) => call(id, 'later'),
    () => ({ jsonrpc: '2.0', method: 'eth_syncing', params: [] }),
    (id: number) => ({ id, method: 'no version' }),
    (id: number) => call(id, 'eth_syncing'),
  ];
  return numbers(count).map((id) => kinds[(id * 7 + (id >> 3)) % kinds.length]!(id));
}

test('a batch answered over many ticks has the same results as one answered at once, all from one version', async () => {
  const methods = [later('later', () => '"late"')];
  // A clock that advances by a time slice with every reading: each slice answers one call, or a few fast ones.
  let now = 0;
  const turns = serveTable({
    methods,
    slices: new TimeSlicer(
      1,
      cpuBoundClocks(() => (now += 1)),
    ),
  });
  const once = serveTable({
    methods,
    slices: new TimeSlicer(
      1,
      cpuBoundClocks(() => 0),
    ),
  });
  const calls = mixed(600);
  const answering = query(turns.service, calls);
  const publishing = setInterval(() => turns.publish(BigInt(now)), 0);
  const answers = await answering;
  clearInterval(publishing);
  assert.ok(now > calls.length / 2, `${now} looks at the clock`);
  assert.deepEqual(answers, await query(once.service, calls));
  assert.equal(turns.memory.bytes, 0);
});

test('a waiting batch gets errors for its remaining calls when results take all memory', async () => {
  let now = 0;
  const { service, memory } = serveTable({
    slices: new TimeSlicer(
      1,
      cpuBoundClocks(() => (now += 1)),
    ),
  });
  const answering = query(
    service,
    numbers(50).map((id) => call(id, 'eth_syncing')),
  );
  memory.reserve(LIMITS.answersBytesMax);
  const answers = await answering;
  const first = answers.findIndex(({ error }) => error !== undefined);
  assert.ok(first > 0 && first < 50);
  for (const { error } of answers.slice(first)) assert.deepEqual(error, OVERLOAD);
});

/** A call whose body must wait for its turn. */
function large(id: number, bytes: number = LIMITS.bodyAtOnceBytesMax): string {
  return JSON.stringify({ ...call(id, 'eth_syncing'), pad: 'x'.repeat(bytes) });
}

test('large bodies take turns, and one that finds no memory is refused without being decoded', async () => {
  let now = 0;
  const { service, memory } = serveTable({
    slices: new TimeSlicer(
      1,
      cpuBoundClocks(() => (now += 1)),
    ),
  });
  const answers = await Promise.all(numbers(5).map((id) => post(service, large(id))));
  for (const [id, { text }] of answers.entries()) {
    assert.deepEqual(JSON.parse(text), { jsonrpc: '2.0', id, result: false });
  }
  assert.equal(memory.bytes, 0);
  memory.reserve(LIMITS.answersBytesMax);
  const [, refused] = await Promise.all([post(service, large(1)), post(service, large(2))]);
  assert.equal(refused.status, 429);
  assert.deepEqual(JSON.parse(refused.text), { jsonrpc: '2.0', id: null, error: OVERLOAD });
});

test('calls not yet started when their client disconnects are not started', async () => {
  let [now, runs] = [0, 0];
  const counted: RpcMethod = { name: 'counted', paramsMax: 0, run: () => `"${(runs += 1)}"` };
  const { service, memory } = serveTable({
    methods: [counted],
    slices: new TimeSlicer(
      1,
      cpuBoundClocks(() => (now += 1)),
    ),
  });
  const batch = JSON.stringify(numbers(50).map((id) => call(id, 'counted')));
  const single = JSON.stringify({ ...call(1, 'counted'), pad: 'x'.repeat(LIMITS.bodyInStepsBytesMin) });
  for (const [body, expectedRuns] of [
    [batch, 2],
    [single, 0],
  ] as const) {
    const caller = { aborted: false };
    runs = 0;
    const answering = service.answer(Buffer.from(body), caller);
    caller.aborted = true;
    await answering;
    assert.equal(runs, expectedRuns, 'of the slice in which it came');
  }
  assert.equal(memory.bytes, 0);
});

for (const [kind, answered] of [
  ['at once', (text: string) => text],
  ['later', (text: string) => Promise.resolve(text)],
] as const) {
  test(`no call is run once the response is full, with results that come ${kind}`, async () => {
    let runs = 0;
    const text = `"${'x'.repeat(LIMITS.responseBytesMax / 4)}"`;
    const quarter: RpcMethod = { name: 'quarter', paramsMax: 0, run: () => answered((runs += 1) > 0 ? text : '') };
    const { service, memory } = serveTable({
      methods: [quarter],
      slices: new TimeSlicer(1, cpuBoundClocks(clockOfSlices())),
    });
    const answers = await query(
      service,
      numbers(50).map((id) => call(id, 'quarter')),
    );
    assert.ok(runs < 10, `${runs} runs`);
    for (const [id, { error }] of answers.entries()) assert.equal(error?.code, id < 3 ? undefined : -32003);
    assert.equal(memory.bytes, 0);
  });
}

/** Advances by a time slice with every reading: each slice answers one call, or a few fast ones. */
function clockOfSlices(): () => number {
  let now = 0;
  return () => (now += 1);
}

test('a large body of plain reads does not wait for other bodies', async () => {
  let now = 0;
  const { service } = serveTable({
    slices: new TimeSlicer(
      1,
      cpuBoundClocks(() => (now += 1)),
    ),
  });
  const waiting = [1, 2].map((id) => post(service, large(id)));
  const nonces = numbers(200).map((id) => call(id, 'eth_getTransactionCount', toHex(CONTRACT), 'latest'));
  const body = Buffer.from(JSON.stringify(nonces));
  assert.ok(body.length > LIMITS.bodyAtOnceBytesMax);
  const answer = service.answer(body, CALLER);
  assert.ok(!(answer instanceof Promise));
  assert.equal((JSON.parse(textOf(answer).text) as Answer[]).length, nonces.length);
  await Promise.all(waiting);
});

test('a long body is decoded once and its memory freed: at once, in its turn, or when it is refused', async () => {
  let now = 0;
  const { service, memory } = serveTable({
    slices: new TimeSlicer(
      1,
      cpuBoundClocks(() => (now += 1)),
    ),
  });
  const bodies = numbers(4).map((id) => copyIntoChunksIfLong(Buffer.from(large(id, CHUNKED_BYTES_MIN))));
  const answering = bodies.slice(0, 3).map(async (body) => textOf(await service.answer(body, CALLER)));
  memory.reserve(LIMITS.answersBytesMax);
  const refused = textOf(await service.answer(bodies[3]!, CALLER));
  for (const [id, { text }] of (await Promise.all(answering)).entries()) {
    assert.deepEqual(JSON.parse(text), { jsonrpc: '2.0', id, result: false });
  }
  assert.equal(refused.status, 429);
  assert.deepEqual(
    bodies.map(({ length }) => length),
    [0, 0, 0, 0],
  );
});

test('long bodies are decoded in steps, with other bodies decoded in between', async () => {
  let now = 0;
  const methods = [later('later', () => '"late"')];
  const { service, memory } = serveTable({
    methods,
    slices: new TimeSlicer(
      1,
      cpuBoundClocks(() => (now += 1)),
    ),
  });
  const pad = 'x'.repeat(LIMITS.bodyInStepsBytesMin);
  const long = (n: number): object[] => [...mixed(40 + n), { ...call(1000 + n, 'later'), pad }];
  const answering = numbers(5).map((n) => post(service, JSON.stringify(n === 4 ? [...long(n), 1] : long(n))));
  const beside = numbers(8).map((n) => post(service, JSON.stringify(mixed(3 + n))));
  const answers = (await Promise.all(answering)).map(({ text }) => JSON.parse(text) as Answer[]);
  await Promise.all(beside);
  for (const [n, answer] of answers.entries()) {
    const rows = await query(serveTable({ methods }).service, n === 4 ? [...long(n), 1 as unknown as object] : long(n));
    assert.deepEqual(answer, rows, `body ${n}`);
  }
  assert.equal(memory.bytes, 0);
});

test('a batch of too many calls is refused call by call, one of far too many calls with a single error', async () => {
  const { service } = serveTable();
  const some = await query(
    service,
    numbers(1001).map((id) => call(id, 'eth_syncing')),
  );
  assert.equal(some.length, 1001);
  for (const [id, answer] of some.entries()) {
    assert.deepEqual([answer.id, answer.error?.message], [id, 'batch too large']);
  }
  const { text } = await post(service, `[${numbers(LIMITS.batchIdsMax).fill(1).join()}]`);
  const error = { code: -32_600, message: 'batch too large' };
  assert.deepEqual(JSON.parse(text), { jsonrpc: '2.0', id: null, error });
});

test('params with too many values are refused before they are parsed', async () => {
  const values = numbers(LIMITS.paramsValuesMax + 1).fill(0);
  const [answer] = await query(serveTable().service, [call(1, 'eth_getBalance', values)]);
  assert.deepEqual(answer?.error, {
    code: -32_602,
    message: `too many values in params (max ${LIMITS.paramsValuesMax})`,
  });
});

test('too many overrides are refused', async () => {
  const accounts = numbers(LIMITS.overridesMax + 1).map((i) => `0x${i.toString(16).padStart(40, '0')}`);
  const override = Object.fromEntries(accounts.map((address) => [address, {}]));
  const [answer] = await query(serveTable().service, [call(1, 'eth_call', {}, 'latest', override)]);
  assert.match(answer?.error?.message ?? '', /^invalid argument 2: too many overrides/);
});

/** The response, which must be synchronous. */
function atOnce(answer: ServiceAnswer | Promise<ServiceAnswer>): unknown {
  assert.ok(!(answer instanceof Promise));
  return JSON.parse(textOf(answer).text);
}

test('a connection may have only so many unanswered calls; each response allows another one', async () => {
  const gate: (() => void)[] = [];
  const waits: RpcMethod = {
    name: 'waits',
    paramsMax: 0,
    run: () => new Promise((resolve) => gate.push(() => resolve('"late"'))),
  };
  const { service } = serveTable({
    methods: [waits],
    slices: new TimeSlicer(
      1,
      cpuBoundClocks(() => 0),
    ),
  });
  const caller = { aborted: false, load: { calls: 0 } };
  const send = (calls: object | readonly object[]): ServiceAnswer | Promise<ServiceAnswer> =>
    service.answer(Buffer.from(JSON.stringify(calls)), caller);
  const first = send(numbers(LIMITS.socketCallsMax - 1).map((id) => call(id, 'waits')));
  const second = send(call(1, 'waits'));
  const error = { code: -32_005, message: 'too many calls of this connection are not answered yet' };
  assert.deepEqual(atOnce(send(call(2, 'waits'))), { jsonrpc: '2.0', id: 2, error });
  assert.deepEqual(atOnce(send([call(3, 'waits'), call(4, 'waits')])), [
    { jsonrpc: '2.0', id: 3, error },
    { jsonrpc: '2.0', id: 4, error },
  ]);
  assert.equal(gate.length, LIMITS.socketCallsMax);
  for (const open of gate.splice(0)) open();
  await Promise.all([first, second].map(async (answer) => releaseChunks((await answer).bytes)));
  assert.equal(caller.load.calls, 0);
  const batch = send(numbers(LIMITS.socketCallsMax).map((id) => call(id, 'waits')));
  assert.equal(gate.length, LIMITS.socketCallsMax, 'a connection that waits for nothing may ask for a whole batch');
  for (const open of gate) open();
  releaseChunks((await batch).bytes);
});
