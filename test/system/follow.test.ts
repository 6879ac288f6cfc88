// A second program follows the first one by HTTP and by its increments: both give the same responses at the same
// position; the second one continues alone while the first is dead, and follows again once it is back.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keccak256 } from '../../src/lib/bytes/keccak-wasm.js';
import { readDevContractArtifacts } from '../../src/feed/dev/contracts/artifacts.js';
import { DEV_GOLD_TOKEN, DEV_SWAP_POOL, DEV_SILVER_TOKEN, TRAFFIC_ACCOUNTS } from '../../src/feed/dev/genesis.js';
import { fromHex, toHex } from '../../src/lib/bytes/hex.js';
import { LIMITS } from '../../src/limits/index.js';
import { freePort } from '../support/free-port.js';
import { until } from '../support/patience.js';
import { Server, metric } from '../support/server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { batch, type Block, type Call } from './batch.js';

const TRAFFIC_TPS = '30';
/** Blocks and increments at which both programs must be sampled; on a busy machine many are missed in between. */
const COMPARED = { latest: 3, pending: 12 };
const COMPARED_AGAIN = { latest: 2, pending: 10 };
/** Polls of the second program while it is alone. */
const POLLS_ALONE = 20;
const ACCOUNTS = TRAFFIC_ACCOUNTS.slice(0, 6).map(toHex);
const RECEIVER = `0x${'5a'.repeat(20)}`;
/** Returns number, timestamp and base fee of its block, and its parent's hash. */
const ENVIRONMENT_CODE = '0x435f524260205248604052600143034060605260805ff3';

const word = (text: string): string => text.replace('0x', '').padStart(64, '0');

const balanceSlot = (owner: string): string => {
  const { slots } = readDevContractArtifacts().token;
  return toHex(keccak256(fromHex(`0x${word(owner)}${word(slots['balanceOf']!.toString(16))}`)));
};

/** The block itself, nonces, balances, storage, estimates and a call, all at one tag. */
function questions(tag: 'latest' | 'pending'): Call[] {
  const transfer = `0xa9059cbb${word(RECEIVER)}${word('1')}`;
  const gold = { from: ACCOUNTS[4], to: toHex(DEV_GOLD_TOKEN), data: transfer };
  const swap = `0xf3e6ea8a${word(toHex(DEV_GOLD_TOKEN))}${word('ffff')}${word('0')}${word(ACCOUNTS[1]!)}`;
  return [
    ['eth_getBlockByNumber', tag, false],
    ...ACCOUNTS.map((address): Call => ['eth_getTransactionCount', address, tag]),
    ...ACCOUNTS.map((address): Call => ['eth_getBalance', address, tag]),
    ...ACCOUNTS.map((address): Call => ['eth_getStorageAt', toHex(DEV_SILVER_TOKEN), balanceSlot(address), tag]),
    ...['0x0', '0x1', '0x2', '0x3'].map((slot): Call => ['eth_getStorageAt', toHex(DEV_SWAP_POOL), slot, tag]),
    ['eth_estimateGas', { from: ACCOUNTS[0], to: toHex(DEV_GOLD_TOKEN), data: transfer }, tag],
    ['eth_estimateGas', { from: ACCOUNTS[1], to: toHex(DEV_SWAP_POOL), data: swap }, tag],
    ['eth_estimateGas', { from: ACCOUNTS[2], to: RECEIVER, value: '0x1' }, tag],
    ['eth_call', { to: RECEIVER }, tag, { [RECEIVER]: { code: ENVIRONMENT_CODE } }],
    ['eth_createAccessList', { from: ACCOUNTS[3], to: toHex(DEV_SWAP_POOL), data: swap }, tag],
    ['eth_callMany', [{ transactions: [gold, gold] }], { blockNumber: tag }],
  ];
}

const QUESTIONS = [...questions('latest'), ...questions('pending')];

/** The responses of one batch: every nonce, and the rest by the position it belongs to. */
interface Sample {
  readonly latest: Block;
  readonly pending: Block;
  readonly nonces: { readonly latest: readonly number[]; readonly pending: readonly number[] };
  readonly responses: ReadonlyMap<string, string>;
}

async function sample(server: Server): Promise<Sample> {
  const { results, position } = await batch(server, ...QUESTIONS);
  results.forEach((result, i) => assert.notEqual(result, null, `null for ${QUESTIONS[i]!.join(' ')}`));
  const half = results.length / 2;
  const [latest, pending] = [results[0] as Block, results[half] as Block];
  const [confirmed, open] = [results.slice(1, half), results.slice(half + 1)];
  // A complete block without a successor has the position of its last increment.
  const state = pending.number === latest.number ? 'complete' : 'open';
  const { number, parentHash, timestamp } = pending;
  const responses = new Map([
    [`latest ${latest.hash}`, JSON.stringify([latest, confirmed])],
    [`pending ${position} ${state}`, JSON.stringify([number, parentHash, timestamp, open])],
  ]);
  const nonces = { latest: noncesOf(confirmed), pending: noncesOf(open) };
  assertAhead(latest, pending, nonces);
  return { latest, pending, nonces, responses };
}

