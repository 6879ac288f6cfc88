// Chooses the HTTP server for the front end: uWebSockets.js, or node:http if that does not load.
import { createServer } from 'node:net';
import type { HttpApp, HttpBackend } from './server-interface.js';
import { NODE_BACKEND_DESCRIPTION, nodeBackend } from './node/node-app.js';
import { loadUwsBackend } from './uws/uws.js';

let chosen: Promise<HttpBackend> | null = null;

/** uWebSockets.js if it loads, has the guard and passes its self-test; else node:http. Chosen once. */
export function chooseBackend(): Promise<HttpBackend> {
  return (chosen ??= choose());
}

async function choose(): Promise<HttpBackend> {
  const native = await loadUwsBackend().catch((error: unknown) => `uWebSockets.js does not load: ${firstLine(error)}`);
  return typeof native === 'string' ? { ...nodeBackend, text: `${NODE_BACKEND_DESCRIPTION}: ${native}` } : native;
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\n', 1)[0]!;
}

/** A listening socket with its port, or the reason why there is none. */
type ListenResult =
  | { readonly token: object; readonly port: number }
  | { readonly token: null; readonly reason: string };

/** By default, uSockets shares a port between processes, so that two services would each get some of the requests. */
const LISTEN_EXCLUSIVE_PORT = 1;

/** Listens on `host` and `port` (0 for any free port), exclusively. */
export function listenTcp(server: HttpBackend, app: HttpApp, host: string, port: number): Promise<ListenResult> {
  return new Promise((resolve) => {
    app.listen(host, port, LISTEN_EXCLUSIVE_PORT, (token) => {
      if (token === false) resolve(refusal(host, port));
      else resolve({ token, port: server.portOf(token) });
    });
  });
}

/** uSockets does not say why it could not listen, so Node.js tries the same address and reports the reason. */
function refusal(host: string, port: number): Promise<ListenResult> {
  return new Promise((resolve) => {
    const say = (reason: string): void =>
      resolve({ token: null, reason: `cannot listen on ${host}:${port}: ${reason}` });
    const probe = createServer();
    probe.once('error', (error) => say(error.message));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => say('refused by the system')));
  });
}
