// A live chain whose node reveals its rules bit by bit: they are requested again, blocks that they do not cover are not
// executed, and a change of the rules in force causes a resync.
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { RLP } from '@ethereumjs/rlp';
import { decodeHeader } from '../../../src/chain/block/header.js';
import { FORKS } from '../../../src/chain/forks.table.js';
import type { BlobSchedule } from '../../../src/chain/chain-description.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { DEV_CHAIN } from '../../../src/feed/dev/genesis.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { keccak256 } from '../../../src/lib/bytes/keccak-wasm.js';
import { toBigInt, toBytes } from '../../../src/lib/bytes/big-endian.js';
import { EXECUTOR } from '../../support/engine.js';
import type { MemoryView } from '../../support/memory-view.js';
import type { Json, JsonObject } from '../../support/node-json.js';
import { temporaryFile } from '../../support/temporary-folder.js';
import { altered, framesOf, genesis, makeBlock, type MadeBlock } from './chain-maker.js';
import { LiveRig, type RigOptions } from './live-rig.js';
import { TracedChain } from './traced-chain.js';

/** SSTORE(0, BLOBBASEFEE + NUMBER): makes the blob schedule visible, which no receipt does. */
const PRICER = fromHex('0x00000000000000000000000000000000000000b1');
const SLOT = new Uint8Array(32);
const GENESIS_TIME = 1_700_000_000;
/** Timestamp of block `number`. */
const timeOf = (number: number): number => GENESIS_TIME + 2 * number;

const schedule = (target: number): BlobSchedule => ({
  target,
  max: target + 3,
  baseFeeUpdateFraction: target * 834_619,
});

/** First blocks of the chain's forks, which change only blob parameters. */
const BEGINS = [4, 6, 8] as const;
const SCHEDULES = [schedule(6), schedule(10), schedule(14), schedule(20)] as const;
const RULES = createChainRules({
  ...DEV_CHAIN,
  forks: [...DEV_CHAIN.forks, ...BEGINS.map((at, i) => ({ name: `bpo${i + 1}`, block: null, timestamp: timeOf(at) }))],
  blobSchedule: Object.fromEntries(SCHEDULES.map((each, i) => [i === 0 ? 'osaka' : `bpo${i}`, each])),
});

/** Fork `index` as the node reports it; 0 is active from the start. */
function fork(index: number, more: JsonObject = {}): JsonObject {
  const times = BEGINS.slice(0, index).map(timeOf);
  const id = times.reduce((sum, time) => crc32(toBytes(BigInt(time), 8), sum), 0x1234);
  return {
    activationTime: times.at(-1) ?? 0,
    blobSchedule: { ...SCHEDULES[index]! },
    forkId: toHex(toBytes(BigInt(id), 4)),
    precompiles: { P256VERIFY: `0x${'100'.padStart(40, '0')}` },
    systemContracts: {},
    ...more,
  };
}

/** A genesis file of the chain up to its first fork, with more fields in its config. */
function genesisText(more: JsonObject): string {
  const starts = FORKS.filter(({ genesisKey, isOfBlobs }) => genesisKey !== null && isOfBlobs !== true);
  const before = starts.slice(0, starts.findIndex(({ name }) => name === 'osaka') + 1);
  const keys = Object.fromEntries(before.map(({ genesisKey }) => [genesisKey, 0]));
  const blobSchedule = { osaka: SCHEDULES[0], bpo1: SCHEDULES[1] };
  const chain = { chainId: 31_337, terminalTotalDifficulty: 0, bpo1Time: timeOf(BEGINS[0]), blobSchedule };
  return JSON.stringify({ config: { ...keys, ...chain, ...more } });
}

let rig: LiveRig;
let blocks: MadeBlock[];
let config: Json;

