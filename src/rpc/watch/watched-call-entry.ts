// A watched call with its last result and the state that the result depends on; and the lists of watched calls to which
// connections subscribe.
import { latin1Key, latin1SlotKey } from '../../lib/bytes/latin1-key.js';
import { changedAccounts, changedSlots, type PackedChanges } from '../../state/packed-changes.js';
import type { TopicMessageSource } from '../push/topic-delivery.js';
import type { WatchedAnswer, WatchedCall, WatchedCallDeps } from './run-watched-call.js';
import type { TagState, VersionWithTags } from './watched-version.js';

/**
 * Outcome of running a watched call. `later`: there was no capacity. `again`: the result is of another state version
 * than requested.
 */
export type WatchRunOutcome = WatchedAnswer | 'later' | 'again';

/** The result of a watched call, and the state that it depends on. */
interface WatchedResult {
  readonly answer: WatchedAnswer;
  /** State and block to which the call's tag referred when the call ran. */
  readonly at: TagState;
  readonly names: ReadonlySet<string>;
}

/** A watched call that is running at the moment. */
interface RunningWatchedCall {
  /** State version on which the call runs. */
  readonly version: number;
  /** Number of state resets before that version. */
  readonly epoch: number;
  readonly answer: Promise<WatchRunOutcome>;
}

/** One watched call, and the lists that contain it. */
export class WatchEntry {
  readonly call: WatchedCall;
  readonly lists = new Set<WatchList>();
  state: WatchedResult | null = null;
  running: RunningWatchedCall | null = null;
  /** The first state version that has changed something on which the result depends; infinite if there is none. */
  staleFrom = Infinity;

  constructor(call: WatchedCall) {
    this.call = call;
  }

  /** Bytes of memory that this entry takes. */
  get bytes(): number {
    return this.call.key.length + (this.state?.answer.text.length ?? 0);
  }

  /** Stores the result of running the call at `at`, and the names of the accounts and slots that it has read. */
  store(answer: WatchedAnswer, at: TagState, names: readonly string[]): void {
    this.state = { answer, at, names: new Set(names) };
    this.staleFrom = Infinity;
  }

  /** Drops the result, because the state was reset. */
  forget(): void {
    this.state = null;
    this.staleFrom = Infinity;
  }

  /** Records that `version` has changed an account or slot that the call has read. */
  changed(version: number): void {
    if (this.state !== null && version > this.state.at.version) this.staleFrom = Math.min(this.staleFrom, version);
  }

  /** Records the change if the names of changed accounts and slots in `version` include one that the call has read. */
  compare(version: number, changed: ReadonlySet<string>): void {
    for (const name of this.state?.names ?? []) if (changed.has(name)) return this.changed(version);
  }

  /**
   * Records that the call's tag now refers to `to`: the result may depend on the block even if no state has changed.
   */
  moved(to: TagState): void {
    if (this.state !== null && hangsOnBlock(this.state, to)) this.changed(to.version);
  }

  /** True if the call must be run again to be valid at this state version. */
  isDue(version: number): boolean {
    return this.state === null || this.staleFrom <= version || version < this.state.at.version;
  }
}

/** Yields the string keys of the accounts and slots that have changed. */
export function* changedKeyNames(changes: PackedChanges): Generator<string> {
  for (const { address } of changedAccounts(changes)) yield latin1Key(address);
  for (const slot of changedSlots(changes)) yield latin1SlotKey(slot);
}

/** True if the result may be different in the block of `to`, because it depends on the block's environment. */
function hangsOnBlock({ answer, at, names }: WatchedResult, to: TagState): boolean {
  const { block } = answer.reads;
  if (at.version === to.version) return false;
  if (block === 'anything') return true;
  if (at.environment === to.environment) return false;
  if (block === 'environment' || at.rules !== to.rules) return true;
  return at.feeRecipient !== to.feeRecipient && (names.has(at.feeRecipient) || names.has(to.feeRecipient));
}

/** The calls of a list, and how they are run and their results are sent. */
export interface WatchListDeps {
  readonly entries: readonly WatchEntry[];
  readonly deps: WatchedCallDeps;
  readonly client: string | undefined;
  readonly send: (text: string) => void;
  readonly onEnd: (list: WatchList) => void;
}

/** A list of watched calls. Connections that watch equal lists share one object. */
export class WatchList implements TopicMessageSource {
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

  /** Returns a message with all current results, see `TopicMessageSource`. */
  whole(): string | null {
    return this.messageCount === 0 ? null : message(this.#sent.map(answerText), this.#position);
  }

  end(): void {
    this.isOver = true;
    this.deps.onEnd(this);
  }

  /**
   * Receives the results of all calls of the list at one state version, each as a JSON member, and sends those that
   * have changed.
   */
  take(answers: readonly string[], { position }: VersionWithTags): void {
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
