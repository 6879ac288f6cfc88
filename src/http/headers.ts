// The head of an answer: status, content type and the coordinates of the snapshot it was read from. Runs on main.
import type { Answer, AnswerPosition } from '../rpc/answer.js';
import { responseHead } from './head.js';
import type { Head } from './head.js';
import { STATUS_LINES } from './counters.js';

/** The headers that say where an answer stands. */
export const POSITION_HEADERS = ['x-block-number', 'x-preconf-index', 'x-snapshot-age-ms'] as const;
/** The header of a replica that says how many versions it is behind its executor. */
export const BEHIND_HEADER = 'x-versions-behind';

type Header = readonly [name: string, value: string];

const CONTENT_TYPE: Header = ['Content-Type', 'application/json'];
const RETRY_AFTER: Header = ['Retry-After', '1'];

/** The heads of every status an answer can have. */
export type AnswerHeads = Readonly<Record<Answer['status'], AnswerHead>>;

/** What changes in the head of an answer beside its position. */
export interface HeadParts {
  /** The monotonic clock. */
  readonly nowMs: () => number;
  /** How many versions a replica is behind its executor, or that it cannot say; `null`: this is no replica. */
  readonly versionsBehind: () => number | 'unknown' | null;
}

/** `idleSMax`: when an idle connection is closed; `further` headers go on every answer. */
export function answerHeads(idleSMax: number, further: readonly Header[], parts: HeadParts): AnswerHeads {
  // Told so, clients do not write into a closing connection.
  const keepAlive: Header = ['Keep-Alive', `timeout=${idleSMax}`];
  return {
    200: new AnswerHead(STATUS_LINES[200], [CONTENT_TYPE, keepAlive, ...further], parts),
    204: new AnswerHead(STATUS_LINES[204], [keepAlive, ...further], parts),
    429: new AnswerHead(STATUS_LINES[429], [CONTENT_TYPE, RETRY_AFTER, keepAlive, ...further], parts),
  };
}

/**
 * The head for the newest snapshot and millisecond. Making one costs about a microsecond; under load a hundred and more
 * answers fall into one millisecond and share it.
 */
export class AnswerHead {
  readonly #statusLine: string;
  readonly #always: readonly Header[];
  readonly #parts: HeadParts;
  readonly #bare: Head;
  #block = -1;
  #index = -1;
  #publishedAtMs = -1;
  #atMs = -1;
  #current: Head;

  constructor(statusLine: string, always: readonly Header[], parts: HeadParts) {
    this.#statusLine = statusLine;
    this.#always = always;
    this.#parts = parts;
    this.#bare = responseHead(statusLine, always);
    this.#current = this.#bare;
  }

  /** The head for an answer at `position`. */
  at(position: AnswerPosition | null): Head {
    if (position === null) return this.#bare;
    const nowMs = this.#parts.nowMs();
    if (nowMs !== this.#atMs || !this.#isAt(position)) this.#move(position, nowMs);
    return this.#current;
  }

  #isAt(position: AnswerPosition): boolean {
    return (
      position.index === this.#index && position.block === this.#block && position.publishedAtMs === this.#publishedAtMs
    );
  }

  #move(position: AnswerPosition, nowMs: number): void {
    this.#block = position.block;
    this.#index = position.index;
    this.#publishedAtMs = position.publishedAtMs;
    this.#atMs = nowMs;
    const ageMs = Math.max(0, Math.round(nowMs - position.publishedAtMs));
    const values = [position.block, position.index, ageMs];
    const coordinates = POSITION_HEADERS.map((name, i): Header => [name, `${values[i]}`]);
    this.#current = responseHead(this.#statusLine, [...this.#always, ...coordinates, ...this.#behind()]);
  }

  #behind(): readonly Header[] {
    const versions = this.#parts.versionsBehind();
    return versions === null ? [] : [[BEHIND_HEADER, `${versions}`]];
  }
}