/** A chain of so many blocks, each with its blob price; the rig starts at block 2. */
async function startRig(
  count: number,
  first: Json,
  hasFeed = false,
  more: Partial<RigOptions> = {},
  rules = RULES,
): Promise<void> {
  const root = genesis();
  (root.state as MemoryView).put(toHex(PRICER), { nonce: 1n, code: '0x4a43015f5500' });
  blocks = [altered(root, { excessBlobGas: 40_000_000n, timestamp: BigInt(GENESIS_TIME) })];
  for (let number = 1; number <= count; number++)
    blocks.push(await makeBlock(blocks.at(-1)!, [{ from: 0, to: PRICER, words: [] }], 0, EXECUTOR, rules));
  config = first;
  rig = await LiveRig.start({
    blocks: blocks.slice(0, 3),
    queriesRules: true,
    hasFeed,
    ...more,
    prepare: (node) => {
      node.methods.set('eth_config', () => config);
      more.prepare?.(node);
    },
  });
}

afterEach(() => rig.stop());

/** The node gets this block, and reports `says` as its rules from then on. */
async function follow(number: number, says = config): Promise<void> {
  config = says;
  await rig.confirm(blocks[number]!);
}

/** The node is away for a while, and reports `says` as its rules afterwards. */
async function reconnect(says: Json): Promise<void> {
  await rig.node.kill();
  await rig.until(() => rig.status.upstreamSilentSinceMs !== null, 'the node is missed');
  config = says;
  await rig.node.restart();
}

async function assertPrice(number: number): Promise<void> {
  const expected = blocks[number]!.state.storage(PRICER, SLOT);
  assert.equal(await rig.fetch({ accounts: [], slots: [{ address: PRICER, slot: SLOT }] }), null);
  assert.equal(toHex(rig.latest.storage(PRICER, SLOT)), toHex(expected), `block ${number}`);
}

const prices = (): bigint[] =>
  blocks.slice(1).map(({ state, number }) => toBigInt(state.storage(PRICER, SLOT)) - BigInt(number));

/** Number of requests for the node's rules. */
const requested = (): number => rig.node.counts.byMethod['eth_config'] ?? 0;

