// A watched call with its last answer: whether that still stands, and what it hangs on. Runs on main.
import { changedAccounts, changedSlots, type PackedChanges } from '../../state/packed-changes.js';
import { accountName, slotName } from '../../state/views/reads.js';
import type { TagPoint, WatchPoint } from './watch-point.js';
import type { WatchedAnswer, WatchedCall } from './watched-call.js';

/** An answer and what it stands on. */
export interface Standing {
  readonly answer: WatchedAnswer;
  /** Position of its tag when it was run. */
  readonly at: TagPoint;
  readonly names: ReadonlySet<string>;
}

/** A run that has not come to its end. `Attempt`: how it may end. */
export interface RunningCall<Attempt> {
  /** The version that it runs on, and the state that this is a version of. */
  readonly version: number;
  readonly epoch: number;
  readonly answer: Promise<Attempt>;
}

/** One per distinct call. `List`: who watches it. */
export class WatchEntry<List, Attempt> {
  readonly call: WatchedCall;
  readonly lists = new Set<List>();
  standing: Standing | null = null;
  running: RunningCall<Attempt> | null = null;
  /** The first version in which something that it hangs on has changed; infinite where none has. */
  staleFrom = Infinity;

  constructor(call: WatchedCall) {
    this.call = call;
  }

  /** Bytes that it keeps. */
  get bytes(): number {
    return this.call.key.length + (this.standing?.answer.text.length ?? 0);
  }

  /** Takes the answer of a run at `at`, and the names of what it has read. */
  stand(answer: WatchedAnswer, at: TagPoint, names: readonly string[]): void {
    this.standing = { answer, at, names: new Set(names) };
    this.staleFrom = Infinity;
  }

  /** Forgets the answer: the state is another one. */
  forget(): void {
    this.standing = null;
    this.staleFrom = Infinity;
  }

  /** Notes that something that it has read changes with `version`. */
  changed(version: number): void {
    if (this.standing !== null && version > this.standing.at.version)
      this.staleFrom = Math.min(this.staleFrom, version);
  }

  /** Notes whether it has read one of the names that a version has changed. */
  compare(version: number, changed: ReadonlySet<string>): void {
    for (const name of this.standing?.names ?? []) if (changed.has(name)) return this.changed(version);
  }

  /** Notes where its tag stands now: the block may have changed without the state. */
  moved(to: TagPoint): void {
    if (this.standing !== null && hangsOnBlock(this.standing, to)) this.changed(to.version);
  }

  /** True if it has to be run before its answer is that of `point`. */
  isDue(point: WatchPoint): boolean {
    return this.isDueAt(point[this.call.tag].version);
  }

  /** True if it has to be run before its answer is that of the version that its tag stands for. */
  isDueAt(version: number): boolean {
    return this.standing === null || this.staleFrom <= version || version < this.standing.at.version;
  }
}

/** Names of accounts and slots that have changed. */
export function* namesIn(changes: PackedChanges): Generator<string> {
  for (const { address } of changedAccounts(changes)) yield accountName(address);
  for (const { address, slot } of changedSlots(changes)) yield slotName(address, slot);
}

/** True if the answer may be another one in the block of `to`. */
function hangsOnBlock({ answer, at, names }: Standing, to: TagPoint): boolean {
  const { block } = answer.reads;
  if (at.version === to.version) return false;
  if (block === 'anything') return true;
  if (at.environment === to.environment) return false;
  if (block === 'environment' || at.rules !== to.rules) return true;
  return at.feeRecipient !== to.feeRecipient && (names.has(at.feeRecipient) || names.has(to.feeRecipient));
}
