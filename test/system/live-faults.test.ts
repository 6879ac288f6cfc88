// The program follows an upstream node and a feed with every kind of fault: killed and restarted, gaps, duplicates,
// blocks that are restarted or end differently, reorgs. All responses at `latest` and `pending` are correct for the
// position they report, and every increment is one of those positions. SOAK_S (at most 270): repeats everything for
// this many seconds instead of once.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { LIMITS } from '../../src/limits/index.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { toBytes } from '../../src/lib/bytes/big-endian.js';
import {
  ACCOUNTS,
  CALLER,
  READER,
  WRITER,
  genesis,
  makeBlock,
  makeInIncrements,
  type Action,
  type MadeBlock,
} from '../feed/live/chain-maker.js';
import { until } from '../support/patience.js';
import { metric, type Server } from '../support/server.js';
import { queryAll, type Block } from './batch.js';
import {
  FollowedUpstream,
  ScriptedUpstream,
  positionOfBlock,
  positionOfIncrement,
  questions,
  type ScriptedBlock,
} from './scripted-upstream.js';

const SOAK_MS = Number(process.env['SOAK_S'] ?? 0) * 1000;
/** Polls between two increments. */
const POLLS = 10;
const SIZE = 3;
const INCREMENTS = 4;
const SENDERS = 4;
const QUESTIONS = [...questions('latest'), ...questions('pending')];
const HALF = QUESTIONS.length / 2;

/** Positions that the program reported. */
interface Positions {
  readonly latest: string;
  readonly pending: string;
}

/** Drives the chain that the program follows, and checks its responses. */
class Story extends FollowedUpstream {
  readonly seen = {
    polls: 0,
    refusals: 0,
    listsBehind: 0,
    increments: 0,
    scenarios: 0,
    latest: new Set<string>(),
    pending: new Set<string>(),
  };
  #isDown = false;
  #salt = 0;
  #cold = 2000;
  #random = 1;