describe('rules reported by the node', () => {
  test('a fork between the next and the last one is learned once the next one is active', async () => {
    await startRig(9, { current: fork(0), next: fork(1), last: fork(3) });
    assert.equal(new Set(prices()).size, 4, 'each fork has a price of its own');
    assert.match(rig.status.notice ?? '', /leaves out a fork between timestamps/);
    for (let number = 3; number <= 9; number++) {
      const index = BEGINS.filter((at) => at <= number).length;
      const says = { current: fork(index), next: index < 3 ? fork(index + 1) : null, last: index < 3 ? fork(3) : null };
      await follow(number, says);
      await assertPrice(number);
    }
    const { mismatches, unknownRules } = rig.status.counts;
    assert.deepEqual({ mismatches, unknownRules }, { mismatches: 0, unknownRules: 0 }, rig.notes.join('; '));
    assert.equal(rig.warnings.length, 1, rig.warnings.join('; '));
    assert.equal(rig.status.doubt, null);
    assert.equal(rig.epochs, 1, 'blocks that are kept have the rules that they had');
  });

  test('an unknown system contract that the node starts to list is reported, and nothing is executed without it', async () => {
    await startRig(4, { current: fork(0), next: fork(1), last: fork(1) });
    assert.deepEqual([rig.status.unknownFeatures, rig.warnings], [[], []]);
    await follow(3);
    await follow(4, {
      current: fork(1, { systemContracts: { NEW_QUEUE_ADDRESS: toHex(PRICER) } }),
      next: null,
      last: null,
    });
    // Nothing is known about the fork that it belongs to.
    assert.deepEqual(rig.status.unknownFeatures, [
      { kind: 'fork', name: `at ${timeOf(4)}` },
      { kind: 'system contract', name: 'NEW_QUEUE_ADDRESS' },
    ]);
    assert.match(rig.warnings.join('; '), /system contract NEW_QUEUE_ADDRESS/);
    assert.match(rig.status.doubt ?? '', /NEW_QUEUE_ADDRESS/);
  });

  test('an unknown precompile of a known fork is reported, and only blocks that call it are not executed', async () => {
    await startRig(6, { current: fork(0), next: null, last: null });
    new TracedChain(blocks, RULES).serveOn(rig.node);
    await follow(3);
    // Every block calls it.
    const precompiles = { P256VERIFY: `0x${'100'.padStart(40, '0')}`, NEW_ONE: toHex(PRICER) };
    await reconnect({ current: fork(0, { precompiles }), next: null, last: null });
    const { epochs } = rig;
    for (const number of [4, 5, 6]) {
      await follow(number);
      await assertPrice(number);
    }
    assert.deepEqual(rig.status.unknownFeatures, [{ kind: 'precompile', name: `NEW_ONE (${toHex(PRICER)})` }]);
    assert.match(rig.warnings.join('; '), /not known here: precompile NEW_ONE/);
    assert.equal(rig.status.doubt, null);
    const { blocksNonEvm, blocksByPrestate, blocksExecuted, mismatches } = rig.status.counts;
    // The first block starts the state with the rules that have the precompile.
    assert.deepEqual([blocksNonEvm, blocksByPrestate, blocksExecuted, mismatches], [2, 2, 1, 0], rig.notes.join('; '));
    assert.equal(rig.epochs, epochs + 1);
  });

  test('a fork that the node reports only after a reconnect is known at its activation', async () => {
    await startRig(5, { current: fork(0), next: null, last: null });
    await follow(3);
    await reconnect({ current: fork(0), next: fork(1), last: fork(1) });
    for (let number = 4; number <= 5; number++) {
      await follow(number);
      await assertPrice(number);
    }
    assert.equal(rig.status.counts.mismatches, 0);
  });

  test('a fork that is reported after its activation causes a resync by its rules', async () => {
    await startRig(6, { current: fork(0), next: null, last: null });
    await follow(3);
    await follow(4);
    assert.equal(rig.epochs, 1, rig.notes.join('; '));
    await reconnect({ current: fork(1), next: fork(2), last: fork(3) });
    await follow(5);
    assert.equal(rig.epochs, 2);
    await assertPrice(5);
    await follow(6);
    await assertPrice(6);
  });

  test('changed rules come into use with the resync that they cause, however late that is', async () => {
    await startRig(6, { current: fork(0), next: null, last: null });
    await follow(3);
    await follow(4);
    await rig.node.kill();
    await rig.until(() => rig.status.upstreamSilentSinceMs !== null, 'the node is missed');
    // Requests for the rules get no response at first.
    rig.node.methods.set('eth_config', () => {
      rig.node.faults.next = Array.from({ length: 4 }, () => ({ kind: 'drop' }));
      return { current: fork(1), next: fork(2), last: fork(3) };
    });
    await rig.node.restart();
    rig.node.push(blocks[5]!);
    await rig.until(() => rig.status.counts.upstreamFailures > 0, 'failure');
    rig.node.methods.set('eth_config', () => ({ current: fork(1), next: fork(2), last: fork(3) }));
    await rig.atHead(blocks[5]!);
    assert.equal(rig.epochs, 2, rig.notes.join('; '));
    await follow(6);
    await assertPrice(6);
    assert.equal(rig.status.counts.mismatches, 0);
  });

  test('eth_config is requested again at the activation of the next fork, and not before', async () => {
    await startRig(5, { current: fork(0), next: fork(1), last: fork(1) });
    await follow(3);
    const before = requested();
    await follow(4);
    assert.equal(requested(), before + 1);
    await follow(5);
    assert.equal(requested(), before + 1);
    await assertPrice(5);
  });
});

/** A block of the node whose header has an object as a member: its hash cannot be computed from the known fields. */
const unreadable = (json: JsonObject): JsonObject => ({ ...json, newTree: { root: '0x1' }, extraData: '0x01' });

