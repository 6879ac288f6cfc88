// Forks as in EIP-7910, compared with Ethereum's: the fork ids are those of EIP-2124 and of Ethereum's clients.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forkConfigs } from '../../src/chain/eth-config.js';
import type { ChainDescription } from '../../src/chain/chain-description.js';
import { fromHex } from '../../src/lib/bytes/hex.js';

const GENESIS = fromHex('d4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3');
const BY_BLOCK: readonly (readonly [name: string, block: number, forkId: string])[] = [
  ['chainstart', 0, '0xfc64ec04'],
  ['homestead', 1_150_000, '0x97c2c34c'],
  ['dao', 1_920_000, '0x91d1f948'],
  ['tangerineWhistle', 2_463_000, '0x7a64da13'],
  ['spuriousDragon', 2_675_000, '0x3edd5b10'],
  ['byzantium', 4_370_000, '0xa00bc324'],
  ['constantinople', 7_280_000, '0x668db0af'],
  ['petersburg', 7_280_000, '0x668db0af'],
  ['istanbul', 9_069_000, '0x879d6e30'],
  ['muirGlacier', 9_200_000, '0xe029e991'],
  ['berlin', 12_244_000, '0x0eb440f6'],
  ['london', 12_965_000, '0xb715077d'],
  ['arrowGlacier', 13_773_000, '0x20c327fc'],
  ['grayGlacier', 15_050_000, '0xf0afd0e3'],
];
const BY_TIME: readonly (readonly [name: string, time: number, forkId: string])[] = [
  ['shanghai', 1_681_338_455, '0xdce96c2d'],
  ['cancun', 1_710_338_135, '0x9f3d2254'],
  ['prague', 1_746_612_311, '0xc376cf8b'],
];
const CHAIN: ChainDescription = {
  chainId: 1n,
  forks: [
    ...BY_BLOCK.map(([name, block]) => ({ name, block, timestamp: null })),
    ...BY_TIME.map(([name, timestamp]) => ({ name, block: null, timestamp })),
  ],
  blobSchedule: {},
  depositContract: null,
  transactionGasCap: true,
  op: null,
};

test('fork ids of Ethereum are right at each fork', () => {
  for (const [, block, forkId] of BY_BLOCK)
    assert.equal(forkConfigs(CHAIN, GENESIS, { number: block, timestamp: 0n }).current.forkId, forkId, `${block}`);
  for (const [, time, forkId] of BY_TIME) {
    const { current } = forkConfigs(CHAIN, GENESIS, { number: 20_000_000, timestamp: BigInt(time) });
    assert.deepEqual([current.forkId, current.activationTime], [forkId, time]);
  }
});

test('the next and the last fork are reported while they are in the future', () => {
  const { current, next, last } = forkConfigs(CHAIN, GENESIS, { number: 16_000_000, timestamp: 1_681_338_454n });
  assert.deepEqual([current.activationTime, current.blobSchedule, current.systemContracts], [0, null, {}]);
  assert.deepEqual([next?.activationTime, last?.activationTime], [1_681_338_455, 1_746_612_311]);
  assert.deepEqual(last?.blobSchedule, { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 });
  assert.deepEqual(Object.keys(current.precompiles).length, 9);
  assert.equal(last?.precompiles['BLS12_MAP_FP2_TO_G2'], `0x${'11'.padStart(40, '0')}`);
  assert.equal(last?.systemContracts['DEPOSIT_CONTRACT_ADDRESS'], '0x00000000219ab540356cbb839cbe05303d7705fa');
  const newest = forkConfigs(CHAIN, GENESIS, { number: 30_000_000, timestamp: 1_800_000_000n });
  assert.deepEqual([newest.next, newest.last], [null, null]);
});
