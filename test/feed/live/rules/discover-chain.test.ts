// The rules that a node reports about itself (EIP-7910): known forks, which are recognized by their features, and
// unknown ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { discoverChain, waitForNode } from '../../../../src/feed/live/rules/discover-chain.js';
import { isOpcodeDefined, opcodeOfByte } from '../../../../src/evm/opcodes.js';
import { createChainRules } from '../../../../src/evm/reference/fork-rules.js';
import { checkKnownRules } from '../../../../src/feed/live/rules/check-rules-against-node-forks.js';
import { createReportedForkCheck, type KnownRules } from '../../../../src/feed/live/rules/rules-from-node-forks.js';
import { parseEthConfig } from '../../../../src/feed/live/rules/eth-config-fork.js';
import { fromHex, toHex } from '../../../../src/lib/bytes/hex.js';
import { toBytes } from '../../../../src/lib/bytes/big-endian.js';
import { LIMITS } from '../../../../src/limits/index.js';
import { chainAt } from '../../../support/jobs.js';
import { StartError } from '../../../../src/lib/start-error.js';
import { UpstreamError } from '../../../../src/upstream/upstream.js';
import { temporaryFile } from '../../../support/temporary-folder.js';

const CHAIN_ID = 99_999n;
const OPTIONS = { kind: 'live', genesisFile: null, rules: 'auto' } as never;

const blobs = (target: number): object => ({ target, max: target + 3, baseFeeUpdateFraction: 5_007_716 });
const address = (number: number): string => `0x${number.toString(16).padStart(40, '0')}`;
const PRAGUE = { KZG_POINT_EVALUATION: address(0x0a), BLS12_MAP_FP2_TO_G2: address(0x11) };
const OSAKA_PRECOMPILES = { ...PRAGUE, P256VERIFY: address(0x100) };
const CONTRACTS = { BEACON_ROOTS_ADDRESS: address(1), WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS: address(2) };
const OSAKA = {
  activationTime: 0,
  blobSchedule: blobs(6),
  precompiles: OSAKA_PRECOMPILES,
  systemContracts: CONTRACTS,
};

/** The chain of a node with this config. */
function describedBy(config: unknown, chainId = CHAIN_ID): ReturnType<typeof discoverChain> {
  return discoverChain(OPTIONS, { chainId: () => Promise.resolve(chainId), request: () => Promise.resolve(config) });
}

/** Names and times of the forks of a node with this config. */
async function described(config: object, chainId = CHAIN_ID): Promise<KnownRules> {
  return (await describedBy(config, chainId)).known;
}

async function forks(config: object): Promise<string[]> {
  const { chain } = await described(config);
  return chain.forks.map(({ name, timestamp }) => `${name} ${timestamp ?? 0}`);
}

test('the current fork is recognized by its precompiles, the next ones by their changes', async () => {
  assert.deepEqual(await forks({ current: OSAKA, next: null, last: null }), ['osaka 0']);
  const prague = { ...OSAKA, precompiles: PRAGUE };
  const next = { ...OSAKA, activationTime: 50 };
  assert.deepEqual(await forks({ current: prague, next, last: next }), ['prague 0', 'osaka 50']);
});

test('forks that change only blob parameters are recognized by their schedule, up to the last one', async () => {
  const next = { ...OSAKA, activationTime: 50, blobSchedule: blobs(10) };
  const last = { ...OSAKA, activationTime: 60, blobSchedule: blobs(14) };
  assert.deepEqual(await forks({ current: OSAKA, next, last }), ['osaka 0', 'bpo1 50', 'bpo2 60']);
});

