// Chooses the HTTP server for the front end: uWebSockets.js, or node:http if that does not load.
import { createServer } from 'node:net';
import type { HttpApp, HttpBackend } from './server-interface.js';
import { NODE_BACKEND_DESCRIPTION, nodeBackend } from './node/node-app.js';
import { loadUwsBackend } from './uws/load-uws.js';
import { firstLineOfError } from '../lib/error-message.js';

let chosen: Promise<HttpBackend> | null = null;

/**
 * Returns uWebSockets.js if it loads, has the request guard and passes its self-test; else node:http. The choice is
 * made once.
 */
export function chooseBackend(): Promise<HttpBackend> {
  return (chosen ??= choose());
}

async function choose(): Promise<HttpBackend> {
  const native = await loadUwsBackend().catch(
    (error: unknown) => `uWebSockets.js does not load: ${firstLineOfError(error)}`,
  );
  return typeof native === 'string' ? { ...nodeBackend, text: `${NODE_BACKEND_DESCRIPTION}: ${native}` } : native;
}

/** A listening socket with its port, or one line that tells the operator why the server does not listen. */
export type ListenOutcome =
  | { readonly ok: true; readonly token: object; readonly port: number }
  | { readonly ok: false; readonly reason: string };

/**
 * Option of uSockets that fails if another process listens on the same port. By default, two processes could share the
 * port, and each would get some of the requests.
 */
const LISTEN_EXCLUSIVE_PORT = 1;

/** Listens on `host` and `port`; port 0 means any free port. Fails if another process listens on that port. */
export function listenTcp(server: HttpBackend, app: HttpApp, host: string, port: number): Promise<ListenOutcome> {
  return new Promise((resolve) => {
    app.listen(host, port, LISTEN_EXCLUSIVE_PORT, (token) => {
      if (token === false) resolve(refusal(host, port));
      else resolve({ ok: true, token, port: server.portOf(token) });
    });
  });
}

/**
 * Finds out why the server cannot listen. uSockets does not report the reason, so this function tries to listen on the
 * same address with Node.js, whose error contains it.
 */
function refusal(host: string, port: number): Promise<ListenOutcome> {
  return new Promise((resolve) => {
    const say = (reason: string): void => resolve({ ok: false, reason: `cannot listen on ${host}:${port}: ${reason}` });
    const probe = createServer();
    probe.once('error', (error) => say(error.message));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => say('refused by the system')));
  });
}
