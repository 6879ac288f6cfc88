// Messages of every subscription on a live chain with a faulty upstream: increments, a restarted payload, a gap, a
// reorg, a resync; compared with the chain that the upstream was built from.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fromHex, toHex, toQuantity } from '../../src/lib/bytes/hex.js';
import { toBytes } from '../../src/lib/bytes/big-endian.js';
import {
  ACCOUNTS,
  LOGGER,
  WRITER,
  genesis,
  makeBlock,
  makeInIncrements,
  type Action,
  type MadeBlock,
} from '../feed/live/chain-maker.js';
import { until } from '../support/patience.js';
import type { Server } from '../support/server.js';
import { NodeError } from '../support/upstream-node.js';
import { Listener, type Json } from './listener.js';
import { FollowedUpstream, ScriptedUpstream, type ScriptedBlock } from './scripted-upstream.js';

const ZERO_HASH = `0x${'00'.repeat(32)}`;
/** Transactions per block and per increment. */
const COUNT = 6;
const SIZE = 2;
const WATCHED = [WRITER, ...ACCOUNTS.slice(0, 4)].map(toHex);

interface Topic {
  readonly parameters: readonly unknown[];
  /** The part of a message that is compared. */
  readonly summary: (message: never) => string;
}

function summaryOfLog({ removed, blockHash, transactionHash, logIndex }: Json): string {
  return [removed, blockHash, transactionHash, logIndex].join(' ');
}

const TOPICS = {
  newHeads: { parameters: [], summary: ({ hash }: Json) => String(hash) },
  logs: { parameters: [{ address: toHex(LOGGER) }], summary: summaryOfLog },
  pendingLogs: { parameters: [{ address: toHex(LOGGER) }], summary: summaryOfLog },
  newPendingTransactions: { parameters: [], summary: String },
  newFlashblocks: {
    parameters: [],
    summary: ({ number, transactions }: { number: string; transactions: Json[] }) =>
      [number, ...transactions.map(({ hash }) => hash)].join(' '),
  },
  newFlashblockTransactions: {
    parameters: [true],
    summary: ({ hash, status, logs }: Json) => [hash, status, (logs as Json[]).length].join(' '),
  },
  transactionReceipts: {
    parameters: [{}],
    summary: (receipts: Json[]) =>
      receipts.map(({ blockHash, transactionHash }) => [blockHash, transactionHash]).join(' '),
  },
  stateChanges: { parameters: [WATCHED], summary: (message: Json) => JSON.stringify(message) },
} as const satisfies Record<string, Topic>;
type Name = keyof typeof TOPICS;
const NAMES = Object.keys(TOPICS) as Name[];
/** Topics whose connection is closed if messages may be missing. */
const WHOLE = new Set<Name>(['logs', 'transactionReceipts', 'stateChanges']);

/** Hash and number of logs of a block's transactions. */
function transactionsOf({ block }: MadeBlock): readonly { readonly hash: string; readonly logs: number }[] {
  return block.transactions.map(({ hash, receipt }) => ({ hash: toHex(hash), logs: receipt.logs.length }));
}

/** The logs of a block: at most one per transaction. */
function logsOf(made: MadeBlock, place: { readonly blockHash: string; readonly removed: boolean }): string[] {
  const logging = transactionsOf(made).filter(({ logs }) => logs > 0);
  return logging.map(({ hash }, at) => summaryOfLog({ ...place, transactionHash: hash, logIndex: toQuantity(at) }));
}

/** Messages that must have arrived, by topic. State changes are compared by the state they add up to instead. */
class ExpectedMessages {
  readonly texts = Object.fromEntries(NAMES.map((name) => [name, [] as string[]])) as Record<Name, string[]>;
  /** The pre-confirmed block and the number of its announced transactions. */
  #ahead: { readonly made: MadeBlock; readonly to: number } | null = null;