test('a fork that the node reports only once it is active needs no resync', async () => {
  const forks = [...DEV_CHAIN.forks, { name: 'amsterdam', block: null, timestamp: timeOf(5) }];
  const rules = createChainRules({
    ...DEV_CHAIN,
    forks,
    blobSchedule: { osaka: SCHEDULES[0], amsterdam: SCHEDULES[1] },
  });
  await startRig(7, { current: fork(0), next: null, last: null }, false, {}, rules);
  const systemContracts = { BUILDER_EXIT_CONTRACT_ADDRESS: toHex(new Uint8Array(20).fill(8)) };
  const amsterdam = fork(1, { activationTime: timeOf(5), systemContracts, forkId: null });
  for (const number of [3, 4, 5, 6, 7]) {
    await follow(number, { current: number < 5 ? fork(0) : amsterdam, next: null, last: null });
    await assertPrice(number);
    assert.equal(rig.status.doubt, null);
  }
  const { blocksExecuted, mismatches, unknownRules } = rig.status.counts;
  assert.deepEqual(
    { blocksExecuted, mismatches, unknownRules, epochs: rig.epochs },
    { blocksExecuted: 5, mismatches: 0, unknownRules: 0, epochs: 1 },
    rig.notes.join('; '),
  );
  assert.deepEqual([rig.warnings, rig.status.unknownFeatures], [[], []]);
  // Every version reads as it was built, and the main thread gets the rules of a version before the version.
  for (const number of [4, 5, 6]) {
    const at = rig.reader.snapshot(rig.reader.versionOfBlock(number, rig.newest.version));
    assert.equal(toHex(at.storage(PRICER, SLOT)), toHex(blocks[number]!.state.storage(PRICER, SLOT)));
  }
  const reported = rig.messages.flatMap((each): (string | number | null)[] => {
    if (each.kind === 'table') return [each.chain!.forks.map(({ name }) => name).join()];
    return each.kind === 'changed' ? [each.coordinates.block] : [];
  });
  assert.deepEqual(reported.slice(reported.indexOf(3)), [3, 4, 'osaka,amsterdam', 5, 6, 7]);
});