test('blob-parameter-only forks may follow Amsterdam, and keep its rules', async () => {
  const amsterdam = { ...OSAKA, systemContracts: { ...CONTRACTS, BUILDER_EXIT_CONTRACT_ADDRESS: address(4) } };
  const first = { ...amsterdam, activationTime: 50, blobSchedule: blobs(10), forkId: forkId(50) };
  const second = { ...amsterdam, activationTime: 60, blobSchedule: blobs(14), forkId: forkId(50, 60) };
  const { chain, unknown } = await described({ current: { ...OSAKA, forkId: forkId() }, next: first, last: second });
  assert.deepEqual([unknown, ...shown({ chain, unknown })], [null, 'osaka 0', 'amsterdam 50', 'amsterdamBpo1 60']);
  const rules = createChainRules(chain);
  for (const [timestamp, blobsMax, isAmsterdam] of [
    [49, 9, false],
    [50, 13, true],
    [60, 17, true],
  ] as const) {
    const { common, blobsMax: most, fork } = rules.at(1, timestamp);
    assert.deepEqual([most, common.isActivatedEIP(7928)], [blobsMax, isAmsterdam], fork);
    assert.equal(isOpcodeDefined(opcodeOfByte(0x4b)!, fork), isAmsterdam);
  }
  // Reported one after the other as they come into view, and as the only one.
  const third = { ...amsterdam, activationTime: 70, blobSchedule: blobs(20) };
  const again = createReportedForkCheck(0)(parseEthConfig({ current: second, next: third })!, { chain, unknown }, 60n);
  assert.deepEqual(
    [again.unknown, ...shown(again)],
    [null, 'osaka 0', 'amsterdam 50', 'amsterdamBpo1 60', 'amsterdamBpo2 70'],
  );
  assert.deepEqual(await forks({ current: second, next: third, last: third }), ['amsterdam 0', 'amsterdamBpo1 70']);
});

const later = { ...OSAKA, activationTime: 70 };
const UNKNOWN: readonly (readonly [what: string, config: object, from: string])[] = [
  ['changes nothing that is known', later, 'timestamp 70'],
  ['has another precompile', { ...later, precompiles: { ...OSAKA_PRECOMPILES, NEW: address(0x12) } }, 'timestamp 70'],
  [
    'has another system contract',
    { ...later, systemContracts: { ...CONTRACTS, BUILDER_PREDEPLOY_ADDRESS: address(3) } },
    'timestamp 70',
  ],
];

for (const [what, config, from] of UNKNOWN) {
  test(`a future fork that ${what} is unknown, and rules are known up to it`, async () => {
    const alone = await described({ current: OSAKA, next: config, last: config });
    const next = { ...OSAKA, activationTime: 50, blobSchedule: blobs(10) };
    const behind = await described({ current: OSAKA, next, last: { ...config, blobSchedule: blobs(10) } });
    for (const { unknown } of [alone, behind]) {
      assert.equal(unknown?.since, 70);
      assert.ok(unknown.reason.includes(`a fork that is not known here, from ${from}`), unknown.reason);
    }
    assert.deepEqual(
      behind.chain.forks.map(({ name }) => name),
      ['osaka', 'bpo1'],
    );
  });
}

test('a chain whose current fork is unknown is followed, and its rules are known once the node reports a known fork', async () => {
  const current = { ...OSAKA, activationTime: 40, precompiles: { ...OSAKA_PRECOMPILES, NEW: address(0x12) } };
  const { known, check: judge } = await describedBy({ current, next: null, last: null });
  assert.deepEqual(known.unknown, {
    since: 40,
    reason: "the upstream's eth_config has a fork that is not known here, from timestamp 40 on (NEW)",
  });
  const still = judge(parseEthConfig({ current, next: null, last: null })!, known, 50n);
  assert.equal(still.unknown?.since, 40);
  // The fork was cancelled, and another one is planned.
  const next = { ...OSAKA, activationTime: 90, blobSchedule: blobs(10) };
  const called = judge(parseEthConfig({ current: OSAKA, next, last: next })!, still, 60n);
  assert.deepEqual([called.unknown, ...shown(called)], [null, 'osaka 0', 'bpo1 90']);
  const over = judge(parseEthConfig({ current: next, next: null, last: null })!, called, 95n);
  assert.deepEqual([over.unknown, ...shown(over)], [null, 'osaka 0', 'bpo1 90']);
});

