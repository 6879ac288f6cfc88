// One list of watched calls, with the results that its subscribers have received.
import type { SubscriptionUpdates } from '../push/subscriptions.js';
import type { WatchEntry } from './watched-call-entry.js';
import type { WatchedVersion } from './watched-version.js';
import type { WatchedAnswer, WatchedCallDeps } from './run-watched-call.js';

/**
 * Outcome of running a watched call. `later`: there was no capacity. `again`: the result is of another state version
 * than requested.
 */
export type WatchAttempt = WatchedAnswer | 'later' | 'again';

interface WatchListDeps {
  readonly entries: readonly WatchEntry<WatchList, WatchAttempt>[];
  readonly deps: WatchedCallDeps;
  readonly client: string | undefined;
  readonly send: (text: string) => void;
  readonly onEnd: (list: WatchList) => void;
}

/** A list of watched calls. Connections that watch equal lists share one object. */
export class WatchList implements SubscriptionUpdates {
  readonly deps: WatchListDeps;
  /** True while the calls of the list are being run. */
  isRunning = false;
  isOver = false;
  messageCount = 0;
  #sent: readonly string[] = [];
  #position = '';

  constructor(deps: WatchListDeps) {
    this.deps = deps;
  }

  /** Returns a message with all current results, see `SubscriptionUpdates`. */
  whole(): string | null {
    return this.messageCount === 0 ? null : message(this.#sent.map(answerText), this.#position);
  }

  end(): void {
    this.isOver = true;
    this.deps.onEnd(this);
  }

  /**
   * Takes the results of all calls of the list at one state version, each as a JSON member, and sends those that have
   * changed.
   */
  take(answers: readonly string[], { position }: WatchedVersion): void {
    const before = this.#sent;
    const isNew = (text: string, at: number): boolean => text !== before[at];
    const changed = answers.flatMap((text, at) => (isNew(text, at) ? [answerText(text, at)] : []));
    if (changed.length === 0) return;
    this.#sent = answers;
    this.#position = position;
    this.messageCount++;
    this.deps.send(message(changed, position));
  }
}

/** Formats the result of a call as JSON. `call` is the index of the call in the list. */
function answerText(text: string, call: number): string {
  return `{"call":${call},${text}}`;
}

function message(answers: readonly string[], position: string): string {
  return `{"answers":[${answers.join(',')}],"position":${position}}`;
}
