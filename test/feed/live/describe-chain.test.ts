// The rules that a node tells of itself (EIP-7910): forks that are known by their marks, and those that are not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeChain } from '../../../src/feed/live/describe-chain.js';
import { StartError } from '../../../src/start-error.js';
import { UpstreamError } from '../../../src/upstream/upstream.js';

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

/** Names and times of the forks that such a node has. */
async function forks(config: object): Promise<string[]> {
  const node = {
    chainId: () => Promise.resolve(CHAIN_ID),
    request: () => Promise.resolve(config),
  };
  const chain = await describeChain(OPTIONS, node);
  return chain.forks.map(({ name, timestamp }) => `${name} ${timestamp ?? 0}`);
}

test('a fork is known by its precompiles, the next ones by what they change', async () => {
  assert.deepEqual(await forks({ current: OSAKA, next: null, last: null }), ['osaka 0']);
  const prague = { ...OSAKA, precompiles: PRAGUE };
  const next = { ...OSAKA, activationTime: 50 };
  assert.deepEqual(await forks({ current: prague, next, last: next }), ['prague 0', 'osaka 50']);
});

test('forks that change blobs alone are told by their schedule, up to the last one', async () => {
  const next = { ...OSAKA, activationTime: 50, blobSchedule: blobs(10) };
  const last = { ...OSAKA, activationTime: 60, blobSchedule: blobs(14) };
  assert.deepEqual(await forks({ current: OSAKA, next, last }), ['osaka 0', 'bpo1 50', 'bpo2 60']);
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
  const told = (error: unknown): boolean =>
    error instanceof StartError &&
    error.exitCode === 2 &&
    error.message.includes(`a fork that is not known here, from ${from}`);
  test(`a fork to come that ${what} ends the start`, async () => {
    await assert.rejects(forks({ current: OSAKA, next: config, last: config }), told);
    const next = { ...OSAKA, activationTime: 50, blobSchedule: blobs(10) };
    const last = { ...config, blobSchedule: blobs(10) };
    await assert.rejects(forks({ current: OSAKA, next, last }), told);
  });
}

test('so does the fork at hand', async () => {
  const current = { ...OSAKA, precompiles: { ...OSAKA_PRECOMPILES, NEW: address(0x12) } };
  await assert.rejects(
    forks({ current, next: null, last: null }),
    /not known here, from the beginning: give --genesis/,
  );
});

test('a node that answers by an error is not called unreachable', async () => {
  const error = new UpstreamError('rpc', 'the upstream node answers -32000: not today');
  const node = { chainId: () => Promise.reject(error), request: () => Promise.reject(error) };
  await assert.rejects(
    describeChain(OPTIONS, node),
    new StartError("the upstream's chain id cannot be read: the upstream node answers -32000: not today", 1),
  );
});