test('a chain without known rules is followed, and its rules are known once the node reports them', async () => {
  for (const reported of [null, 'nothing']) {
    const { known, check: judge } = await describedBy(reported);
    assert.match(
      known.unknown?.reason ?? '',
      /^no rules are known for the chain with id 99999, and the upstream has no/,
    );
    assert.equal(judge(parseEthConfig({ current: OSAKA })!, known, 60n).unknown, null);
  }
});

test('an unknown precompile of a known fork is non-EVM code, not a new fork', async () => {
  const more = { ...OSAKA_PRECOMPILES, NEW: address(0x12) };
  const next = { ...OSAKA, activationTime: 50, blobSchedule: blobs(10) };
  const { known, check: judge } = await describedBy({ current: OSAKA, next, last: next });
  const first = judge(parseEthConfig({ current: { ...OSAKA, precompiles: more }, next, last: next })!, known, 40n);
  const named = { ...next, precompiles: more };
  const second = judge(parseEthConfig({ current: named, next: null, last: null })!, known, 60n);
  for (const { chain, unknown } of [first, second]) {
    assert.equal(unknown, null);
    assert.deepEqual(chain.foreign, [{ prefix: fromHex(address(0x12)), kind: 'precompile' }]);
  }
  const strange = { ...named, systemContracts: { ...CONTRACTS, BUILDER_PREDEPLOY_ADDRESS: address(3) } };
  assert.equal(judge(parseEthConfig({ current: strange, next: null, last: null })!, known, 60n).unknown?.since, 50);
  // A fork that was not reported before is an unknown fork.
  const other = { ...named, activationTime: 55 };
  assert.equal(judge(parseEthConfig({ current: other, next: null, last: null })!, known, 60n).unknown?.since, 55);
});

/** EIP-2124's checksum after forks at these times. */
const forkId = (...times: readonly number[]): string =>
  toHex(toBytes(BigInt(times.reduce((sum, time) => crc32(toBytes(BigInt(time), 8), sum), 0x1234)), 4));

test('fork ids reveal a fork that the node leaves out', async () => {
  const current = { ...OSAKA, forkId: forkId() };
  const next = { ...OSAKA, activationTime: 50, blobSchedule: blobs(10), forkId: forkId(50) };
  const last = { ...OSAKA, activationTime: 70, blobSchedule: blobs(14), forkId: forkId(50, 70) };
  assert.equal((await described({ current, next, last })).unknown, null);
  const hidden = await described({ current, next, last: { ...last, forkId: forkId(50, 60, 70) } });
  assert.equal(hidden.unknown?.since, 51);
  assert.match(hidden.unknown.reason, /leaves out a fork between timestamps 50 and 70/);
  const before = await described({ current, next: { ...next, forkId: forkId(40, 50) }, last: null });
  assert.equal(before.unknown?.since, 0);
});

const again = (reported: object, before: KnownRules, timestamp: bigint): KnownRules =>
  createReportedForkCheck(0)(parseEthConfig(reported)!, before, timestamp);
const shown = ({ chain }: KnownRules): string[] =>
  chain.forks.map(({ name, timestamp }) => `${name} ${timestamp ?? 0}`);

