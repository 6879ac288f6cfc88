// One list of watched calls: what its subscribers have been told. Runs on main.
import type { Speech } from '../push/subscriptions.js';
import type { WatchEntry } from './watch-entry.js';
import type { WatchPoint } from './watch-point.js';
import type { WatchedAnswer, WatchedParts } from './watched-call.js';

/** The end of a run of a watched call. `later`: there was no room. `again`: the answer is of another version. */
export type Attempt = WatchedAnswer | 'later' | 'again';

/** Parts of a list. */
export interface WatchListParts {
  readonly entries: readonly WatchEntry<WatchList, Attempt>[];
  readonly parts: WatchedParts;
  /** Whose budget its runs use. */
  readonly client: string | undefined;
  readonly say: (text: string) => void;
  readonly onEnd: (list: WatchList) => void;
}

/** Equal lists of several connections are one. */
export class WatchList implements Speech {
  readonly parts: WatchListParts;
  /** True while its calls are being brought up to date. */
  isRunning = false;
  isOver = false;
  words = 0;
  #told: readonly string[] = [];
  #position = '';

  constructor(parts: WatchListParts) {
    this.parts = parts;
  }

  /** See Speech: all answers, where they stood last. */
  whole(): string | null {
    return this.words === 0 ? null : message(this.#told.map(answerText), this.#position);
  }

  /** See Speech. */
  end(): void {
    this.isOver = true;
    this.parts.onEnd(this);
  }

  /** All answers at a point, as members of JSON; says those that are new. */
  take(answers: readonly string[], { position }: WatchPoint): void {
    const before = this.#told;
    const isNew = (text: string, at: number): boolean => text !== before[at];
    const changed = answers.flatMap((text, at) => (isNew(text, at) ? [answerText(text, at)] : []));
    if (changed.length === 0) return;
    this.#told = answers;
    this.#position = position;
    this.words++;
    this.parts.say(message(changed, position));
  }
}

/** `call`: its place in the list. */
function answerText(text: string, call: number): string {
  return `{"call":${call},${text}}`;
}

function message(answers: readonly string[], position: string): string {
  return `{"answers":[${answers.join(',')}],"position":${position}}`;
}
