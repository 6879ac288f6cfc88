// The subscription topic `watch`: sends the results of watched calls when they change. A call is run again only for a
// state version that changes something that its last run has read. Equal calls are run once for all their subscribers.

// Running a watched call also reports what it has read. Its state view records accounts and slots, whichever EVM
// executes the call, and the EVM reports whether code has read its block environment. See DECISIONS.md.
import { rpcError, type RpcError } from '../../rpc-errors.js';
import type { ChainDescription } from '../../chain/chain-description.js';
import { catchNow } from '../../lib/threads/sync-or-async.js';
import { BoundedCache } from '../../lib/memory/bounded-cache.js';
import type { TimeSlicer } from '../../fairness/time-slicer.js';
import type { VersionChangesMessage } from '../../publisher/publisher-protocol.js';
import { VersionNotKept } from '../../state/views/state-miss.js';
import { callerWhile } from '../answer/request-response-types.js';
import type { ReadView } from '../view/pinned-read-view.js';
import type { ChainEvent, ChainEvents } from '../push/chain-events.js';
import { topicWithOwnMessages, type TopicMessageSource, type SubscriptionTopic } from '../push/topic-delivery.js';
import { WatchEntries } from './watched-call-entries.js';
import {
  changedKeyNames,
  WatchList,
  type WatchListDeps,
  type WatchRunOutcome,
  type WatchEntry,
} from './watched-call-entry.js';
import { versionWithTagsOf, type TagState, type VersionWithTags } from './watched-version.js';
import { WatchSchedule } from './watched-call-schedule.js';
import {
  INTERNAL_ERROR_ANSWER,
  runWatchedCallOnce,
  type WatchedAnswer,
  type WatchedCall,
  type WatchedCallDeps,
} from './run-watched-call.js';

interface WatchesDeps {
  readonly events: ChainEvents;
  readonly readView: () => ReadView;
  readonly slices: TimeSlicer;
  /**
   * The chain whose rules are in use now. When they change, no result need be dropped: a state table with new rules
   * resets the state, and the `reset` event drops all results.
   */
  readonly chain: ChainDescription;
  /** Calls `retry` after a pause, when there may be capacity again. */
  readonly afterPause: (retry: () => void) => void;
}

/** `calls` and `names` are current numbers; the other members count since the start of the program. */
export interface WatchCounts {
  /** Number of different watched calls. */
  readonly calls: number;
  /** Number of accounts and slots that the watched calls have read. */
  readonly names: number;
  /** How many times calls were run: once when they were new, and once after each change. */
  readonly runs: number;
  /** Runs that failed because there was no capacity, or because their state version was no longer retained. */
  readonly vain: number;
}

/**
 * Number of state versions whose changed accounts and slots are retained, for calls whose run ends some versions later.
 */
const CHANGES_KEPT = 64;

/** All watched calls of all connections. */
export class WatchedCallsTopic {
  readonly #deps: WatchesDeps;
  readonly #entries = new WatchEntries();
  readonly #schedule: WatchSchedule;
  readonly #changed = new BoundedCache<VersionChangesMessage, ReadonlySet<string>>(CHANGES_KEPT);
  /** The state version to which lists are updated; `null` if none is known yet. */
  #point: VersionWithTags | null = null;
  /** The newest state version that chain events have announced since the last reset; 0 if there is none. */
  #announced = 0;
  /** Number of resets of the state. */
  #epoch = 0;
  #runs = 0;
  #vain = 0;

