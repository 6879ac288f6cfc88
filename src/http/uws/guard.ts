// The guard in front of uWebSockets.js, or that there is none: it needs Linux and a C++ compiler at the build. Runs on
// main.

// Decision (2026-11, two cores): There is a guard in front of uWebSockets.js (`src/native/http-guard`, for Linux).
// uWebSockets.js reads all that has arrived on a connection, serves all of it at once, and reads again in the same
// event-loop tick if its buffer of 512 KiB was full: one connection that was fast enough occupied main forever, and
// 1,500 with 700 requests each for a minute. It closes a connection whose next request comes before an answer is ready,
// parses chunk extensions as sizes and trailers as requests, treats any GET with a key as a handshake, and has no hook
// before any of that. So the calls by which it polls, reads, sends and accepts (seven symbols of libuv and libc) lead
// to functions of ours, put into the relocations of its binary in memory: connections wait for their turn, and one
// message or piece of one is passed on at a time, in a form that every parser reads alike. Gain: next to one connection
// that pipelined as fast as it could, reads of others got no response; now they have the p99 that they have next to any
// busy process; requests behind an estimate are answered in order. Price: 1,300 lines, and a reference implementation in
// TypeScript that fuzzers compare them with (`test/http/guard/judge`); without a C++ compiler or Linux bare node:http
// serves, see `src/http/node/app.ts`.
import { nativePart } from '../../native/load.js';

/**
 * The bytes of a TCP connection, of a WebSocket, and of a Unix socket, on which a handshake for bare JSON is accepted
 * at once.
 */
export const CONNECTION_KINDS = { tcp: 0, frames: 1, local: 2 } as const;

/** The guard of this process, or why there is none. */
export const { part: HTTP_GUARD, reason: NO_GUARD_REASON } = nativePart('httpGuard');
