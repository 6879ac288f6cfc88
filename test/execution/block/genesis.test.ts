// Genesis files: some with a known hash, and every kind of mistake.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseGenesis } from '../../../src/execution/block/genesis.js';
import { decodeHeader } from '../../../src/chain/block/header.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import { StartError } from '../../../src/lib/start-error.js';
import { sharedData, withoutData } from '../../support/shared-data.js';

const SAMPLE = 'execution-apis/genesis.json';

void test('the sample genesis has the known hash, schedule and state', { skip: withoutData(SAMPLE) }, () => {
  const { head, header, chain, diff, block } = parseGenesis(SAMPLE, readFileSync(sharedData(SAMPLE), 'utf8'));
  assert.equal(toHex(head.hash), '0x44fd89d504659cd58f48f4796b77a7e7012cf296a2409afa2f6c3cb99b5b3d99');
  assert.deepEqual(decodeHeader(head.header), header);
  assert.equal(chain.chainId, 3503995874084926n);
  assert.deepEqual(chain.blobSchedule['bpo2'], { target: 14, max: 21, baseFeeUpdateFraction: 11684671 });
  assert.deepEqual(chain.depositContract, new Uint8Array(20));
  assert.deepEqual(diff.coordinates, { block: 0, index: 0, hash: head.hash, parentHash: new Uint8Array(32) });
  assert.deepEqual(diff.heads, { latest: 0, safe: 0, finalized: 0 });
  assert.equal(diff.accounts.length, 27);
  assert.equal(diff.slots.length, 3);
  assert.deepEqual([block.number, block.transactions, block.withdrawals], [0, [], null]);
});

/** The sample's `forkenv.json` lists where each fork starts, first by block and then by time. */
void test('each fork of the sample genesis is active from its block or time on', { skip: withoutData(SAMPLE) }, () => {
  const { chain } = parseGenesis(SAMPLE, readFileSync(sharedData(SAMPLE), 'utf8'));
  const rules = createChainRules(chain);
  const starts = { homestead: 0, tangerineWhistle: 3, spuriousDragon: 6, london: 27, grayGlacier: 33, paris: 36 };
  for (const [fork, block] of Object.entries(starts)) {
    assert.equal(rules.at(block, block * 10).fork, fork);
    if (block > 0) assert.notEqual(rules.at(block - 1, block * 10).fork, fork);
  }
  const times = { shanghai: 390, cancun: 420, prague: 450, osaka: 480, bpo1: 510, bpo2: 540 };
  for (const [fork, time] of Object.entries(times)) {
    assert.equal(rules.at(time / 10, time).fork, fork);
    assert.notEqual(rules.at(time / 10, time - 1).fork, fork);
  }
});

interface File {
  readonly config?: Record<string, unknown>;
  readonly alloc?: Record<string, unknown>;
  readonly [field: string]: unknown;
}

function genesisText({ config = {}, alloc = {}, ...fields }: File): string {
  const merged = { londonBlock: 0, terminalTotalDifficulty: 0, shanghaiTime: 0, cancunTime: 0 };
  return JSON.stringify({ config: { chainId: 7, ...merged, ...config }, alloc, gasLimit: '0x1c9c380', ...fields });
}

const ADDRESS = '00000000000000000000000000000000000000aa';

void test('numbers may be decimal, hexadecimal or strings, slots may be short, and zero slots are dropped', () => {
  const alloc = {
    [ADDRESS]: { balance: '0x10', nonce: 2, code: '0x6001', storage: { '0x1': '0x05', '0x2': '0x0' } },
    [`0x${ADDRESS.replace('aa', 'bb')}`]: { balance: '1000000000000000000000' },
    [ADDRESS.replace('aa', 'cc')]: { code: '0x6001', balance: 0 },
  };
  const { diff, header } = parseGenesis('file', genesisText({ alloc, timestamp: '', nonce: '0x42' }));
  assert.deepEqual(
    diff.accounts.map(({ account }) => [account!.nonce, account!.balance]),
    [
      [2n, 16n],
      [0n, 10n ** 21n],
      [0n, 0n],
    ],
  );
  assert.deepEqual(diff.slots, [{ address: toBytes(0xaan, 20), slot: toBytes(1n, 32), value: toBytes(5n, 32) }]);
  assert.equal(diff.codes.length, 1);
  assert.equal(toHex(header.nonce), '0x0000000000000042');
});

void test('an account may have 130,000 slots', () => {
  const slots = 130_000;
  const storage = Object.fromEntries(Array.from({ length: slots }, (_, slot) => [`0x${slot.toString(16)}`, '0x1']));
  const { diff } = parseGenesis('genesis.json', genesisText({ alloc: { [ADDRESS]: { balance: '0x0', storage } } }));
  assert.equal(diff.slots.length, slots);
});