function noncesOf(results: readonly unknown[]): number[] {
  return results.slice(0, ACCOUNTS.length).map(Number);
}

/** `pending` is the same block as `latest`, or a later one. */
function assertAhead(latest: Block, pending: Block, nonces: Sample['nonces']): void {
  const ahead = Number(pending.number) - Number(latest.number);
  assert.ok(ahead >= 0 && ahead <= LIMITS.feedDepthBlocksMax, `pending is ${ahead} blocks ahead of latest`);
  if (ahead === 1) assert.equal(pending.parentHash, latest.hash);
  nonces.latest.forEach((nonce, i) => assert.ok(nonces.pending[i]! >= nonce, 'pending is behind latest'));
}

/**
 * Responses of one program by position, over many polls. Those of one position never change, and latest never goes
 * back.
 */
class Watch {
  readonly responses = new Map<string, string>();
  readonly #server: Server;
  #latest = -1;

  constructor(server: Server) {
    this.#server = server;
  }

  async sample(): Promise<void> {
    const seen = await sample(this.#server);
    for (const [position, text] of seen.responses) {
      assert.equal(text, this.responses.get(position) ?? text, `${position} is described in two ways`);
      this.responses.set(position, text);
    }
    assert.ok(Number(seen.latest.number) >= this.#latest, 'latest went back');
    this.#latest = Number(seen.latest.number);
  }
}

/** Polls until `isDone`. */
async function watch(server: Server, isDone: () => Promise<boolean>, what: string): Promise<void> {
  const seen = new Watch(server);
  await until(async () => {
    await seen.sample();
    return isDone();
  }, what);
}

/** Compares the responses of two programs at the positions that both have seen; returns the number of each kind. */
function agreed(first: Map<string, string>, second: Map<string, string>): { latest: number; pending: number } {
  const common = [...second.keys()].filter((position) => first.has(position));
  for (const position of common) assert.equal(second.get(position), first.get(position), position);
  const pending = common.filter((position) => position.startsWith('pending')).length;
  return { latest: common.length - pending, pending };
}

/** Polls both until they share this many positions. */
async function compare(first: Server, second: Server, least: typeof COMPARED): Promise<typeof COMPARED> {
  const [one, other] = [new Watch(first), new Watch(second)];
  let compared = agreed(one.responses, other.responses);
  await until(
    async () => {
      await Promise.all([one.sample(), other.sample()]);
      compared = agreed(one.responses, other.responses);
      return compared.latest >= least.latest && compared.pending >= least.pending;
    },
    () => `positions at which both were sampled: ${JSON.stringify(compared)}`,
  );
  return compared;
}

async function isReady(server: Server): Promise<boolean> {
  return (await server.readiness()).ready;
}

describe('two programs on one chain', () => {
  const folder = temporaryFolder();
  let first: Server;
  let second: Server;
  let startFirst: () => Promise<Server>;

  before(async () => {
    const [port, feedPort] = [await freePort(), await freePort()];
    const flags = ['--port', port, '--data-dir', folder, '--dev-traffic', TRAFFIC_TPS, '--dev-feed-port', feedPort];
    startFirst = () => Server.start(...flags);
    first = await startFirst();
    second = await Server.start('--upstream', first.url, '--feed', `ws://127.0.0.1:${feedPort}`);
  });
  after(() => Promise.all([first.stop(), second.stop()]));

  test('two programs give the same answers at every block and every increment', async (t) => {
    await until(async () => (await metric(second, 'increments_total')) > 0);
    const compared = await compare(first, second, COMPARED);
    t.diagnostic(`compared: ${JSON.stringify(compared)} positions, ${QUESTIONS.length / 2} answers each`);
    assert.equal(await metric(second, 'mismatches_total'), 0);
    await until(async () => (await metric(second, 'blocks_promoted_total')) >= 3, 'blocks that confirm what was told');
  });

  test('a follower answers alone when its upstream is killed, and reports that it is not ready', async () => {
    const still = await sample(second);
    first.process.kill('SIGKILL');
    await watch(second, async () => !(await isReady(second)), 'the second one says that it is not ready');
    const alone = await sample(second);
    alone.nonces.latest.forEach((nonce, i) => assert.ok(nonce >= still.nonces.latest[i]!, 'latest went back'));
    const quiet = new Watch(second);
    for (let polls = 0; polls < POLLS_ALONE; polls++) await quiet.sample();
  });

  test('a follower follows again when its upstream is back, and both give the same answers', async (t) => {
    const alone = await sample(second);
    const increments = await metric(second, 'increments_total');
    first = await startFirst();
    const follows = async (): Promise<boolean> =>
      (await isReady(second)) && (await metric(second, 'increments_total')) > increments;
    await watch(second, follows, 'the second one follows again');
    const compared = await compare(first, second, COMPARED_AGAIN);
    t.diagnostic(`compared: ${JSON.stringify(compared)} positions`);
    const moves = async (): Promise<boolean> =>
      Number((await sample(second)).latest.number) > Number(alone.latest.number);
    await until(moves, 'latest moves again');
  });
});
