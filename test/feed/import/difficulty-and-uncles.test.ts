// Blocks before the merge: difficulties compared with the library and with values computed by hand, and invalid uncles.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBlockHeader } from '@ethereumjs/block';
import { createCustomCommon, Mainnet } from '@ethereumjs/common';
import * as fc from 'fast-check';
import { EMPTY_UNCLES_HASH, encodeHeader, type Header } from '../../../src/chain/block/header.js';
import { createChainRules, type ForkRules } from '../../../src/evm/reference/fork-rules.js';
import { nextDifficulty, unclesMismatch, type UncleAncestor } from '../../../src/feed/import/difficulty-and-uncles.js';
import { keccak256 } from '../../../src/lib/bytes/keccak-wasm.js';
import { chainAt } from '../../support/jobs.js';

const FORKS = [
  'chainstart',
  'homestead',
  'byzantium',
  'petersburg',
  'muirGlacier',
  'london',
  'arrowGlacier',
  'grayGlacier',
];

const headerAt = (number: number, changes: Partial<Header> = {}): Header => ({
  parentHash: new Uint8Array(32),
  unclesHash: EMPTY_UNCLES_HASH,
  coinbase: new Uint8Array(20),
  stateRoot: new Uint8Array(32),
  transactionsRoot: new Uint8Array(32),
  receiptsRoot: new Uint8Array(32),
  logsBloom: new Uint8Array(256),
  difficulty: 131_072n,
  number,
  gasLimit: 5_000_000n,
  gasUsed: 0n,
  timestamp: BigInt(1000 + 10 * number),
  extraData: new Uint8Array(0),
  mixHash: new Uint8Array(32),
  nonce: new Uint8Array(8),
  baseFeePerGas: null,
  withdrawalsRoot: null,
  blobGasUsed: null,
  excessBlobGas: null,
  parentBeaconBlockRoot: null,
  requestsHash: null,
  ...changes,
});

function rulesOf(fork: string): ForkRules {
  return createChainRules(chainAt(fork)).at(0, 0);
}

/** The difficulty according to the library. */
function expected(fork: string, parent: Header, timestamp: bigint): bigint {
  const hardforks = Mainnet.hardforks.map(({ name }) => ({ name, block: 0 }));
  const reached = hardforks.slice(0, hardforks.findIndex(({ name }) => name === fork) + 1);
  const chain = {
    chainId: 1,
    hardforks: reached,
    consensus: { type: 'pow', algorithm: 'ethash' },
    defaultHardfork: fork,
  };
  const common = createCustomCommon(chain, Mainnet, { hardfork: fork });
  const options = { common, skipConsensusFormatValidation: true };
  const { difficulty, number, unclesHash } = parent;
  const before = createBlockHeader({ difficulty, number, timestamp: parent.timestamp, uncleHash: unclesHash }, options);
  return createBlockHeader({ number: number + 1, timestamp }, options).ethashCanonicalDifficulty(before);
}

for (const fork of FORKS) {
  test(`difficulties of ${fork} equal the library’s`, () => {
    const rules = rulesOf(fork);
    // The library delays London's difficulty bomb by a different number of blocks than EIP-3554 does.
    const numberMax = fork === 'london' ? 9_000_000 : 20_000_000;
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: numberMax }),
        fc.bigInt({ min: 2n ** 18n, max: 2n ** 60n }),
        fc.bigInt({ min: 1n, max: 1200n }),
        fc.boolean(),
        (number, difficulty, seconds, hasUncles) => {
          const unclesHash = hasUncles ? new Uint8Array(32) : EMPTY_UNCLES_HASH;
          const parent = headerAt(number, { difficulty, unclesHash, timestamp: 1000n });
          assert.equal(nextDifficulty(parent, 1000n + seconds, rules), expected(fork, parent, 1000n + seconds));
        },
      ),
      { seed: 5, numRuns: 60 },
    );
  });
}

test('the minimum difficulty holds, the bomb is added to it, and London delays the bomb by 9,700,000 blocks', () => {
  const slow = headerAt(10_500_000 - 1, { timestamp: 1000n });
  assert.equal(nextDifficulty(slow, 5000n, rulesOf('london')), 131_072n + 2n ** 6n);
  assert.equal(nextDifficulty(slow, 5000n, rulesOf('grayGlacier')), 131_072n);
});

/** A chain of empty blocks, newest first. */
function chainOf(length: number): UncleAncestor[] {
  const chain: UncleAncestor[] = [];
  for (let number = 0; number < length; number++) {
    const header = headerAt(number, { parentHash: chain[0]?.hash ?? new Uint8Array(32) });
    chain.unshift({ hash: keccak256(encodeHeader(header)), header, uncles: [] });
  }
  return chain;
}

const CHAIN = chainOf(12);

/** A sibling of the ancestor at this distance: 1 is the parent. */
function uncleAt(distance: number, extra = 7): Header {
  const { header } = CHAIN[distance - 1]!;
  return { ...header, extraData: Uint8Array.of(extra) };
}

function judge(uncles: readonly Header[], ancestors = CHAIN, mismatch: string | null = null): string | null {
  const header = headerAt(12, { parentHash: CHAIN[0]!.hash });
  return unclesMismatch({ hash: keccak256(encodeHeader(header)), header, uncles }, ancestors, () => mismatch);
}

test('siblings of the last six ancestors may be uncles', () => {
  for (let distance = 1; distance <= 6; distance++) assert.equal(judge([uncleAt(distance)]), null);
  assert.equal(judge([uncleAt(1), uncleAt(2)]), null);
});

const REFUSED: readonly (readonly [what: string, said: string | null, line: RegExp])[] = [
  ['three', judge([uncleAt(1), uncleAt(2), uncleAt(3)]), /^3 uncles, at most 2 are allowed$/],
  ['the same twice', judge([uncleAt(1), uncleAt(1)]), /^uncle 0x[0-9a-f]{64} is included already$/],
  ['an ancestor', judge([CHAIN[2]!.header]), /is an ancestor$/],
  ['one that is too old', judge([uncleAt(7)]), /does not stand beside one of the last 6 blocks$/],
  [
    'a sibling of the block itself',
    judge([headerAt(12, { parentHash: CHAIN[0]!.hash })]),
    /is an ancestor$|does not stand/,
  ],
  [
    'one that an ancestor has',
    judge([uncleAt(2)], CHAIN.with(0, { ...CHAIN[0]!, uncles: [uncleAt(2)] })),
    /is included already$/,
  ],
  ['one whose header does not fit', judge([uncleAt(2)], CHAIN, 'gas used is wrong'), /^uncle 0x.*: gas used is wrong$/],
];

for (const [what, said, line] of REFUSED)
  test(`an uncle is refused: ${what}`, () => assert.match(said ?? 'accepted', line));