void test('the genesis header has the fields of its fork', () => {
  const cancun = parseGenesis('file', genesisText({ baseFeePerGas: '0x7' })).header;
  assert.equal(cancun.baseFeePerGas, 7n);
  assert.equal(cancun.excessBlobGas, 0n);
  assert.equal(cancun.requestsHash, null);
  const prague = parseGenesis('file', genesisText({ config: { pragueTime: 0 } })).header;
  assert.equal(toHex(prague.requestsHash!), '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  assert.equal(prague.baseFeePerGas, 10n ** 9n);
  const old = parseGenesis('file', JSON.stringify({ config: { chainId: 7 }, alloc: {} })).header;
  assert.deepEqual([old.baseFeePerGas, old.withdrawalsRoot, old.gasLimit], [null, null, 4_712_388n]);
});

const WRONG: readonly (readonly [what: string, text: string, reason: string | RegExp])[] = [
  ['no JSON', '{', /^it is not JSON \(/],
  ['no object', '[]', 'it holds no JSON object'],
  ['no config', '{"alloc":{}}', 'config: missing'],
  ['no alloc', '{"config":{"chainId":1}}', 'alloc: missing'],
  ['no chain id', '{"config":{},"alloc":{}}', 'config.chainId: missing'],
  ['a negative number', genesisText({ gasLimit: -1 }), 'gasLimit: not a number'],
  ['a number that is no number', genesisText({ difficulty: '0xzz' }), 'difficulty: not a number'],
  ['a timestamp that is too large', genesisText({ timestamp: '0x10000000000000000' }), 'timestamp: too large'],
  ['a block number above 0', genesisText({ number: 4 }), 'number: a genesis block has number 0, not 4'],
  ['a short address', genesisText({ alloc: { '0xaa': {} } }), 'alloc.0xaa: 1 bytes instead of 20'],
  [
    'code that is not hex',
    genesisText({ alloc: { [ADDRESS]: { code: '0xabc' } } }),
    `alloc.${ADDRESS}.code: not hex bytes`,
  ],
  ['an account that is not an object', genesisText({ alloc: { [ADDRESS]: 5 } }), `alloc.${ADDRESS}: not an object`],
  [
    'a slot that is too long',
    genesisText({ alloc: { [ADDRESS]: { storage: { 0: `0x${'1'.repeat(65)}` } } } }),
    `alloc.${ADDRESS}.storage.0: not 32 bytes of hex`,
  ],
  [
    'a merge without its block',
    genesisText({ config: { terminalTotalDifficulty: 5 } }),
    /^config.mergeNetsplitBlock: needed/,
  ],
  [
    'forks out of order',
    genesisText({ config: { cancunTime: 9, pragueTime: 5 } }),
    'config.pragueTime: prague comes before cancun',
  ],
  ...['bogotaTime', 'verkleTime', 'bpo6Time', 'someBlock'].map(
    (key) =>
      [
        `a fork that is not known (${key})`,
        genesisText({ config: { [key]: 99 } }),
        `config.${key}: a fork that is not known here`,
      ] as const,
  ),
  [
    'a fork of the OP Stack on another chain',
    genesisText({ config: { jovianTime: 99 } }),
    'config.jovianTime: a fork that is not known here',
  ],
  ['the DAO fork', genesisText({ config: { daoForkSupport: true } }), /^config.daoForkSupport: /],
  [
    'an incomplete blob schedule',
    genesisText({ config: { blobSchedule: { cancun: { target: 3 } } } }),
    'config.blobSchedule.cancun.max: missing',
  ],
];

void test('a fork without a block or time is not scheduled', () => {
  const { chain } = parseGenesis('file', genesisText({ config: { bogotaTime: null, eip155Block: 0 } }));
  assert.equal(chain.forks.at(-1)!.name, 'cancun');
});

for (const [what, text, reason] of WRONG) {
  void test(`a genesis file is refused: ${what}`, () => {
    assert.throws(
      () => parseGenesis('some.json', text),
      (error: unknown) => {
        assert.ok(error instanceof StartError);
        assert.equal(error.exitCode, 2);
        const prefix = 'some.json is not a usable genesis file: ';
        assert.ok(error.message.startsWith(prefix) && !error.message.includes('\n'), error.message);
        const rest = error.message.slice(prefix.length);
        if (typeof reason === 'string') assert.equal(rest, reason);
        else assert.match(rest, reason);
        return true;
      },
    );
  });
}
