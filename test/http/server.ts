// A front end on a free port, with a service that the test defines.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { monotonicMs } from '../../src/lib/clock.js';
import { ChunkedBuffer } from '../../src/lib/bytes/chunked-buffer.js';
import type { HttpBackend } from '../../src/http/server-interface.js';
import { chooseBackend } from '../../src/http/choose-server.js';
import { nodeBackend } from '../../src/http/node/node-app.js';
import { LIMITS } from '../../src/limits/index.js';
import { UsageLedger } from '../../src/fairness/usage-ledger.js';
import { HttpServer } from '../../src/http/http-server.js';
import type { HttpServerOptions, HttpServerDeps } from '../../src/http/http-server.js';
import {
  contiguousBodyBytes,
  type EncodedRpcResponse,
  type AnsweredStatePosition,
  type Caller,
  type BodyBytes,
  type MinimumPosition,
  type RpcService,
} from '../../src/rpc/answer/request-response-types.js';
import { PATIENCE_MS } from '../support/patience.js';

const OPTIONS: HttpServerOptions = {
  ...LIMITS,
  bodyBytesMax: 1024 * 1024,
  bodiesBytesMax: 16 * 1024 * 1024,
  bodiesBytesPerClientMax: 16 * 1024 * 1024,
  bodiesMax: 100,
  bodiesPerClientMax: 100,
  connectionIdleSMax: 10,
  bodyReceiveMsMax: PATIENCE_MS,
  answerPatienceMs: PATIENCE_MS,
  unsentBytesMax: 64 * 1024 * 1024,
  unsentBytesPerClientMax: 64 * 1024 * 1024,
  unsentStallMsMax: PATIENCE_MS,
  socketsMax: 4,
  socketsPerClientMax: 4,
  largeSocketsMax: 4,
  largeSocketsPerClientMax: 4,
  smallMessageBytesMax: 1000,
  socketIdleSMax: 60,
  pushBacklogBytesMax: 1024 * 1024,
  cors: [],
  localPages: false,
  clientHeader: null,
};

export interface Served {
  readonly server: HttpServer;
  readonly port: number;
  readonly url: string;
  /** Exceptions that the front end reported. */
  readonly faults: unknown[];
}

/** A service that receives every body in one piece. */
export type Answering = (
  body: Uint8Array,
  caller: Caller,
  least?: MinimumPosition | null,
) => ReturnType<RpcService['answer']>;

/** A test of the front end on one of its possible backends. */
export interface BackendTest {
  readonly backend: HttpBackend;
  readonly isNative: boolean;
  /** Registers a callback for the end of the test. */
  readonly after: (act: () => void) => void;
}

/** The backend that the program would choose here, and the fallback. */
const backend = await chooseBackend();
const BACKENDS = backend.text.startsWith('uWebSockets.js') ? [backend, nodeBackend] : [nodeBackend];

/** Runs a test on every backend. */
export function backendTest(name: string, run: (context: BackendTest) => Promise<void>): void {
  for (const each of BACKENDS) {
    void test(`${name} (${each.text.split(/[,:] /)[0]})`, (context) =>
      run({ backend: each, isNative: each !== nodeBackend, after: (act) => context.after(act) }));
  }
}

/** Serves until the test ends. */
export async function serve(
  context: BackendTest,
  service: Answering,
  options: Partial<HttpServerOptions> = {},
  parts: Partial<HttpServerDeps> = {},
): Promise<Served> {
  const faults: unknown[] = [];
  const server = new HttpServer(
    { ...OPTIONS, ...options },
    {
      backend: context.backend,
      ledger: new UsageLedger(),
      service: serviceOf(service),
      subscriptions: { drained: () => undefined, closeAll: () => undefined },
      readiness: () => ({ ready: true, reason: 'fresh' }),
      metrics: () => Promise.resolve({ contentType: 'text/plain; version=0.0.4', body: 'up 1\n' }),
      logRequest: null,
      fault: (error) => faults.push(error),
      nowMs: monotonicMs,
      versionsBehind: () => null,
      ...parts,
    },
  );
  const outcome = await server.listen('127.0.0.1', 0);
  assert.ok(outcome.ok);
  context.after(() => server.close());
  return { server, port: outcome.port, url: `http://127.0.0.1:${outcome.port}`, faults };
}

/** A response with status 200 or the given one. */
export function answerOf(
  bytes: Uint8Array | string,
  position: AnsweredStatePosition | null = null,
  status: EncodedRpcResponse['status'] = 200,
): EncodedRpcResponse {
  return { status, bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes, position };
}

/** Adapts to the front end's service interface. */
export function serviceOf(answering: Answering): RpcService {
  return { answer: (body, caller, least) => answering(inOnePiece(body), caller, least) };
}

function inOnePiece(body: BodyBytes): Uint8Array {
  if (!(body instanceof ChunkedBuffer)) return contiguousBodyBytes(body);
  const bytes = body.toBytes();
  body.release();
  return bytes;
}

/** Echoes every body from one buffer, which the next response overwrites, as the contract permits. */
export function echo(): Answering {
  const buffer = new Uint8Array(8 * 1024 * 1024);
  return (body) => {
    buffer.set(body);
    return answerOf(buffer.subarray(0, body.length));
  };
}

/** Echoes after a delay; copies the body first, as the contract requires. */
export function echoLater(ms: number): Answering {
  return (body) => {
    const answer = answerOf(Uint8Array.from(body));
    return new Promise((resolve) => setTimeout(() => resolve(answer), ms));
  };
}

/** A response that becomes ready when `give` is called. */
export function later(bytes: Uint8Array | string): {
  readonly answer: Promise<EncodedRpcResponse>;
  readonly give: () => void;
} {
  const ready = new EventEmitter();
  const answer = once(ready, 'give').then(() => answerOf(bytes));
  return { answer, give: () => ready.emit('give') };
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Runs an action for each item in turn. */
export function inTurn<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  return items.reduce(async (before, item) => {
    await before;
    await act(item);
  }, Promise.resolve());
}