test('later reports of the node are merged with the known rules', async () => {
  const next = { ...OSAKA, activationTime: 50, blobSchedule: blobs(10) };
  const last = { ...OSAKA, activationTime: 70, blobSchedule: blobs(14) };
  const between = { ...OSAKA, activationTime: 60, blobSchedule: blobs(12) };
  const first = await described({ current: OSAKA, next, last });
  assert.deepEqual(shown(first), ['osaka 0', 'bpo1 50', 'bpo2 70']);
  // The fork between next and last is revealed.
  const second = again({ current: next, next: between, last }, first, 50n);
  assert.deepEqual(shown(second), ['osaka 0', 'bpo1 50', 'bpo2 60', 'bpo3 70']);
  assert.deepEqual(second.chain.blobSchedule['bpo2'], blobs(12));
  // A node that hides future forks removes none before its time.
  const third = again({ current: next, next: null, last: null }, second, 55n);
  assert.deepEqual(shown(third), shown(second));
  const gone = again({ current: next, next: null, last: null }, second, 65n);
  assert.deepEqual(shown(gone), ['osaka 0', 'bpo1 50', 'bpo3 70']);
  // A past fork that was named late.
  const late = again({ current: between, next: null, last: null }, await described({ current: OSAKA }), 65n);
  assert.deepEqual(shown(late), ['osaka 0', 'bpo1 60']);
  // An unknown fork is active.
  const strange = { ...OSAKA, activationTime: 60, precompiles: { ...OSAKA_PRECOMPILES, NEW: address(0x12) } };
  assert.equal(again({ current: strange, next: null, last: null }, first, 65n).unknown?.since, 60);
});

test('a live chain with the id of the dev chain has the rules that its node reports', async () => {
  const prague = { ...OSAKA, precompiles: PRAGUE };
  assert.deepEqual(shown(await described({ current: prague }, 31_337n)), ['prague 0']);
});

/** The known rules of Base if its node reports this as the current fork. */
const ofBase = (current: object): Promise<KnownRules> => described({ current, next: null, last: null }, 8453n);

test('built-in rules of a chain id are compared with those that the node reports', async () => {
  const azul = { ...OSAKA, activationTime: 1_779_991_200, blobSchedule: null };
  assert.equal((await ofBase(azul)).unknown, null);
  // Beryl's precompiles are native code of the node, and known as such.
  const factory = { B20_FACTORY: `0xB20f${'0'.repeat(36)}` };
  const beryl = { ...azul, activationTime: 1_782_410_400, precompiles: { ...OSAKA_PRECOMPILES, ...factory } };
  assert.equal((await ofBase(beryl)).unknown, null);
  const more = { ...beryl.precompiles, B21: `0xb21f${'0'.repeat(36)}` };
  // So are additional ones of a known fork.
  assert.equal((await ofBase({ ...beryl, activationTime: 1_793_901_600, precompiles: more })).unknown, null);
  const { unknown } = await ofBase({ ...beryl, activationTime: 1_799_999_999, precompiles: more });
  assert.match(unknown?.reason ?? '', /not known here, from timestamp 1799999999 on \(B21\)/);
  assert.equal((await ofBase({ ...azul, activationTime: 1_790_000_000 })).unknown?.since, 1_790_000_000);
});

test('rules of a genesis file are compared with those that the node reports', async () => {
  const chain = chainAt('prague');
  const check = (reported: object, timestamp = 0n): string | null =>
    checkKnownRules(parseEthConfig(reported)!, { chain, unknown: null }, timestamp).unknown?.reason ?? null;
  const prague = { ...OSAKA, precompiles: PRAGUE, blobSchedule: null };
  assert.equal(check({ current: prague, next: null, last: null }), null);
  assert.match(
    check({ current: OSAKA, next: null, last: null })!,
    /has osaka at timestamp 0, where prague is expected/,
  );
  assert.match(check({ current: { ...prague, blobSchedule: blobs(7) } })!, /another blob schedule/);
  assert.match(check({ current: prague, next: { ...OSAKA, activationTime: 9 } })!, /not known here, from timestamp 9/);
});

/** Rules from this genesis file and from a node that reports this config. */
async function filed(file: object, config: unknown = null): ReturnType<typeof discoverChain> {
  const genesisFile = temporaryFile('chain.json', JSON.stringify(file));
  const node = { chainId: () => Promise.resolve(CHAIN_ID), request: () => Promise.resolve(config) };
  return discoverChain({ ...(OPTIONS as object), genesisFile } as never, node);
}

