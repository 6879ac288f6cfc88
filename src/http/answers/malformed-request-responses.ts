// Error responses for malformed requests. The guard in the addon rewrites such a request to one of these paths; see
// http-guard/request-framer.h.
import type { HttpStatus } from '../http-counters.js';
import { createTextResponse, type StaticResponse } from './responder.js';

type HeaderPairs = readonly (readonly [name: string, value: string])[];

const TEXTS: readonly (readonly [status: HttpStatus, text: string, ...headers: HeaderPairs])[] = [
  [400, 'not a request of HTTP/1.1'],
  [417, 'Expect must be 100-continue'],
  [426, 'WebSockets are spoken in version 13 (RFC 6455)', ['Upgrade', 'websocket'], ['Sec-WebSocket-Version', '13']],
  [431, 'headers over 32 KiB, or more than 150 of them'],
  [501, 'unknown method'],
  [503, 'too many bytes at once', ['Retry-After', '1']],
  [505, 'HTTP/1.1 and HTTP/1.0 are spoken here'],
];

/** Responses to malformed requests, by internal path. Each of them closes its connection. */
export const MALFORMED_REQUEST_RESPONSES: readonly (readonly [path: string, page: StaticResponse])[] = TEXTS.map(
  ([status, text, ...headers]) => [`/!${status}`, createTextResponse(status, text, headers)],
);