  constructor(deps: WatchesDeps) {
    this.#deps = deps;
    this.#schedule = new WatchSchedule(deps.slices, (list) => this.#begin(list));
    deps.events.listen(({ event }) => this.#onEvent(event));
  }

  get counts(): WatchCounts {
    return { calls: this.#entries.count, names: this.#entries.index.count, runs: this.#runs, vain: this.#vain };
  }

  /** Returns the topic of these calls. They are run with `deps`, and charged to `client`. */
  topic(
    calls: readonly WatchedCall[],
    client: string | undefined,
    deps: WatchedCallDeps,
  ): SubscriptionTopic | RpcError {
    if (!this.#entries.hasCapacityFor(calls)) return rpcError('overload', 'too many watched calls');
    const key = `watch ${calls.map((call) => call.key).join()}`;
    return topicWithOwnMessages(key, (send) => this.#open(calls, { client, deps, send }), calls.length);
  }

  #open(calls: readonly WatchedCall[], watcher: Pick<WatchListDeps, 'client' | 'deps' | 'send'>): TopicMessageSource {
    const entries = calls.map((call) => this.#entries.entryOf(call));
    const list = new WatchList({ ...watcher, entries, onEnd: (ended) => this.#end(ended) });
    for (const entry of entries) entry.lists.add(list);
    this.#schedule.add(list);
    this.#schedule.wake();
    return list;
  }

  #end(list: WatchList): void {
    this.#schedule.remove(list);
    for (const entry of list.deps.entries) {
      entry.lists.delete(list);
      if (entry.lists.size === 0) this.#entries.remove(entry);
    }
  }

  // ---- chain events ----

  #onEvent(event: ChainEvent): void {
    if (event.kind === 'reset') this.#restart();
    if (event.kind === 'changed') this.#advance(event.message);
  }

  #restart(): void {
    this.#epoch++;
    this.#announced = 0;
    this.#point = null;
    for (const entry of this.#entries.all()) {
      this.#entries.forget(entry);
      for (const list of entry.lists) this.#schedule.add(list);
    }
    this.#schedule.wake();
  }

  #advance({ version, changes }: VersionChangesMessage): void {
    this.#announced = version;
    if (this.#entries.count === 0) this.#point = null;
    else {
      for (const name of changedKeyNames(changes))
        for (const entry of this.#entries.index.readersOf(name)) entry.changed(version);
      this.#moveTo(version);
      this.#schedule.wake();
    }
  }

  /**
   * Moves on to a newer state version. Does nothing if `version` is not newer, or no longer retained: a newer version
   * will follow then.
   */
  #moveTo(version: number): void {
    const readView = this.#deps.readView();
    if (version <= (this.#point?.version ?? 0) || !readView.pinned.beginAt(version)) return;
    const point = this.#takePoint(readView);
    if (point === null) return;
    for (const entry of this.#entries.all()) {
      const tag = point[entry.call.tag];
      entry.moved(tag);
      if (entry.isDue(tag.version)) for (const list of entry.lists) this.#schedule.add(list);
    }
  }

  /** Describes the pinned version and releases it; returns `null` if its `latest` block is no longer retained. */
  #takePoint(readView: ReadView): VersionWithTags | null {
    const { events, chain } = this.#deps;
    try {
      return (this.#point = versionWithTagsOf(readView, chain, events.versionOf(readView.pinned.version)));
    } catch (error) {
      if (error instanceof VersionNotKept) return null;
      throw error;
    } finally {
      readView.pinned.end();
    }
  }

  // ---- updating lists ----

  /**
   * Starts to run the outdated calls of a list. Returns false if the state version is no longer retained; a later
   * version will follow then.
   */
  #begin(list: WatchList): boolean {
    const readView = this.#aim();
    if (readView === null) return false;
    try {
      const point = this.#point!;
      this.#schedule.remove(list);
      const attempts = list.deps.entries.map((entry) => this.#attempt(entry, point[entry.call.tag], readView));
      void this.#round(list, point, attempts);
      return true;
    } finally {
      readView.pinned.end();
    }
  }

  /**
   * Pins and returns the state version to which the lists of watched calls are updated: that of the last event, or the
   * newest version if there was no event yet.
   */
  #aim(): ReadView | null {
    const readView = this.#deps.readView();
    if (this.#point === null) {
      if (this.#announced === 0) readView.pinned.begin();
      else if (!readView.pinned.beginAt(this.#announced)) return null;
      if (this.#takePoint(readView) === null) return null;
    }
    return readView.pinned.beginAt(this.#point!.version) ? readView : null;
  }

  /**
   * Runs the outdated calls of a list. If all results are of the same state version, the changed ones are sent in one
   * message.
   */
  async #round(
    list: WatchList,
    point: VersionWithTags,
    attempts: readonly (WatchRunOutcome | Promise<WatchRunOutcome>)[],
  ): Promise<void> {
    this.#schedule.roundStarted(list);
    const epoch = this.#epoch;
    const settled = await Promise.all(attempts.map((attempt) => Promise.resolve(attempt)));
    this.#schedule.roundEnded(list);
    if (!list.isOver) this.#finish(list, point, epoch === this.#epoch ? settled : ['again']);
    this.#schedule.wake();
  }

  #finish(list: WatchList, point: VersionWithTags, settled: readonly WatchRunOutcome[]): void {
    const texts = settled.flatMap((attempt) => (typeof attempt === 'string' ? [] : [attempt.text]));
    if (texts.length === settled.length) list.take(texts, point);
    else if (settled.includes('later')) this.#deps.afterPause(() => this.#retry(list));
    else this.#schedule.add(list);
  }

  #retry(list: WatchList): void {
    if (list.isOver) return;
    this.#schedule.add(list);
    this.#schedule.wake();
  }

  /**
   * Returns the result of a call at `tag`: the stored result if it is valid, otherwise the result of running the call.
   */
  #attempt(entry: WatchEntry, tag: TagState, readView: ReadView): WatchRunOutcome | Promise<WatchRunOutcome> {
    const { running, state } = entry;
    if (running !== null) {
      return running.version === tag.version && running.epoch === this.#epoch
        ? running.answer
        : running.answer.then(() => 'again');
    }
    if (state !== null && !entry.isDue(tag.version) && this.#isKnown(state.at, tag)) return state.answer;
    return this.#run(entry, tag, readView);
  }

  /** True if all changes between the two state versions have been announced. */
  #isKnown(from: TagState, to: TagState): boolean {
    return from.version === to.version || to.version <= this.#announced;
  }

  #run(entry: WatchEntry, tag: TagState, readView: ReadView): WatchRunOutcome | Promise<WatchRunOutcome> {
    this.#runs++;
    const epoch = this.#epoch;
    const result = this.#called(entry, readView);
    if (!(result instanceof Promise)) return this.#settle(entry, tag, result);
    const answer = result.then((settled): WatchRunOutcome => {
      entry.running = null;
      return epoch === this.#epoch && entry.lists.size > 0 ? this.#settle(entry, tag, settled) : 'again';
    });
    entry.running = { version: tag.version, epoch, answer };
    return answer;
  }

  #called(entry: WatchEntry, readView: ReadView): ReturnType<typeof runWatchedCallOnce> {
    const [list] = entry.lists;
    const { deps, client } = list!.deps;
    const caller = callerWhile(() => entry.lists.size > 0, client);
    return catchNow(
      () => runWatchedCallOnce(entry.call, readView, this.#deps.readView, deps, caller),
      (fault) => {
        deps.onFault(entry.call.method.name, fault);
        return INTERNAL_ERROR_ANSWER;
      },
    );
  }

  /** Stores the result of running a call, and applies the state changes announced since its version. */
  #settle(entry: WatchEntry, tag: TagState, settled: WatchedAnswer | null): WatchRunOutcome {
    if (settled === null) {
      this.#vain++;
      return 'later';
    }
    const answer = this.#entries.store(entry, tag, settled);
    this.#catchUp(entry, tag);
    return answer;
  }

  #catchUp(entry: WatchEntry, { version }: TagState): void {
    const { events } = this.#deps;
    const later = events.behind(events.versionOf(version));
    if (later === null) entry.changed(version + 1);
    for (const { event } of later ?? []) if (event.kind === 'changed') this.#compare(entry, event.message);
    if (this.#point !== null) entry.moved(this.#point[entry.call.tag]);
  }

  #compare(entry: WatchEntry, message: VersionChangesMessage): void {
    let changed = this.#changed.get(message);
    if (changed === undefined) this.#changed.set(message, (changed = new Set(changedKeyNames(message.changes))), 1);
    entry.compare(message.version, changed);
  }
}
