// The guard in front of uWebSockets.js, or that there is none: it needs Linux and a C++ compiler at the build. Runs on
// main.

// Decision (2026-11, two cores): A guard stands in front of uWebSockets.js (`src/native/http-guard`, for Linux).
// uWebSockets.js reads all that has come on a connection, serves all of it at once, and reads again in the same turn
// when its 512 KiB were full: one connection that was fast enough held main for good, and 1,500 with 700 requests each
// for a minute. It closes a connection whose next request comes before an answer is ready, takes chunk extensions for
// sizes and trailers for requests, takes any GET with a key for a handshake, and has no hook before any of that. So the
// calls by which it polls, reads, sends and accepts (seven symbols of libuv and libc) lead to functions of ours, put
// into the relocations of its binary in memory: connections wait for their turn, and one message or part of one is
// given at a time, in a form that every parser reads alike. Gain: beside one connection that pipelines as fast as it
// can reads of others had no answer, and have p99 as beside any program that takes a processor; requests behind an
// estimate are answered in order. Price: 1,900 lines with the portable form; without a C++ compiler or Linux node:http
// serves, behind the same rules in `src/http/node/message-stream.ts`, which fuzzers hold against each other
// (`test/http/guard`).
import { nativePart } from '../../native/load.js';

/**
 * The bytes of a connection over TCP, of a WebSocket, of a Unix socket whose handshake for bare JSON is accepted at
 * once.
 */
export const CONNECTION_KINDS = { tcp: 0, frames: 1, local: 2 } as const;

/** The guard of this process, and why there is none. */
export const { part: HTTP_GUARD, reason: NO_GUARD_REASON } = nativePart('httpGuard');