const GENESIS = {
  chainId: Number(CHAIN_ID),
  terminalTotalDifficulty: 0,
  shanghaiTime: 0,
  cancunTime: 0,
  pragueTime: 0,
};
const ROLLUP = { l2_chain_id: Number(CHAIN_ID), canyon_time: 0, ecotone_time: 0, fjord_time: 0 };

for (const [what, file, key, since] of [
  ['a time', { config: { ...GENESIS, bogotaTime: 70 } }, 'bogotaTime', 70],
  ['the first of two times', { config: { ...GENESIS, verkleTime: 90, bogotaTime: 70 } }, 'bogotaTime', 70],
  ['a time that is not soon', { config: { ...GENESIS, bogotaTime: '0xffffffffffffffff' } }, 'bogotaTime', 2 ** 64],
  ['a block, whose time is unknown', { config: { ...GENESIS, someBlock: 9 } }, 'someBlock', 0],
  ['a time of a rollup', { ...ROLLUP, lagoon_time: 70 }, 'lagoon_time', 70],
] as const) {
  test(`rules are known only up to an unknown fork of a genesis file: ${what}`, async () => {
    const { known } = await filed(file);
    const from = since === 0 ? 'from the beginning' : `from timestamp ${since} on`;
    assert.deepEqual(known.unknown, {
      since,
      reason: `the file of --genesis has a fork that is not known here, ${from} (${key})`,
      unknownFeature: { kind: 'fork', name: `${key} at ${since}` },
    });
  });
}

test('an unknown fork of a genesis file stays unknown, whatever the node reports', async () => {
  const prague = { ...OSAKA, precompiles: PRAGUE, blobSchedule: null };
  const said = { current: prague, next: null, last: null };
  const { known, check: judge } = await filed({ config: { ...GENESIS, bogotaTime: 70 } }, said);
  const since = (reported: object, timestamp: bigint): [number, string] => {
    const { unknown } = judge(parseEthConfig(reported)!, known, timestamp);
    return [unknown!.since, /^[^ ]* [^ ]*/.exec(unknown!.reason)![0]];
  };
  assert.equal(known.unknown?.since, 70);
  assert.deepEqual(since(said, 60n), [70, 'the file']);
  assert.deepEqual(since(said, 80n), [70, 'the file']);
  // An earlier one, the same one, and a later one, which has contracts of its own.
  const strange = { systemContracts: { ...CONTRACTS, BUILDER_PREDEPLOY_ADDRESS: address(3) } };
  assert.deepEqual(since({ ...said, next: { ...prague, ...strange, activationTime: 65 } }, 60n), [
    65,
    "the upstream's",
  ]);
  const same = { current: { ...prague, ...strange, activationTime: 70 } };
  assert.deepEqual(since(same, 80n), [70, "the upstream's"]);
  assert.deepEqual(judge(parseEthConfig(same)!, known, 80n).unknown?.queues, [fromHex(address(3))]);
  assert.deepEqual(since({ ...said, next: { ...prague, ...strange, activationTime: 90 } }, 60n), [70, 'the file']);
  assert.deepEqual(since({ current: { ...prague, ...strange, activationTime: 90 } }, 95n), [90, "the upstream's"]);
});

test('a node that answers with an error is not reported as unreachable', async () => {
  const error = new UpstreamError('rpc', 'the upstream node answers -32000: not today');
  const node = { chainId: () => Promise.reject(error), request: () => Promise.reject(error) };
  await assert.rejects(
    discoverChain(OPTIONS, node),
    new StartError("the upstream's chain id cannot be read: the upstream node answers -32000: not today", 1),
  );
});

