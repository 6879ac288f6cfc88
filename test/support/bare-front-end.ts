// An HTTP front end with the program's limits for any RPC handler, without the rest of the program.
import { UsageLedger } from '../../src/fairness/usage-ledger.js';
import type { HttpBackend } from '../../src/http/server-interface.js';
import { chooseBackend } from '../../src/http/choose-server.js';
import { HttpServer } from '../../src/http/http-server.js';
import { monotonicMs } from '../../src/lib/clock.js';
import { LIMITS } from '../../src/limits/index.js';
import type { RpcService } from '../../src/rpc/answer/request-response-types.js';

const backend: HttpBackend = await chooseBackend();

/** Starts a server on the given backend, by default the one the program would choose. Internal errors are thrown. */
export function bareFrontEnd(service: RpcService, chosen = backend): HttpServer {
  return new HttpServer(
    { ...LIMITS, cors: [], localPages: false, clientHeader: null },
    {
      backend: chosen,
      ledger: new UsageLedger(),
      service,
      subscriptions: { drained: () => undefined, closeAll: () => undefined },
      readiness: () => ({ ready: true, reason: '' }),
      metrics: () => Promise.resolve({ contentType: 'text/plain', body: '' }),
      logRequest: null,
      fault: (error) => {
        throw error;
      },
      nowMs: monotonicMs,
      versionsBehind: () => null,
    },
  );
}
