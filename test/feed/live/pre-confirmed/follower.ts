// A strict consumer of the tracker's events: keeps what it was told, and checks that each event is possible.
import assert from 'node:assert/strict';
import { keccak256 } from '../../../../src/lib/bytes/keccak.js';
import type { CanonicalBlock, Increment, News, Opening } from '../../../../src/feed/stream.js';
import { toHex } from '../../../../src/lib/bytes/hex.js';
import { LIMITS } from '../../../../src/limits/index.js';

export interface FollowedBlock {
  readonly block: number;
  readonly attempt: string;
  readonly increments: Increment[];
}

export class Follower {
  canonical: CanonicalBlock | null = null;
  /** Pre-confirmed, from the block after the canonical one on. */
  chain: FollowedBlock[] = [];

  take(events: readonly News[]): void {
    for (const event of events) this.#take(event);
    assert.ok(this.chain.length <= LIMITS.feedDepthBlocksMax);
  }

  #take(event: News): void {
    switch (event.kind) {
      case 'open':
        return this.#open(event);
      case 'replace':
        this.#drop(event.block);
        return this.#open(event);
      case 'append': {
        const last = this.chain.at(-1);
        assert.equal(last?.block, event.block);
        assert.equal(event.increment.index, last?.increments.length, 'no hole');
        return void last.increments.push(event.increment);
      }
      case 'abandon':
        return this.#drop(event.block);
      case 'gap':
        return;
      case 'down':
        return assert.fail('the tracker does not tell of connections');
      case 'canonical':
        return event.outcome === 'promote' ? this.#promote(event.block) : this.#execute(event.block);
    }
  }

  #open({ block, attempt, increment, base }: Opening): void {
    const { canonical, chain } = this;
    assert.ok(canonical !== null);
    assert.equal(block, canonical.number + chain.length + 1);
    if (chain.length === 0) assert.equal(toHex(base.parentHash!), toHex(canonical.hash));
    assert.equal(increment.index, 0);
    chain.push({ block, attempt, increments: [increment] });
  }

  #drop(block: number): void {
    const at = this.chain.findIndex((each) => each.block === block);
    assert.ok(at >= 0, `block ${block} was told`);
    this.chain.length = at;
  }

  #promote(block: CanonicalBlock): void {
    const first = this.chain.shift();
    assert.equal(first?.block, block.number);
    const hashes = first.increments.flatMap(({ transactions }) => transactions.map((raw) => toHex(keccak256(raw))));
    assert.deepEqual(hashes, block.transactionHashes.map(toHex));
    this.canonical = block;
  }

  #execute(block: CanonicalBlock): void {
    assert.equal(this.chain.length, 0, 'nothing of another chain is left');
    this.canonical = block;
  }
}
