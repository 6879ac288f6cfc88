// The banner: its lines for each kind of chain, and its width of at most 100 columns.
import assert from 'node:assert/strict';
import { stripVTControlCharacters } from 'node:util';
import test from 'node:test';
import { collectBannerFacts } from '../../src/engine/banner-facts.js';
import { formatBanner, type BannerFacts } from '../../src/cli/banner.js';
import { PAINT_COLOURED, PAINT_PLAIN } from '../../src/cli/terminal-colours.js';
import { readCommandAndConfig } from '../../src/config/read-settings.js';
import { DEV_CHAIN } from '../../src/feed/dev/genesis.js';

const COLUMNS = 100;

const LIVE: BannerFacts = {
  version: '1.2.3',
  chain: 'live chain Base, chain id 8453',
  endpoints: [
    { name: 'HTTP', address: 'http://127.0.0.1:8545' },
    { name: 'WebSocket', address: 'ws://127.0.0.1:8545' },
  ],
  live: [{ name: 'Node', address: 'http://127.0.0.1:9545' }],
  dataFolder: null,
  dev: null,
};

const DEV: BannerFacts = {
  ...LIVE,
  chain: 'dev chain, chain id 31337',
  live: [],
  dataFolder: '/var/lib/prestate',
  dev: {
    mnemonic: 'test test test test test test test test test test test junk',
    pace: 'every 2 s',
    tools: '--dev-tools is on',
    contracts: [{ name: 'Pool', address: `0x${'70'.repeat(20)}` }],
    accounts: [
      { address: `0x${'aa'.repeat(20)}`, key: `0x${'bb'.repeat(32)}`, balance: 10_000n * 10n ** 18n },
      { address: `0x${'cc'.repeat(20)}`, key: `0x${'dd'.repeat(32)}`, balance: 123_450n * 10n ** 13n },
    ],
  },
};

test('a live chain has version, chain and addresses', () => {
  assert.deepEqual(formatBanner(LIVE, PAINT_PLAIN), [
    '',
    '  prestate 1.2.3',
    '',
    '  Chain        live chain Base, chain id 8453',
    '  Node         http://127.0.0.1:9545',
    '',
    '  HTTP         http://127.0.0.1:8545',
    '  WebSocket    ws://127.0.0.1:8545',
    '',
  ]);
});

test('the dev chain has folder, contracts, and accounts with keys, balances and a warning', () => {
  assert.deepEqual(formatBanner(DEV, PAINT_PLAIN).slice(4), [
    '  Blocks       every 2 s',
    '  Data folder  /var/lib/prestate',
    '',
    '  Pool         0x7070707070707070707070707070707070707070',
    '  Mnemonic     test test test test test test test test test test test junk',
    '  Dev tools    --dev-tools is on',
    '',
    `  (0) 0x${'aa'.repeat(20)}  10000 ETH`,
    `      0x${'bb'.repeat(32)}`,
    `  (1) 0x${'cc'.repeat(20)}  1.2345 ETH`,
    `      0x${'dd'.repeat(32)}`,
    '',
    '  These keys are public: whatever is sent to these accounts on another chain is lost.',
    '',
    '  HTTP         http://127.0.0.1:8545',
    '  WebSocket    ws://127.0.0.1:8545',
    '',
  ]);
});

test('the banner fits 100 columns, and colours add none', () => {
  const plain = formatBanner(DEV, PAINT_PLAIN);
  assert.ok(plain.every((line) => line.length <= COLUMNS));
  const coloured = formatBanner(DEV, PAINT_COLOURED);
  assert.notDeepEqual(coloured, plain);
  assert.deepEqual(coloured.map(stripVTControlCharacters), plain);
});

test('the dev banner reports whether scripts for other tools run, and which flag enables them', () => {
  const serving = { chain: DEV_CHAIN, endpoints: [], dataDir: '/tmp', balanceOf: () => 0n };
  for (const [flags, said] of [
    [[], /Dev tools +--dev-tools lets /],
    [['--dev-tools'], /Dev tools +--dev-tools is on: /],
  ] as const) {
    const command = readCommandAndConfig(flags, {});
    assert.ok(command.kind === 'run');
    const lines = formatBanner(collectBannerFacts(command.config, serving, '1.2.3'), PAINT_PLAIN);
    assert.match(lines.join('\n'), said);
    for (const line of lines) assert.ok(line.length <= COLUMNS, line);
  }
});

test('a live chain has node, feeds and forwarded methods, without secrets, and the status page', () => {
  const endpoints = [{ name: 'HTTP', address: 'http://127.0.0.1:8545' }];
  const serving = { chain: DEV_CHAIN, endpoints, dataDir: '/tmp', balanceOf: () => 0n };
  const flags = [
    '--upstream',
    'http://me:secret@node:1',
    '--upstream-ws',
    'ws://node:2',
    '--feed',
    'wss://a?key=secret',
  ];
  const shown = (...more: string[]): string[] => {
    const command = readCommandAndConfig([...flags, ...more], {});
    assert.ok(command.kind === 'run');
    return formatBanner(collectBannerFacts(command.config, serving, '1.2.3'), PAINT_PLAIN).slice(4);
  };
  assert.deepEqual(shown(), [
    '  Node         http://***@node:1',
    '  Heads        ws://node:2',
    '  Feed         wss://a?***',
    '  Passes on    nothing, no transactions either; --passthrough does',
    '',
    '  HTTP         http://127.0.0.1:8545',
    '  Status page  http://127.0.0.1:8545/',
    '',
  ]);
  assert.ok(shown('--passthrough').includes('  Passes on    standard'));
});
