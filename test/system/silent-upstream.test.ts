// The upstream node accepts connections and never answers, while its feed continues: /readyz reports it, cached state
// is served, everything else is refused, at once as soon as the node is known to be silent; and all recovers
// afterwards.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { toHex } from '../../src/lib/bytes/hex.js';
import { toBytes } from '../../src/lib/bytes/big-endian.js';
import { ACCOUNTS, genesis, makeBlock, makeInIncrements } from '../feed/live/chain-maker.js';
import { eventually, until } from '../support/patience.js';
import { metric, type RpcAnswer, type Server } from '../support/server.js';
import { ScriptedUpstream } from './scripted-upstream.js';

const RESIDENT = toHex(ACCOUNTS[0]!);
/** Accounts that have not been requested yet. */
let cold = 0xc01d;
const next = (): string => toHex(toBytes(BigInt(++cold), 20));

let upstream: ScriptedUpstream;
let server: Server;
let feed: NodeJS.Timeout;

const balance = (address: string): Promise<RpcAnswer> => server.query('eth_getBalance', [address, 'latest']);
const refusal = ({ error }: RpcAnswer): string => `${error?.code} ${error?.message}`;

interface LogLine {
  readonly msg: string;
  readonly address?: string;
  readonly lostMs?: number;
}

/** Log lines with this text. */
const reported = (text: string): readonly LogLine[] =>
  server.log.map((line) => JSON.parse(line) as LogLine).filter(({ msg }) => msg === text);

before(async () => {
  const root = genesis();
  const blocks = [root, await makeBlock(root, [])];
  upstream = await ScriptedUpstream.start(blocks);
  server = await upstream.follow();
  const actions = [{ from: 0, to: ACCOUNTS[1]!, words: [], value: 5n }];
  const { made, states } = await makeInIncrements(blocks[1]!, actions, 1, 7);
  const [frame] = upstream.register(made, states, 1).frames;
  // Repeats one increment, so that the feed stays active.
  feed = setInterval(() => void upstream.send(frame!), 200);
  await server.result('eth_getBalance', RESIDENT, 'latest');
});

after(async () => {
  clearInterval(feed);
  await server.stop();
});

test('an upstream node that never answers is reported, and costs only what is not cached', async () => {
  upstream.node.faults.stalled = true;
  const early = Array.from({ length: 200 }, () => balance(next()));
  const { reason } = await eventually(async () => {
    const now = await server.readiness();
    return /the upstream has not answered for \d+ ms/.test(now.reason) ? now : undefined;
  });
  assert.match(reason, /pending was last renewed \d+ ms ago, while the feed goes on/);
  for (const answer of await Promise.all(early))
    assert.match(refusal(answer), /^-32603 the upstream node (has|does) not answer/);

  upstream.node.resetCounts();
  const late = await Promise.all(Array.from({ length: 200 }, () => balance(next())));
  const refused = late.filter((answer) => /has not answered for \d+ ms/.test(refusal(answer))).length;
  // One of them may have been sent to the node as a probe.
  assert.ok(refused >= 199, `${refused} of 200`);
  await until(async () => (await metric(server, 'upstream_refused_total')) >= 199);
  assert.ok((await metric(server, 'upstream_silence_seconds')) >= 5);
  const estimate = await server.query('eth_estimateGas', [{ from: RESIDENT, to: next(), value: '0x1' }]);
  assert.match(refusal(estimate), /^-32603 the upstream node (has|does) not answer/);
  // Cached state is served.
  await server.result('eth_getBalance', RESIDENT, 'latest');

  upstream.node.faults.stalled = false;
  assert.equal(await eventually(async () => (await balance(next())).result), '0x0');
  await until(async () => (await metric(server, 'upstream_silence_seconds')) === 0);
  assert.doesNotMatch((await server.readiness()).reason, /has not answered/);
  await until(() => reported('the upstream node is back').length > 0);
  assert.equal(reported('the upstream node is lost').length, 1);
  const [{ address, lostMs }] = reported('the upstream node is back') as [LogLine];
  assert.equal(address, upstream.node.url);
  assert.ok(lostMs! > 0);
});

test('a lost node and a lost feed are logged separately', async () => {
  clearInterval(feed);
  await upstream.close();
  await until(() => reported('the WebSocket of heads is lost').length > 0);
  await until(() => reported('the feed is lost').length > 0);
  await until(() => reported('readiness is lost').length > 0);
});
