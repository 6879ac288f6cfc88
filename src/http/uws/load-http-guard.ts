// Loads the HTTP guard, which runs in front of uWebSockets.js, or finds the reason why there is none. The guard
// requires Linux, and a C++ compiler at build time.

// There is a guard in front of uWebSockets.js (`src/native/http-guard`, for Linux). uWebSockets.js alone reads
// everything that has arrived on a connection, serves all of it at once, and reads again in the same event-loop tick if
// its buffer of 512 KiB was full. A single connection that sent fast enough occupied the main thread forever, and 1,500
// connections with 700 requests each did so for a minute. See DECISIONS.md.
import { loadNativeModule } from '../../native/load-addon.js';

/**
 * Kinds of input that the guard distinguishes: the bytes of a TCP connection, of a WebSocket, and of a Unix socket,
 * where bare JSON is accepted without a handshake.
 */
export const CONNECTION_KINDS = { tcp: 0, frames: 1, local: 2 } as const;

/** The HTTP guard of this process, or `null` and the reason why it could not be loaded. */
export const { part: HTTP_GUARD, reason: NO_GUARD_REASON } = loadNativeModule('httpGuard');
