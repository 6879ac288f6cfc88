// Loads the uWebSockets.js binary for this version of Node.js, if there is one, and hooks the HTTP guard into it. No
// other file imports uWebSockets.js. The guard requires Linux, and a C++ compiler at build time.

// There is a guard in front of uWebSockets.js (`src/native/http-guard`, for Linux). uWebSockets.js alone reads
// everything that has arrived on a connection, serves all of it at once, and reads again in the same event-loop tick if
// its buffer of 512 KiB was full. A single connection that sent fast enough occupied the main thread forever, and 1,500
// connections with 700 requests each did so for a minute. See DECISIONS.md.
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { LIMITS } from '../../limits/index.js';
import { loadNativeModule } from '../../native/load-addon.js';
import { binaryPath } from '../../native/locate-binary.js';
import type { HttpGuardModule } from '../../native/addon-types.js';
import { GuardParsedRequest } from '../guard-parsed-request.js';
import type { HttpApp, HttpBackend } from '../server-interface.js';
import { uwsBinaryName } from './native/uws-binaries.js';
import { testUwsBackend } from './self-test.js';

/** The part of the uWebSockets.js package that is used. */
interface UWebSockets {
  App(): HttpApp;
  us_socket_local_port(token: object): number;
  us_listen_socket_close(token: object): void;
  /** Sets an undocumented option. With `silent`, responses do not have the header that names uWebSockets.js. */
  _cfg?(key: string): void;
}

/**
 * Maximum bytes of a request head for uWebSockets.js. The HTTP guard refuses heads above 32 KiB before this limit is
 * reached.
 */
const HEAD_BYTES = 64 * 1024;

const { part, reason: noGuardReason } = loadNativeModule('httpGuard');
/** The HTTP guard of this process; `null` if it could not be loaded. */
export const HTTP_GUARD = part;

const require = createRequire(import.meta.url);

/**
 * Loads uWebSockets.js from the binary that was built or packed with the program, and hooks the HTTP guard into it.
 * If it cannot be used, returns the reason:
 * - There is no guard. A single client that sends fast enough would then occupy the main thread.
 * - This is a worker thread. If a worker thread ends while an app of uWebSockets.js is open, the process aborts (Node
 *   20), and a process has only one guard.
 * - The guard cannot be hooked into this binary, or the self-test fails.
 */
export async function loadUwsBackend(): Promise<HttpBackend | string> {
  if (!isMainThread) return 'it runs in a worker thread';
  if (HTTP_GUARD === null) return `nothing guards uWebSockets.js: ${noGuardReason}`;
  const { platform, arch, versions } = process;
  const name = `${uwsBinaryName(platform, arch, versions.modules)}.node`;
  const path = binaryPath(new URL(`./native/${name}`, import.meta.url));
  const uws = load(path);
  const { tickMsMax: turnMs, connectionIdleSMax, guardBuffersBytesMax: buffersBytesMax } = LIMITS;
  if (!HTTP_GUARD.open({ path, turnMs, idleMs: 1000 * connectionIdleSMax, buffersBytesMax }))
    return 'uWebSockets.js is another than is known here';
  const backend = backendOf(uws, HTTP_GUARD);
  return (await testUwsBackend(backend)) ?? backend;
}

/**
 * Loads the binary with a larger limit for request heads, because the default of 4,096 bytes is too small for browsers'
 * cookies. uWebSockets.js reads the limit from the environment when it is loaded.
 */
function load(path: string): UWebSockets {
  const name = 'UWS_HTTP_MAX_HEADERS_SIZE';
  const before = process.env[name];
  process.env[name] = `${HEAD_BYTES}`;
  try {
    return require(path) as UWebSockets;
  } finally {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  }
}

function backendOf(uws: UWebSockets, guard: HttpGuardModule): HttpBackend {
  uws['_cfg']?.('silent');
  return {
    counts: guard.counts,
    served: new GuardParsedRequest(guard),
    text: 'uWebSockets.js: native',
    // uWebSockets.js always closes connections that are idle for 32 s. To keep them open for longer, the HTTP guard
    // inserts requests for this path and drops the responses.
    createApp: () => uws.App().get('/!open', (response) => void response.endWithoutBody()),
    portOf: (token) => uws.us_socket_local_port(token),
    closeListening: (token) => uws.us_listen_socket_close(token),
  };
}