  /** An increment in which transactions `from` to `to` are new. */
  increment(made: MadeBlock, from: number, to: number): void {
    this.#replacedBy(made);
    this.#ahead = { made, to };
    const transactions = transactionsOf(made);
    const fresh = transactions.slice(from, to);
    const logsBefore = transactions.slice(0, from).filter(({ logs }) => logs > 0).length;
    const logs = logsOf(made, { blockHash: ZERO_HASH, removed: false });
    this.texts.newPendingTransactions.push(...fresh.map(({ hash }) => hash));
    this.texts.newFlashblockTransactions.push(...fresh.map(({ hash, logs: count }) => `${hash} 0x1 ${count}`));
    this.texts.pendingLogs.push(...logs.slice(logsBefore, logsBefore + fresh.filter((each) => each.logs > 0).length));
    const soFar = transactions.slice(0, to).map(({ hash }) => hash);
    this.texts.newFlashblocks.push([toQuantity(made.number), ...soFar].join(' '));
  }

  /** A block replaces another of the same number: no two blocks share a transaction. */
  #replacedBy(made: MadeBlock): void {
    if (this.#ahead === null || this.#ahead.made === made || this.#ahead.made.number !== made.number) return;
    const { made: dropped, to } = this.#ahead;
    const count = transactionsOf(dropped)
      .slice(0, to)
      .filter(({ logs }) => logs > 0).length;
    this.texts.pendingLogs.push(...logsOf(dropped, { blockHash: ZERO_HASH, removed: true }).slice(0, count));
    this.#ahead = null;
  }

  complete(made: MadeBlock): void {
    this.#replacedBy(made);
    const blockHash = toHex(made.hash);
    this.texts.newHeads.push(blockHash);
    this.texts.logs.push(...logsOf(made, { blockHash, removed: false }));
    const transactions = transactionsOf(made);
    if (transactions.length > 0)
      this.texts.transactionReceipts.push(transactions.map(({ hash }) => [blockHash, hash]).join(' '));
  }

  removed(made: MadeBlock): void {
    this.texts.logs.push(...logsOf(made, { blockHash: toHex(made.hash), removed: true }));
  }
}

/** Announces and confirms the chain's blocks, with one connection per topic. */
class Story extends FollowedUpstream {
  readonly expected = new ExpectedMessages();
  readonly listeners = new Map<Name, { readonly listener: Listener; readonly id: string }>();
  #words = 0;

  async listen(names: readonly Name[] = NAMES): Promise<void> {
    for (const name of names) {
      const listener = await Listener.open(this.server);
      const id = await listener.subscribe(name, ...TOPICS[name].parameters);
      this.listeners.set(name, { listener, id });
    }
  }

