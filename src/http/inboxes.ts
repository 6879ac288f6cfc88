// Messages of WebSockets that come faster than they may be answered: they wait for later turns of the event loop. Runs on main.
import { Shares } from '../lib/shares.js';

/** Bounds of what is answered in a turn and of what waits; their reasons in limits.ts. */
export interface InboxOptions {
  readonly socketMessagesPerTurn: number;
  readonly socketWaitingMax: number;
  readonly socketWaitingBytesMax: number;
  readonly socketWaitingBytesPerClientMax: number;
}

/** The messages of one connection. */
export interface Inbox {
  readonly client: string;
  /** Takes messages that have waited. */
  readonly answer: (messages: readonly Uint8Array[]) => void;
  readonly waiting: Uint8Array[];
  /** Messages answered since turn `turn` began. */
  answered: number;
  turn: number;
}

/** What becomes of a message: it is answered now, or is kept and waits, or cannot even wait. */
export type Taken = 'now' | 'waits' | 'full';

/** All inboxes. A flood on one connection takes a part of a turn, so that others are answered between its messages. */
export class Inboxes {
  readonly #options: InboxOptions;
  readonly #bytes: Shares;
  /** Those in which something waits. */
  readonly #waiting = new Set<Inbox>();
  #turn = 0;
  #isTurnDue = false;

  constructor(options: InboxOptions) {
    this.#options = options;
    this.#bytes = new Shares(options.socketWaitingBytesMax, options.socketWaitingBytesPerClientMax);
  }

  /** An inbox; `answer` is called in later turns with messages that have waited. */
  open(client: string, answer: Inbox['answer']): Inbox {
    return { client, answer, waiting: [], answered: 0, turn: this.#turn };
  }

  /** A message that waits is copied. */
  take(inbox: Inbox, message: Uint8Array): Taken {
    if (inbox.waiting.length === 0 && this.#allow(inbox, 1) === 1) return 'now';
    if (inbox.waiting.length >= this.#options.socketWaitingMax) return 'full';
    if (!this.#bytes.take(inbox.client, message.length)) return 'full';
    inbox.waiting.push(message.slice());
    this.#waiting.add(inbox);
    return 'waits';
  }

  /** Lets go what waits; answers how many messages that are. */
  close(inbox: Inbox): number {
    return this.#pull(inbox, inbox.waiting.length).length;
  }

  /** How many of `count` messages the connection may have answered in this turn. */
  #allow(inbox: Inbox, count: number): number {
    if (inbox.turn !== this.#turn) Object.assign(inbox, { turn: this.#turn, answered: 0 });
    const allowed = Math.min(count, this.#options.socketMessagesPerTurn - inbox.answered);
    inbox.answered += allowed;
    // Connections that never come so far cost no turn of their own.
    if (inbox.answered === this.#options.socketMessagesPerTurn) this.#schedule();
    return allowed;
  }

  #schedule(): void {
    if (this.#isTurnDue) return;
    this.#isTurnDue = true;
    setImmediate(() => this.#begin());
  }

  #begin(): void {
    this.#isTurnDue = false;
    this.#turn++;
    for (const inbox of this.#waiting) {
      const count = this.#allow(inbox, inbox.waiting.length);
      inbox.answer(this.#pull(inbox, count));
    }
  }

  #pull(inbox: Inbox, count: number): Uint8Array[] {
    const messages = inbox.waiting.splice(0, count);
    for (const { length } of messages) this.#bytes.give(inbox.client, length);
    if (inbox.waiting.length === 0) this.#waiting.delete(inbox);
    return messages;
  }
}
