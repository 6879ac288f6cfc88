// A watched call with its last result: whether the result is still valid, and what it depends on.
import { changedAccounts, changedSlots, type PackedChanges } from '../../state/packed-changes.js';
import { accountReadKey, slotReadKey } from '../../state/views/recorded-reads.js';
import type { TagState, WatchedVersion } from './watched-version.js';
import type { WatchedAnswer, WatchedCall } from './run-watched-call.js';

/** The result of a watched call, and the state that it depends on. */
interface WatchedResult {
  readonly answer: WatchedAnswer;
  /** State and block to which the call's tag referred when the call ran. */
  readonly at: TagState;
  readonly names: ReadonlySet<string>;
}

/** A watched call that is running at the moment. `Attempt` is the type of its outcome. */
interface RunningWatchedCall<Attempt> {
  /** State version on which the call runs. `epoch`: number of state resets before that version. */
  readonly version: number;
  readonly epoch: number;
  readonly answer: Promise<Attempt>;
}

/** One watched call. `List` is the type of the lists that contain it. */
export class WatchEntry<List, Attempt> {
  readonly call: WatchedCall;
  readonly lists = new Set<List>();
  state: WatchedResult | null = null;
  running: RunningWatchedCall<Attempt> | null = null;
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

  /** True if the call must be run again to be valid at `point`. */
  isDue(point: WatchedVersion): boolean {
    return this.isDueAt(point[this.call.tag].version);
  }

  /** True if the call must be run again to be valid at this state version. */
  isDueAt(version: number): boolean {
    return this.state === null || this.staleFrom <= version || version < this.state.at.version;
  }
}

/** Yields the names of the accounts and slots that have changed. */
export function* changedKeyNames(changes: PackedChanges): Generator<string> {
  for (const { address } of changedAccounts(changes)) yield accountReadKey(address);
  for (const { address, slot } of changedSlots(changes)) yield slotReadKey(address, slot);
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
