// A FeedSink in maps: records what a feed reports, and builds the resulting state.
import { toHex } from '../../src/lib/bytes/hex.js';
import type { FeedSink, VersionAnnouncement } from '../../src/feed/feed.js';
import type { StateContents } from '../../src/chain/state-root.js';
import type { CompleteBlock, ChainHead } from '../../src/state/complete-block.js';
import type { AccountChange, SlotChange, StateDiff } from '../../src/state/state-diff.js';
import { MemoryView } from './memory-view.js';

/** Applies every report to one state. `whenComplete` is called after each block. */
export class MemorySink implements FeedSink {
  readonly state = new MemoryView();
  readonly blocks: CompleteBlock[] = [];
  readonly diffs: StateDiff[] = [];
  readonly progressLines: string[] = [];
  readonly accounts = new Map<string, AccountChange>();
  readonly slots = new Map<string, SlotChange>();
  whenComplete: (block: CompleteBlock) => Promise<void> | void = () => undefined;

  publish(diff: StateDiff, _announcement: VersionAnnouncement): void {
    this.#take(diff);
  }

  async complete(diff: StateDiff, block: CompleteBlock): Promise<void> {
    this.#take(diff);
    this.state.setBlockHash(block.number, block.hash);
    this.blocks.push(block);
    await this.whenComplete(block);
  }

  async goBack(): Promise<never> {
    throw new Error('nothing is taken back here');
  }

  view(): MemoryView {
    return this.state;
  }

  progress(text: string): void {
    this.progressLines.push(text);
  }

  /** The last complete block, as the head that a resuming feed starts from. */
  head(): ChainHead | null {
    return this.blocks.at(-1) ?? null;
  }

  /** The contents as an archive would list them: no deleted accounts, no zero slots. */
  contents(): StateContents {
    return {
      accounts: () => [...this.accounts.values()].filter(({ account }) => account !== null),
      slots: () => [...this.slots.values()].filter(({ value }) => value.some((byte) => byte !== 0)),
    };
  }

  #take(diff: StateDiff): void {
    this.diffs.push(diff);
    this.state.apply(diff);
    for (const change of diff.accounts) this.accounts.set(toHex(change.address), change);
    for (const change of diff.slots) this.slots.set(toHex(change.address) + toHex(change.slot), change);
  }
}