  /** A block on `parent` that is not announced yet. */
  async make(parent: MadeBlock = this.tip, actions: readonly Action[] = this.#traffic()): Promise<ScriptedBlock> {
    this.#salt = (this.#salt + 1) % 256;
    const { made, states } = await makeInIncrements(parent, actions, SIZE, this.#salt);
    return this.upstream.register(made, states, SIZE);
  }

  /** A block of calls that read slots no call has read before. */
  cold(): Promise<ScriptedBlock> {
    const read = (at: number): Action => ({ from: at % SENDERS, to: at % 2 ? READER : CALLER, words: [this.#next()] });
    return this.make(
      this.tip,
      Array.from({ length: SIZE * INCREMENTS }, (_, at) => read(at)),
    );
  }

  /** Announces increments one by one, each once the previous one is visible. */
  async announce({ frames, positions }: ScriptedBlock, from = 0, to = frames.length): Promise<void> {
    for (let at = from; at < to; at++) {
      await this.upstream.send(frames[at]!);
      await this.pendingAt(positions[at]!);
      this.seen.increments++;
      await this.watch();
    }
  }

  /** The node gets the block, and the program follows. */
  async confirm({ made, position }: ScriptedBlock): Promise<void> {
    this.chain.push(made);
    this.upstream.node.push(made);
    await this.reach((positions) => positions.latest === position, position);
  }

  pendingAt(position: string): Promise<void> {
    return this.reach((positions) => positions.pending === position, position);
  }

  async reach(isThere: (positions: Positions) => boolean, what: string): Promise<void> {
    let positions: Positions | null = null;
    await until(
      async () => {
        positions = await this.poll();
        return positions !== null && isThere(positions);
      },
      () => `${what} is reached: ${JSON.stringify(positions)}; ${this.server.log.at(-1)}`,
    );
  }

  async watch(polls = POLLS): Promise<void> {
    for (let count = 0; count < polls; count++) await this.poll();
  }

  /** Runs `work` while the upstream node is down. */
  async withoutNode(work: () => Promise<void>): Promise<void> {
    await this.upstream.node.kill();
    this.#isDown = true;
    await work();
    await this.#assertRefused();
    await this.upstream.node.restart();
    await this.until(() => this.upstream.node.subscribers > 0, 'heads are heard again');
    await this.poll();
    this.#isDown = false;
  }

  /** The account does not exist, which only the node can know: zero, not an error. */
  async queryCold(): Promise<void> {
    const address = toHex(toBytes(this.#next(), 20));
    assert.equal(await this.server.result('eth_getBalance', address, 'latest'), '0x0');
  }

  /** An account that is not cached is an error while the node is down, not a guess. */
  async #assertRefused(): Promise<void> {
    const { error } = await this.server.query('eth_getBalance', [toHex(toBytes(this.#next(), 20)), 'pending']);
    assert.match(`${error?.code} ${error?.message}`, /^-32603 .*upstream/);
    this.seen.refusals++;
  }

  async until(isDone: () => boolean, what: string): Promise<void> {
    await until(async () => {
      await this.poll();
      return isDone();
    }, what);
  }

  /** Queries everything once and verifies it. `null`: something was refused, because the upstream node is down. */
  async poll(): Promise<Positions | null> {
    const { answers } = await queryAll(this.server, QUESTIONS);
    this.seen.polls++;
    const refused = answers.find(({ error }) => error !== undefined)?.error;
    if (refused !== undefined) {
      assert.ok(this.#isDown && /upstream/.test(refused.message), `${refused.code} ${refused.message}`);
      this.seen.refusals++;
      return null;
    }
    const results = answers.map(({ result }) => result);
    const latest = await this.#compared('latest', results.slice(0, HALF));
    const pending = await this.#compared('pending', results.slice(HALF));
    assertAhead(results[0] as Block, results[HALF] as Block);
    return { latest, pending };
  }

  /**
   * The position whose expected responses match. The pending block's transaction list reaches the main thread on
   * another path and may lag behind the state; then the position is one that continues the listed transactions.
   */
  async #compared(tag: 'latest' | 'pending', results: readonly unknown[]): Promise<string> {
    const position = positionOf(results[0] as Block);
    const { truth } = this.upstream;
    const actual = JSON.stringify(results.slice(1));
    const expected = truth.at(position);
    assert.ok(expected !== null, `${tag} is at a position that was never announced: ${position}`);
    if (actual === (await expected)) return this.#sawAt(tag, position);
    for (const later of truth.after(position)) {
      if (actual !== (await truth.at(later))) continue;
      this.seen.listsBehind++;
      return this.#sawAt(tag, later);
    }
    assert.equal(actual, await expected, `${tag}: ${position}`);
    return position;
  }

  #sawAt(tag: 'latest' | 'pending', position: string): string {
    this.seen[tag].add(position);
    return position;
  }

  #traffic(): Action[] {
    return Array.from({ length: SIZE * INCREMENTS }, () => this.#action());
  }

  #action(): Action {
    const from = this.#dice(SENDERS);
    const kind = this.#dice(4);
    if (kind === 0) return { from, to: ACCOUNTS[this.#dice(SENDERS)]!, words: [], value: 5n };
    if (kind === 1) return { from, to: READER, words: [BigInt(10 * this.#dice(3))] };
    return { from, to: WRITER, words: [BigInt(this.#dice(6)), BigInt(this.#dice(9))] };
  }

  /** Pseudo-random numbers, the same in every run (a linear congruential generator). */
  #dice(sides: number): number {
    this.#random = (this.#random * 1_103_515_245 + 12_345) % 2 ** 31;
    return (this.#random >> 8) % sides;
  }

  #next(): bigint {
    this.#cold += 20;
    return BigInt(this.#cold);
  }
}

function positionOf({ number, hash, parentHash, transactions }: Block & { readonly hash: string | null }): string {
  assert.ok(Number(number) > 0);
  return hash === null ? positionOfIncrement(parentHash, transactions) : positionOfBlock(hash);
}

function assertAhead(latest: Block, pending: Block): void {
  const ahead = Number(pending.number) - Number(latest.number);
  assert.ok(ahead >= 0 && ahead <= LIMITS.feedDepthBlocksMax, `pending is ${ahead} blocks ahead of latest`);
  if (ahead === 0) assert.equal(pending.hash, latest.hash);
  if (ahead === 1) assert.equal(pending.parentHash, latest.hash);
}

/** Each scenario starts and ends with nothing pre-confirmed. */
const SCENARIOS: Readonly<Record<string, (story: Story) => Promise<void>>> = {
  'a block in its increments': async (story) => {
    const block = await story.make();
    await story.announce(block);
    await story.confirm(block);
  },
  duplicates: async (story) => {
    const block = await story.make();
    for (const [at, frame] of block.frames.entries()) {
      await story.announce(block, at, at + 1);
      await story.upstream.send(frame, block.frames[0]!);
    }
    await story.watch();
    await story.pendingAt(block.positions.at(-1)!);
    await story.confirm(block);
  },
  'a gap': async (story) => {
    const block = await story.make();
    await story.announce(block, 0, 2);
    await story.upstream.send(...block.frames.slice(3));
    await story.watch();
    await story.pendingAt(block.positions[1]!);
    await story.confirm(block);
  },
  'a payload that is restarted': async (story) => {
    const [first, second] = [await story.make(), await story.make()];
    await story.announce(first, 0, 3);
    await story.announce(second);
    await story.confirm(second);
  },
  'a killed feed': async (story) => {
    const block = await story.make();
    await story.announce(block, 0, 3);
    await story.upstream.killFeed();
    await story.watch();
    await story.confirm(block);
    await story.upstream.openFeed();
    await story.until(() => story.upstream.connections > 0, 'the feed is heard again');
  },
  'a killed upstream node': async (story) => {
    const block = await story.make();
    await story.announce(block, 0, 2);
    await story.withoutNode(async () => {
      await story.upstream.send(block.frames[2]!, block.frames[3]!);
      await story.watch(3 * POLLS);
    });
    await story.confirm(block);
  },
  'an upstream node killed while state is missing': async (story) => {
    const block = await story.cold();
    await story.announce(block, 0, 1);
    await story.withoutNode(async () => {
      await story.upstream.send(...block.frames.slice(1));
      await story.watch(3 * POLLS);
    });
    await story.confirm(block);
  },
  'a reorg of two blocks under increments': async (story) => {
    for (let count = 0; count < 2; count++) {
      const block = await story.make();
      await story.announce(block, 0, 2);
      await story.confirm(block);
    }
    await story.announce(await story.make(), 0, 2);
    const base = story.chain.at(-3)!;
    const one = await story.make(base);
    const two = await story.make(one.made);
    story.chain = [...story.chain.slice(0, -2), one.made, two.made];
    story.upstream.node.reorg(2, [one.made, two.made]);
    await story.reach(({ latest }) => latest === two.position, 'the other chain');
    await story.pendingAt(two.position);
  },
  'increments before their parent is confirmed': async (story) => {
    const one = await story.make();
    const two = await story.make(one.made);
    await story.announce(one);
    await story.announce(two);
    await story.confirm(one);
    await story.pendingAt(two.positions.at(-1)!);
    await story.confirm(two);
  },
  'a second block ahead that is restarted': async (story) => {
    const one = await story.make();
    const [first, second] = [await story.make(one.made), await story.make(one.made)];
    await story.announce(one);
    await story.announce(first, 0, 2);
    await story.announce(second, 0, 3);
    await story.confirm(one);
    await story.pendingAt(second.positions[2]!);
    await story.confirm(second);
  },
  'a block that ends differently': async (story) => {
    const [reported, confirmed] = [await story.make(), await story.make()];
    await story.announce(reported);
    await story.confirm(confirmed);
    await story.pendingAt(confirmed.position);
  },
  'a block that cannot be executed, with many requests': async (story) => {
    const block = await story.make();
    await story.announce(block, 0, 2);
    story.upstream.oddBlocks.add(toHex(block.made.hash));
    const isOver = { now: false };
    const others = Array.from({ length: 3 }, async () => {
      while (!isOver.now) {
        await story.poll();
        await story.queryCold();
      }
    });
    await Promise.all([story.confirm(block).finally(() => (isOver.now = true)), ...others]);
    await story.pendingAt(block.position);
    await until(
      async () => UNKNOWN_TYPE.test((await story.server.readiness()).reason),
      'the type that is not known is named',
    );
  },
  'cold state from a node with faults': async (story) => {
    const block = await story.cold();
    story.upstream.node.faults.next.push({ kind: 'status', status: 503 }, { kind: 'drop' }, { kind: 'cut' });
    await story.announce(block);
    await story.confirm(block);
  },
};

const UNKNOWN_TYPE = /block \d+ has a transaction of type 0x7d, which is not known here/;

describe('the program with an upstream that has every fault', () => {
  let upstream: ScriptedUpstream;
  let server: Server;
  let story: Story;

  before(async () => {
    const root = genesis();
    const chain = [root, await makeBlock(root, [])];
    upstream = await ScriptedUpstream.start(chain);
    server = await upstream.follow();
    story = new Story(upstream, server, chain);
    await story.poll();
  });
  after(async () => {
    await server.stop();
    await upstream.close();
  });

  test('responses are true of every increment and every block, with an upstream that has every fault', async (t) => {
    const startedMs = Date.now();
    const names = Object.keys(SCENARIOS);
    for (let at = 0; at < names.length || Date.now() - startedMs < SOAK_MS; at++) {
      const name = names[at % names.length]!;
      const startMs = Date.now();
      await SCENARIOS[name]!(story).catch((error: unknown) => {
        throw new Error(`${name} (${toHex(story.tip.hash)})`, { cause: error });
      });
      story.seen.scenarios++;
      if (SOAK_MS === 0) t.diagnostic(`${name}: ${Date.now() - startMs} ms`);
    }
    const { latest, pending, ...seen } = story.seen;
    t.diagnostic(JSON.stringify({ ...seen, blocks: latest.size, positions: pending.size, ms: Date.now() - startedMs }));
    assert.equal(await metric(server, 'mismatches_total'), 0, server.log.join('\n'));
    const odd = upstream.oddBlocks.size;
    assert.ok(odd > 0);
    assert.equal(await metric(server, 'unknown_blocks_total'), odd, server.log.join('\n'));
    assert.equal(await metric(server, 'state_restarts_total'), odd, server.log.join('\n'));
    assert.ok((await metric(server, 'gaps_total')) > 0);
    assert.ok((await metric(server, 'reorgs_total')) > 0);
    assert.ok((await metric(server, 'blocks_promoted_total')) > 0);
    assert.ok((await metric(server, 'blocks_executed_total')) > 0);
    assert.equal(await metric(server, 'publisher_restarts_total'), 0);
  });
});