  /** A block on `parent` whose transactions occur in no other block. */
  async make(parent: MadeBlock = this.tip): Promise<ScriptedBlock> {
    const actions = Array.from({ length: COUNT }, (_, at): Action => {
      const word = BigInt((this.#words += 1));
      return at % 2 === 0
        ? { from: at % 4, to: LOGGER, words: [word] }
        : { from: at % 4, to: WRITER, words: [BigInt(at), word] };
    });
    const { made, states } = await makeInIncrements(parent, actions, SIZE, this.#words % 256);
    return this.upstream.register(made, states, SIZE);
  }

  /** Announces increments `from` to `to` of a block. */
  async announce({ made, frames }: ScriptedBlock, from: number, to: number): Promise<void> {
    for (let at = from; at < to; at++) {
      await this.upstream.send(frames[at]!);
      this.expected.increment(made, Math.max(0, at - 1) * SIZE, Math.min(COUNT, at * SIZE));
      await this.receivedAll();
    }
  }

  async confirm({ made }: ScriptedBlock): Promise<void> {
    this.chain.push(made);
    this.upstream.node.push(made);
    this.expected.complete(made);
    await this.receivedAll();
  }

  received(name: Name): string[] {
    const { listener, id } = this.listeners.get(name)!;
    return listener.reported(id).map((message) => TOPICS[name].summary(message as never));
  }

  /** The state that a subscriber to state changes has assembled. */
  mirror(): Map<string, string> {
    const { listener, id } = this.listeners.get('stateChanges')!;
    const mirror = new Map<string, string>();
    for (const { address, nonce, balance, storage } of listener.reported(id)) {
      if (nonce !== undefined) mirror.set(String(address), `${nonce as string} ${balance as string}`);
      for (const [slot, word] of Object.entries((storage ?? {}) as Json))
        mirror.set(String(address) + slot, String(word));
    }
    return mirror;
  }

  /** Waits until all expected messages have arrived. */
  async receivedAll(): Promise<void> {
    for (const [name] of this.listeners) {
      if (name === 'stateChanges') continue;
      const expected = this.expected.texts[name];
      await until(
        () => this.received(name).length >= expected.length,
        () => `${name}: ${this.received(name).join('\n')}`,
      );
    }
  }

  /** Waits until the assembled state equals that after the newest block. */
  async hasTip(): Promise<void> {
    const { state } = this.tip;
    const isTrue = ([key, value]: readonly [string, string]): boolean => {
      const address = fromHex(key.slice(0, 42));
      if (key.length > 42) return toHex(state.storage(address, fromHex(`0x${key.slice(44)}`))) === value;
      const { nonce, balance } = state.account(address)!;
      return `${toQuantity(nonce)} ${toQuantity(balance)}` === value;
    };
    await until(
      () => this.mirror().size > 0 && [...this.mirror()].every(isTrue),
      () => [...this.mirror()].filter((each) => !isTrue(each)).join('\n'),
    );
  }
}

/** Each scenario starts and ends with nothing pre-confirmed. */
const SCENARIOS: Readonly<Record<string, (story: Story) => Promise<void>>> = {
  'a block in its increments': async (story) => {
    const block = await story.make();
    await story.announce(block, 0, block.frames.length);
    await story.confirm(block);
  },
  'a gap': async (story) => {
    const block = await story.make();
    await story.announce(block, 0, 2);
    await story.upstream.send(...block.frames.slice(3));
    await story.confirm(block);
  },
  'a payload that is restarted': async (story) => {
    const [first, second] = [await story.make(), await story.make()];
    await story.announce(first, 0, 3);
    await story.announce(second, 0, second.frames.length);
    await story.confirm(second);
  },
  'a block that ends differently': async (story) => {
    const [first, second] = [await story.make(), await story.make()];
    await story.announce(first, 0, first.frames.length);
    await story.confirm(second);
  },
  'a reorg of two blocks under increments': async (story) => {
    for (let count = 0; count < 2; count++) {
      const block = await story.make();
      await story.announce(block, 0, 2);
      await story.confirm(block);
    }
    await story.announce(await story.make(), 0, 2);
    const [first, second] = story.chain.slice(-2);
    const one = await story.make(story.chain.at(-3));
    const two = await story.make(one.made);
    story.chain = [...story.chain.slice(0, -2), one.made, two.made];
    for (const made of [second!, first!]) story.expected.removed(made);
    for (const { made } of [one, two]) story.expected.complete(made);
    story.upstream.node.reorg(2, [one.made, two.made]);
    await story.receivedAll();
  },
};

/** A position up to which everything has arrived: number of messages by topic, and the version. */
interface Mark {
  readonly counts: ReadonlyMap<Name, number>;
  readonly position: { readonly block: string; readonly index: string; readonly version: number };
}

function markOf(story: Story): Mark {
  const { listener, id } = story.listeners.get('stateChanges')!;
  const { position } = listener.reported(id).at(-1) as unknown as Mark;
  return { position, counts: new Map(NAMES.map((name) => [name, story.received(name).length])) };
}

const RESET = 'the state was begun anew: something may be missing';

/** Code that returns a slot of its account. */
const LOAD = '0x5f35545f5260205ff3';

/** Slot 1 of WRITER after a block. */
function wordIn({ state }: MadeBlock): string {
  return toHex(state.storage(WRITER, toBytes(1n, 32)));
}

/** Parameters of eth_callMany that read slot 1 of WRITER inside a block. */
function slotInside(blockNumber: string, transactionIndex: number): readonly unknown[] {
  const to = toHex(WRITER);
  const data = `0x${'1'.padStart(64, '0')}`;
  return [[{ transactions: [{ to, data }] }], { blockNumber, transactionIndex }, { [to]: { code: LOAD } }];
}

describe('every subscription on a live chain with faults', () => {
  let upstream: ScriptedUpstream;
  let server: Server;
  let story: Story;
  let filter: string;
  let mark: Mark;

  before(async () => {
    const root = genesis();
    const chain = [root, await makeBlock(root, [])];
    upstream = await ScriptedUpstream.start(chain);
    server = await upstream.follow('--passthrough');
    story = new Story(upstream, server, chain);
    filter = await server.result('eth_newFilter', TOPICS.logs.parameters[0]);
    await story.listen();
  });
  after(async () => {
    for (const { listener } of story.listeners.values()) listener.close();
    await server.stop();
    await upstream.close();
  });

  for (const [name, scene] of Object.entries(SCENARIOS)) {
    test(`all topics report ${name}`, async () => {
      await scene(story);
      await story.hasTip();
      for (const topic of NAMES)
        if (topic !== 'stateChanges') assert.deepEqual(story.received(topic), story.expected.texts[topic], topic);
      mark = markOf(story);
    });
  }

  test('a filter gives a polling client the same as a subscriber', async () => {
    const changes = await server.result<Json[]>('eth_getFilterChanges', filter);
    assert.deepEqual(changes.map(summaryOfLog), story.expected.texts.logs);
  });

  test('the scenarios are repeated for subscriptions that resume', async () => {
    for (const name of ['a payload that is restarted', 'a reorg of two blocks under increments']) {
      await SCENARIOS[name]!(story);
      await story.hasTip();
    }
  });

  for (const name of NAMES) {
    test(`${name} resumes from a version and from a block and index`, async () => {
      const { counts, position } = mark;
      const missed = story.received(name).slice(counts.get(name));
      assert.ok(missed.length > 0);
      const froms = [
        { fromVersion: position.version },
        { fromBlock: Number(position.block), fromIndex: Number(position.index) },
      ];
      for (const from of froms) {
        const listener = await Listener.open(server);
        const id = await listener.subscribe(name, ...TOPICS[name].parameters, from);
        const received = await listener.until(id, missed.length);
        assert.deepEqual(
          received.map((message) => TOPICS[name].summary(message as never)),
          missed,
        );
        listener.close();
      }
    });
  }

  test('a forwarded transaction is answered with its pre-confirmed receipt', async () => {
    const block = await story.make();
    const { hash, raw } = block.made.block.transactions[0]!;
    const sent: unknown[] = [];
    upstream.node.methods.set('eth_sendRawTransaction', ([bytes]) => {
      sent.push(bytes);
      void upstream.send(...block.frames.slice(0, 2));
      return toHex(hash);
    });
    const receipt = await server.result<Json>('eth_sendRawTransactionSync', toHex(raw), 30_000);
    assert.deepEqual(sent, [toHex(raw)]);
    assert.deepEqual(
      [receipt['transactionHash'], receipt['blockHash'], receipt['blockNumber']],
      [toHex(hash), ZERO_HASH, toQuantity(block.made.number)],
    );
    assert.deepEqual(await server.result('eth_sendRawTransactionSync', toHex(raw)), receipt, 'it is not sent again');
    assert.equal(sent.length, 1);
    story.expected.increment(block.made, 0, 0);
    story.expected.increment(block.made, 0, SIZE);
    await story.confirm(block);
  });

  test('a transaction that the node already has is waited for; one that it refuses is not', async () => {
    const block = await story.make();
    const { hash, raw } = block.made.block.transactions[0]!;
    upstream.node.methods.set('eth_sendRawTransaction', () => {
      throw new NodeError(-32_000, 'already known');
    });
    const again = await server.query('eth_sendRawTransaction', [toHex(raw)]);
    assert.deepEqual(again.error, { code: -32_000, message: 'already known', source: 'upstream' });
    const { error } = await server.query('eth_sendRawTransactionSync', [toHex(raw), 20]);
    const late = 'the transaction was not pre-confirmed within 20 ms';
    assert.deepEqual(error, { code: 4, message: late, data: toHex(hash) });
    const next = await story.make(block.made);
    const [later] = next.made.block.transactions;
    const gap = await server.query('eth_sendRawTransactionSync', [toHex(later!.raw), 20]);
    const { nonce } = story.tip.state.account(later!.from)!;
    assert.deepEqual([gap.error?.code, gap.error?.data], [6, toQuantity(nonce)]);
    assert.ok(gap.error?.message.startsWith(`${late}: it has nonce `), gap.error?.message);
    upstream.node.methods.set('eth_sendRawTransaction', () => {
      throw new NodeError(-32_000, 'nonce too low: next nonce 9, tx nonce 1');
    });
    const refused = await server.query('eth_sendRawTransactionSync', [toHex(raw), 30_000]);
    const message = 'nonce too low: next nonce 9, tx nonce 1';
    assert.deepEqual(refused.error, { code: -32_000, message, source: 'upstream' });
  });

  test('calls inside a block are answered here if its parent is kept, otherwise by the node', async () => {
    const requested: unknown[] = [];
    upstream.node.methods.set('eth_callMany', (params) => {
      requested.push(params);
      return [];
    });
    const start = story.tip;
    const block = await story.make();
    const next = await story.make(block.made);
    // The second transaction writes the slot.
    const expected = (parent: MadeBlock, { made }: ScriptedBlock): unknown[] =>
      [parent, parent, made, made].map((at) => [[{ value: wordIn(at) }]]);
    assert.equal(new Set([start, block.made, next.made].map(wordIn)).size, 3);
    const read = (tag: string): Promise<unknown[]> =>
      Promise.all([0, 1, 2, 4].map((count) => server.result('eth_callMany', ...slotInside(tag, count))));
    await story.announce(block, 0, block.frames.length);
    assert.deepEqual(await read('pending'), expected(start, block));
    await story.announce(next, 0, 3);
    assert.deepEqual(await read('pending'), expected(block.made, next));
    await story.confirm(block);
    assert.deepEqual(await read('latest'), expected(start, block));
    assert.deepEqual(await read('pending'), expected(block.made, next));
    await story.confirm(next);
    assert.deepEqual(await read('latest'), expected(block.made, next));
    assert.deepEqual(requested, []);
    const [first] = story.chain;
    assert.deepEqual(await server.result('eth_callMany', ...slotInside(toQuantity(first!.number), 1)), []);
    const [bundles, , overrides] = slotInside('', 1);
    const context = { blockNumber: { blockHash: toHex(first!.hash) }, transactionIndex: 1 };
    assert.deepEqual(requested, [[bundles, context, overrides]]);
  });

  test('a resync closes subscriptions that may have missed an event, and no others', async () => {
    const block = await story.make();
    upstream.oddBlocks.add(toHex(block.made.hash));
    story.chain.push(block.made);
    upstream.node.push(block.made);
    for (const name of WHOLE) {
      const { listener } = story.listeners.get(name)!;
      await until(() => listener.closed !== null, name);
      assert.deepEqual(listener.closed, [1013, RESET]);
      story.listeners.delete(name);
    }
    const heads = (): string[] => story.received('newHeads');
    await until(
      () => heads().at(-1) === toHex(block.made.hash),
      () => `the block that the state begins with; ${heads().join('\n')}`,
    );
    const next = await story.make();
    upstream.node.push(next.made);
    await until(
      () => heads().at(-1) === toHex(next.made.hash),
      () => heads().join('\n'),
    );
    for (const [name, { listener }] of story.listeners) assert.equal(listener.closed, null, name);
    const text = await server.metrics();
    assert.match(text, /^prestate_subscribers_closed_total\{reason="reset"\} 3$/m);
    assert.match(text, /^prestate_subscriptions\{topic="logs"\} 0$/m);
    assert.match(text, /^prestate_subscriptions\{topic="newHeads"\} 1$/m);
    assert.match(text, /^prestate_filters\{topic="logs"\} 1$/m);
  });
});