test('configured accounts are non-EVM accounts, and so are unknown precompiles as long as the node lists them', async () => {
  const strange = `0x${'5a'.repeat(20)}`;
  const current = { ...OSAKA, precompiles: { ...OSAKA_PRECOMPILES, REGISTRY: strange } };
  let config: object = { current: OSAKA, next: { ...current, activationTime: 50 }, last: null };
  const node = { chainId: () => Promise.resolve(CHAIN_ID), request: () => Promise.resolve(config) };
  const options = { ...(OPTIONS as object), nonEvmAccounts: ['0xb2*=0xef'] } as never;
  const { known, check: judge } = await discoverChain(options, node);
  const token = { prefix: Uint8Array.of(0xb2), kind: 'token' };
  const registry = { prefix: fromHex(strange), kind: 'precompile' };
  assert.deepEqual(known.chain.foreign, [token, registry]);
  config = { current: OSAKA, next: null, last: null };
  assert.deepEqual(judge(parseEthConfig(config)!, known, 40n).chain.foreign, [token]);
  assert.equal((await discoverChain(OPTIONS, node)).known.chain.foreign, undefined);
});

/** A node that responds from the `spoken`-th request on, and a clock that advances by sleeping. */
async function waited(
  failure: UpstreamError,
  spoken: number,
): Promise<{ requested: number; nowMs: number; lines: string[] }> {
  const seen = { requested: 0, nowMs: 5, lines: [] as string[] };
  const chainId = (): Promise<bigint> => {
    return ++seen.requested < spoken ? Promise.reject(failure) : Promise.resolve(CHAIN_ID);
  };
  const sleepUntil = (timeMs: number): Promise<void> => {
    seen.nowMs = timeMs;
    return Promise.resolve();
  };
  const clock = { now: () => seen.nowMs, wall: () => 0, sleepUntil };
  await waitForNode(
    { chainId },
    { address: 'http://me:secret@node:8545/', progress: (line) => seen.lines.push(line), clock },
  );
  return seen;
}

test('a node that does not answer at the start is waited for up to a limit, with one log line', async () => {
  const silent = new UpstreamError('unreachable', 'the upstream node cannot be reached: ECONNREFUSED');
  const line =
    'waiting for the upstream node at http://***@node:8545, 60 s at most: the upstream node cannot be reached: ECONNREFUSED';
  assert.deepEqual(await waited(silent, 1), { requested: 1, nowMs: 5, lines: [] });
  assert.deepEqual(await waited(silent, 4), {
    requested: 4,
    nowMs: 5 + 3 * LIMITS.upstreamStartPauseMs,
    lines: [line],
  });
  const { nowMs, lines } = await waited(silent, Infinity);
  assert.deepEqual({ nowMs, lines }, { nowMs: 5 + LIMITS.upstreamStartMsMax, lines: [line] });
});

test('a node that answers with an error at the start is not waited for', async () => {
  const error = new UpstreamError('rpc', 'the upstream node answers -32000: not today');
  assert.deepEqual(await waited(error, Infinity), { requested: 1, nowMs: 5, lines: [] });
});

/** Names of the forks of a node with this config, whose newest header has these fields. */
async function forksBeside(config: object, header: object): Promise<string[]> {
  const request = (method: string): Promise<unknown> => Promise.resolve(method === 'eth_config' ? config : header);
  const { known, reported } = await discoverChain(OPTIONS, { chainId: () => Promise.resolve(CHAIN_ID), request });
  assert.equal(known.unknown, null);
  assert.deepEqual(shown(createReportedForkCheck(0)(reported!, known, 60n)), shown(known));
  return shown(known);
}