describe('unknown rules', () => {
  const UNKNOWN = fork(1, { precompiles: { NEW_PRECOMPILE: `0x${'12'.padStart(40, '0')}` } });

  test('are reported when they are scheduled, and nothing is executed once they are active', async () => {
    await startRig(7, { current: fork(0), next: UNKNOWN, last: UNKNOWN }, true);
    await follow(3);
    assert.equal(rig.status.doubt, null);
    assert.match(rig.status.notice ?? '', /a fork that is not known here, from timestamp .* \(NEW_PRECOMPILE\)/);
    assert.equal(rig.warnings.length, 1, rig.warnings.join('; '));
    assert.match(rig.warnings[0]!, /; not known here: fork at \d+, precompile NEW_PRECOMPILE \(0x0+12\)$/);
    assert.deepEqual(rig.status.unknownFeatures, [
      { kind: 'fork', name: `at ${timeOf(4)}` },
      { kind: 'precompile', name: `NEW_PRECOMPILE (0x${'12'.padStart(40, '0')})` },
    ]);
    rig.send(...framesOf(blocks[4]!, 1));
    await rig.until(() => rig.notes.some((note) => /waits until it is confirmed/.test(note)), 'not opened');
    assert.equal(rig.newest.version, rig.newest.latestVersion);
    for (const number of [4, 5]) {
      await follow(number);
      await assertPrice(number);
      assert.match(rig.status.doubt ?? '', /NEW_PRECOMPILE/);
    }
    const { unknownRules, mismatches, blocksExecuted } = rig.status.counts;
    assert.deepEqual(
      { unknownRules, mismatches, blocksExecuted },
      { unknownRules: 1, mismatches: 0, blocksExecuted: 1 },
    );
    assert.equal(rig.warnings.length, 2, rig.warnings.join('; '));
    const reported = rig.messages.flatMap((each) =>
      each.kind === 'live' && 'doubt' in each.status ? [each.status.doubt] : [],
    );
    const tables = rig.messages.filter(({ kind }) => kind === 'table' || kind === 'live');
    const first = tables.findIndex(
      (each) => each.kind === 'live' && 'doubt' in each.status && each.status.doubt !== null,
    );
    assert.ok(reported.some((doubt) => doubt !== null));
    assert.ok(
      tables.slice(first).some(({ kind }) => kind === 'table'),
      'main hears of doubt before it has the state',
    );
    // A newer node, or a fork that was cancelled.
    await reconnect({ current: fork(1), next: fork(2), last: fork(3) });
    await follow(6);
    assert.equal(rig.status.doubt, null);
    await follow(7);
    await assertPrice(7);
    assert.equal(rig.status.counts.blocksExecuted, 2);
  });

  test('are reported, and blocks are applied as diffs without a resync until known rules are in force', async () => {
    // It calls a contract at the end of each block that counts its calls, which no trace shows.
    const queue = fromHex(`0x${'8282'.padStart(40, '0')}`);
    const systemContracts = { BUILDER_DEPOSITS_ADDRESS: toHex(queue) };
    const unknown = { ...UNKNOWN, systemContracts };
    await startRig(7, { current: fork(0), next: unknown, last: unknown });
    (blocks[0]!.state as MemoryView).put(toHex(queue), { nonce: 1n, code: '0x5f546001015f5500' });
    new TracedChain(blocks, RULES).serveOn(rig.node);
    for (const number of [3, 4, 5]) {
      await follow(number);
      await assertPrice(number);
    }
    assert.match(rig.status.doubt ?? '', /NEW_PRECOMPILE, BUILDER_DEPOSITS_ADDRESS/);
    assert.equal(await rig.fetch({ accounts: [], slots: [{ address: queue, slot: SLOT }] }), null);
    assert.equal(toBigInt(rig.latest.storage(queue, SLOT)), 2n);
    assert.match(rig.status.notice ?? '', /^blocks are applied as diffs: the upstream's eth_config has a fork/);
    const { unknownRules, mismatches, blocksExecuted, blocksByPrestate } = rig.status.counts;
    assert.deepEqual(
      { unknownRules, mismatches, blocksExecuted, blocksByPrestate, epochs: rig.epochs },
      { unknownRules: 1, mismatches: 0, blocksExecuted: 1, blocksByPrestate: 2, epochs: 1 },
    );
    // The fork was cancelled.
    await reconnect({ current: fork(0), next: null, last: null });
    await rig.confirm(blocks[6]!);
    assert.equal(rig.status.doubt, null);
  });

  for (const [what, says] of [
    ['reports nothing', null],
    ['reports known forks', { current: fork(0), next: fork(1), last: fork(1) }],
  ] as const) {
    test(`in a genesis file are reported, and blocks are applied as diffs from then on, also if the node ${what}`, async () => {
      const genesisFile = temporaryFile('genesis.json', genesisText({ bogotaTime: timeOf(5) }));
      await startRig(6, says, false, { genesisFile });
      new TracedChain(blocks, RULES).serveOn(rig.node);
      const reason = `the file of --genesis has a fork that is not known here, from timestamp ${timeOf(5)} on (bogotaTime)`;
      assert.deepEqual(rig.warnings, [`${reason}; not known here: fork bogotaTime at ${timeOf(5)}`]);
      assert.deepEqual(rig.status.unknownFeatures, [{ kind: 'fork', name: `bogotaTime at ${timeOf(5)}` }]);
      for (const number of [3, 4, 5, 6]) {
        await follow(number, number < 4 || says === null ? says : { current: fork(1), next: null, last: null });
        await assertPrice(number);
        assert.equal(rig.status.doubt, number < 5 ? null : reason);
      }
      const { unknownRules, mismatches, blocksExecuted, blocksByPrestate } = rig.status.counts;
      assert.deepEqual(
        { unknownRules, mismatches, blocksExecuted, blocksByPrestate, epochs: rig.epochs },
        { unknownRules: 1, mismatches: 0, blocksExecuted: 2, blocksByPrestate: 2, epochs: 1 },
        rig.notes.join('; '),
      );
    });
  }

  const UNREADABLE = 'headers have members that are not known here (newTree)';

  test('a block whose header has unreadable fields is applied as a diff, trusting the node, and reported once', async () => {
    await startRig(6, { current: fork(0), next: null, last: null });
    const odd = [3, 4].map((number) => altered(blocks[number]!, { gasUsed: 2n }));
    const linked = [odd[0]!, altered(odd[1]!, { parentHash: odd[0]!.hash })];
    const hashes = new Set<unknown>(linked.map(({ hash }) => toHex(hash)));
    rig.node.bend = (json) => (hashes.has(json['hash']) ? unreadable(json) : json);
    new TracedChain([...blocks, ...linked], RULES).serveOn(rig.node);
    for (const block of linked) {
      await rig.confirm(block);
      assert.equal(rig.status.doubt, UNREADABLE);
      assert.equal(await rig.fetch({ accounts: [], slots: [{ address: PRICER, slot: SLOT }] }), null);
      assert.equal(toHex(rig.latest.storage(PRICER, SLOT)), toHex(block.state.storage(PRICER, SLOT)));
    }
    assert.deepEqual(rig.status.unknownFeatures, [{ kind: 'header field', name: 'newTree' }]);
    assert.deepEqual(rig.warnings, [
      'not known here: header field newTree',
      `the rules of block 3 are not known to be right: ${UNREADABLE}: nothing is executed`,
    ]);
    const { unknownRules, mismatches, blocksByPrestate, upstreamFailures } = rig.status.counts;
    assert.deepEqual(
      { unknownRules, mismatches, blocksByPrestate, upstreamFailures, epochs: rig.epochs },
      { unknownRules: 1, mismatches: 0, blocksByPrestate: 2, upstreamFailures: 0, epochs: 1 },
      rig.notes.join('; '),
    );
    // Only the header of it is served here; the rest is left to the node.
    assert.ok(rig.messages.every((each) => each.kind !== 'completed' || each.kept === null));
    rig.node.reorg(2, [blocks[3]!]);
    await rig.atHead(blocks[3]!);
    assert.equal(rig.status.doubt, null);
  });

  test('a header with unreadable fields does not end the start, and makes the rules unverified', async () => {
    const reported = { current: fork(0), next: fork(1), last: fork(1) };
    await startRig(4, reported, false, { prepare: (node) => (node.bend = unreadable) });
    assert.equal(rig.status.doubt, UNREADABLE);
    assert.deepEqual(rig.status.unknownFeatures, [{ kind: 'header field', name: 'newTree' }]);
    await follow(3);
    await assertPrice(3);
    assert.equal(rig.status.doubt, UNREADABLE);
    assert.equal(rig.status.counts.blocksExecuted, 0);
    rig.node.bend = (json) => json;
    await follow(4);
    await assertPrice(4);
    assert.equal(rig.status.doubt, null);
  });

  for (const [whose, count] of [
    ["Amsterdam's", 2],
    ["a later fork's", 4],
  ] as const) {
    test(`a block with ${whose} header is applied as a diff, or causes a resync if there is none`, async () => {
      await startRig(3, { current: fork(0), next: null, last: null });
      const unknown = blockWithUnknownFields(blocks[3]!, count);
      const chain = new TracedChain([...blocks, unknown], RULES);
      // Members in any order, mixed with unknown ones.
      rig.node.bend = (json) => ({ besides: '0x5', ...Object.fromEntries(Object.entries(json).toReversed()) });
      chain.serveOn(rig.node);
      await rig.confirm(unknown);
      const reason =
        count === 2
          ? 'block 3: block access list hash is not expected in a header of osaka'
          : 'headers have members that are not known here (newRoot, newNumber)';
      assert.equal(rig.status.doubt, reason);
      const { blocksByPrestate, mismatches, unknownRules } = rig.status.counts;
      assert.deepEqual(
        { blocksByPrestate, mismatches, unknownRules, epochs: rig.epochs },
        { blocksByPrestate: 1, mismatches: count === 2 ? 1 : 0, unknownRules: 1, epochs: 1 },
        rig.notes.join('; '),
      );
      assert.equal(await rig.fetch({ accounts: [], slots: [{ address: PRICER, slot: SLOT }] }), null);
      assert.equal(toHex(rig.latest.storage(PRICER, SLOT)), toHex(unknown.state.storage(PRICER, SLOT)));
      const fields = ['newRoot', 'newNumber'].slice(0, count - 2);
      assert.deepEqual(
        rig.status.unknownFeatures,
        fields.map((name) => ({ kind: 'header field', name })),
      );
      // The main thread builds no block from members whose names it does not know.
      const reported = rig.messages.flatMap((each) => (each.kind === 'completed' ? [each.kept !== null] : []));
      assert.deepEqual(reported, [count === 2]);
      rig.node.methods.clear();
      const later = blockWithUnknownFields(altered(blocks[3]!, { gasUsed: 1n }), count);
      rig.node.reorg(1, [later]);
      await rig.atHead(later);
      assert.equal(rig.epochs, 2);
    });
  }

  test('repeated contradictions are reported three times, without an eth_config request for each block', async () => {
    await startRig(8, { current: fork(0), next: null, last: null });
    const wrong: MadeBlock[] = [];
    for (const made of blocks.slice(3)) {
      const parentHash = (wrong.at(-1) ?? blocks[2]!).hash;
      const baseFeePerGas = decodeHeader(made.header).baseFeePerGas! + 1_000_000n * BigInt(made.number);
      wrong.push(altered(made, { parentHash, baseFeePerGas }));
    }
    new TracedChain([...blocks, ...wrong], RULES).serveOn(rig.node);
    const before = requested();
    for (const block of wrong) {
      await rig.confirm(block);
      assert.notEqual(rig.status.doubt, null);
    }
    const { mismatches, switchedToDiffs, blocksExecuted, unknownRules } = rig.status.counts;
    assert.deepEqual(
      { mismatches, switchedToDiffs, blocksExecuted, unknownRules },
      { mismatches: 3, switchedToDiffs: 1, blocksExecuted: 0, unknownRules: 1 },
      rig.notes.join('; '),
    );
    assert.ok(requested() - before <= 4, `${requested() - before} times`);
  });

  test('a block that contradicts the rules makes them unverified until a block matches', async () => {
    await startRig(3, { current: fork(0), next: null, last: null });
    const wrong = altered(blocks[3]!, { baseFeePerGas: decodeHeader(blocks[3]!.header).baseFeePerGas! + 1n });
    await rig.confirm(wrong);
    assert.match(rig.status.doubt ?? '', /^block 3: base fee is /);
    assert.equal(rig.status.counts.mismatches, 1);
    const next = await makeBlock({ ...wrong, parent: null }, [], 0, EXECUTOR, RULES);
    await rig.confirm(next);
    assert.equal(rig.status.doubt, null);
    assert.equal(rig.status.counts.mismatches, 1);
  });
});

/** A block with more header fields: two of Amsterdam (EIP-7928, EIP-7843), two made-up ones. */
function blockWithUnknownFields(made: MadeBlock, count: number): MadeBlock {
  const items = RLP.decode(made.header) as Uint8Array[];
  const more = [new Uint8Array(32).fill(7), toBytes(9n, 1), new Uint8Array(32).fill(3), toBytes(300n, 2)];
  const header = RLP.encode([...items, ...more.slice(0, count)]);
  return { ...made, header, hash: keccak256(header) };
}
