// Answers to bytes that are no request: a request for one of these paths comes in their place, see door/messages.h. Runs on main.
import type { Status } from '../counters.js';
import { textPage, type Page } from './responder.js';

const TEXTS: readonly (readonly [status: Status, text: string])[] = [
  [400, 'not a request of HTTP/1.1'],
  [417, 'Expect must be 100-continue'],
  [431, 'headers over 4096 bytes, or more than 96 of them'],
  [501, 'unknown method'],
  [505, 'HTTP/1.1 and HTTP/1.0 are spoken here'],
];

/** Pages of refusals by path; each closes its connection. */
export const REFUSALS: readonly (readonly [path: string, page: Page])[] = TEXTS.map(([status, text]) => [
  `/!${status}`,
  textPage(status, text),
]);
