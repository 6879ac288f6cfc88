// One front end of several: raw uWebSockets.js that answers a constant, or ours over a shared table. Runs as a worker of
// front-end-process.ts.
import { readlinkSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { App } from '../src/http/app.js';
import { backend } from '../src/http/backend.js';
import { LIMITS } from '../src/limits.js';
import { Latency } from '../src/rpc/latency.js';
import { serviceOver } from '../test/rpc/table-service.js';
import { bareFrontEnd } from '../test/support/bare-front-end.js';

/** What the thread is to do. */
export interface FrontEnd {
  readonly kind: 'raw' | 'ours';
  /** The port that it listens on beside others; `null`: an acceptor hands it its connections. */
  readonly port: number | null;
  readonly table: SharedArrayBuffer;
  /** Counts its connections at `index`. */
  readonly connections: Int32Array;
  readonly index: number;
}

/** Connections can be had. */
export interface FrontEndReady {
  /** The system's number of the thread. */
  readonly task: number;
  /** What connections are handed to. */
  readonly descriptor: unknown;
}

/** The app with what the program has no use for. */
interface SharedApp extends App {
  filter(onConnection: (response: object, change: 1 | -1) => void): void;
  getDescriptor(): unknown;
}

const ANSWER = Buffer.from('{"jsonrpc":"2.0","id":1,"result":"0x1f"}');
/** uSockets shares a port that is named unless told not to. */
const LISTEN_SHARED = 0;

const { kind, port, table, connections, index }: FrontEnd = workerData;

function createApp(idleSMax: number): SharedApp {
  const app = backend.createApp(idleSMax) as SharedApp;
  app.filter((_response, change) => {
    if (change > 0) connections[index]!++;
  });
  return app;
}

function rawApp(): SharedApp {
  const app = createApp(LIMITS.connectionIdleSMax);
  app.post('/', (response) => {
    response.onAborted(() => undefined);
    response.onData((_chunk, isLast) => {
      if (isLast) response.cork(() => response.writeHeader('content-type', 'application/json').end(ANSWER));
    });
  });
  return app;
}

/** The front end's own app, which its backend makes for it. */
function ourApp(): SharedApp {
  const app = createApp(LIMITS.connectionIdleSMax);
  bareFrontEnd(serviceOver(table, { latency: new Latency() }).service, { ...backend, createApp: () => app });
  return app;
}

function ready(): void {
  const task = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  parentPort!.postMessage({ task, descriptor: app.getDescriptor() } satisfies FrontEndReady);
}

const app = kind === 'raw' ? rawApp() : ourApp();
// An app that does not listen itself keeps no thread running.
parentPort!.on('message', () => undefined);
if (port === null) ready();
else {
  app.listen('127.0.0.1', port, LISTEN_SHARED, (token) => {
    if (token === false) throw new Error(`cannot listen on ${port}`);
    ready();
  });
}