test('a fork that the node reports by system contracts alone is active only if headers have its fields', async () => {
  const header = {
    stateRoot: '0x',
    baseFeePerGas: '0x1',
    withdrawalsRoot: '0x',
    blobGasUsed: '0x0',
    requestsHash: '0x',
  };
  const amsterdam = { ...header, blockAccessListHash: '0x', slotNumber: '0x1' };
  // As `geth --dev` reported in 2026: a fork after Amsterdam is active, but not Amsterdam itself.
  const contracts = {
    BUILDER_DEPOSIT_CONTRACT_ADDRESS: '0x0000bff46984e3725691fa540a8c7589300d8282',
    BUILDER_EXIT_CONTRACT_ADDRESS: '0x000064d678505ad48f8ccb093bc65613800e8282',
  };
  const reported = { ...OSAKA, systemContracts: { ...CONTRACTS, ...contracts } };
  assert.deepEqual(await forksBeside({ current: reported, next: null, last: null }, header), ['osaka 0']);
  assert.deepEqual(await forksBeside({ current: reported, next: null, last: null }, amsterdam), ['amsterdam 0']);
  // The node's blocks contradict these rules by themselves.
  assert.deepEqual(await forksBeside({ current: OSAKA, next: null, last: null }, amsterdam), ['osaka 0']);
  // No header says anything about a future fork.
  const next = { ...reported, activationTime: 90 };
  assert.deepEqual(await forksBeside({ current: OSAKA, next, last: next }, header), ['osaka 0', 'amsterdam 90']);
});

for (const [member, more] of [
  ['activationTime', { activationTime: '0x0' }],
  ['activationTime', { activationTime: -1 }],
  ['blobSchedule', { blobSchedule: {} }],
  ['blobSchedule', { blobSchedule: [] }],
  ['blobSchedule', { blobSchedule: { target: 6, max: 9 } }],
  ['blobSchedule', { blobSchedule: { target: 6, max: 9, baseFeeUpdateFraction: 0 } }],
  ['blobSchedule', { blobSchedule: { target: '6', max: 9, baseFeeUpdateFraction: 5_007_716 } }],
  ['blobSchedule', { blobSchedule: { target: 9, max: 6, baseFeeUpdateFraction: 5_007_716 } }],
  ['blobSchedule', { blobSchedule: { target: 0.5, max: 6, baseFeeUpdateFraction: 5_007_716 } }],
  ['chainId', { chainId: 1 }],
  ['forkId', { forkId: '0x123456789' }],
  ['forkId', { forkId: 5 }],
  ['precompiles', { precompiles: [] }],
  ['precompiles', { precompiles: { ...OSAKA_PRECOMPILES, ID: 4 } }],
  ['systemContracts', { systemContracts: { ...CONTRACTS, DEPOSIT_CONTRACT_ADDRESS: '0x12' } }],
] as const) {
  test(`a malformed member of eth_config is reported by name, and the rules are unknown: ${JSON.stringify(more)}`, async () => {
    const wrong = { ...OSAKA, ...more };
    const reason = `the upstream's eth_config has no current.${member} that can be read`;
    const current = await describedBy({ current: wrong, next: null, last: null });
    assert.equal(current.known.unknown?.reason, reason);
    assert.doesNotThrow(() => createChainRules(current.known.chain).at(1, 0));
    // Its later form is learnt.
    const right = parseEthConfig({ current: OSAKA, next: null, last: null })!;
    assert.deepEqual(shown(current.check(right, current.known, 60n)), ['osaka 0']);
    // The rules of a genesis file are checked against it, too.
    const { known } = await filed({ config: { ...GENESIS, osakaTime: 0 } }, { current: wrong, next: null, last: null });
    assert.equal(known.unknown?.reason, reason);
    const next = await describedBy({ current: OSAKA, next: { ...wrong, activationTime: 'x', ...more }, last: null });
    assert.deepEqual(shown(next.known), ['osaka 0']);
    assert.match(next.known.unknown?.reason ?? '', /eth_config has no next\./);
  });
}

test('a malformed future fork leaves the rules before it unchanged', async () => {
  const next = { ...OSAKA, activationTime: 90, blobSchedule: {} };
  const { known, check: judge } = await describedBy({ current: OSAKA, next, last: next });
  const since = { since: 90, reason: "the upstream's eth_config has no next.blobSchedule that can be read" };
  assert.deepEqual([known.unknown, ...shown(known)], [since, 'osaka 0']);
  assert.deepEqual(judge(parseEthConfig({ current: OSAKA, next })!, known, 60n).unknown, since);
});
