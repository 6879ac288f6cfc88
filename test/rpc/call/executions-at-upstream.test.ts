// Executions that reach non-EVM code, or that a setting or unverified rules exclude from local execution: forwarded
// unchanged to the node, at the hash of their block, or refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEV_CHAIN } from '../../../src/feed/dev/genesis.js';
import { NATIVE_TOKEN_CODE_HASH } from '../../../src/chain/non-evm-accounts.js';
import { rpcError } from '../../../src/rpc-errors.js';
import { PreflightEstimates } from '../../../src/execution/call/estimate-on-main-thread.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { LIMITS } from '../../../src/limits/index.js';
import type { RpcCallOutcome } from '../../../src/rpc/answer/call-result.js';
import { UsageLedger } from '../../../src/fairness/usage-ledger.js';
import { UpstreamExecutions } from '../../../src/rpc/call/executions-at-upstream.js';
import type { MethodName } from '../../../src/methods.table.js';
import { METHOD_FUNCTIONS, type MethodDeps } from '../../../src/rpc/methods/method-functions.js';
import { RpcArguments } from '../../../src/rpc/params/arguments.js';
import { loadPlainReads } from '../../../src/rpc/reads/native-plain-reads.js';
import type { CompleteBlockSource } from '../../../src/rpc/view/stored-blocks.js';
import { CurrentView } from '../../../src/rpc/view/current-table-view.js';
import { RecentBlocks } from '../../../src/state/recent-encoded-blocks.js';
import { TableWriter } from '../../../src/state/table/writer.js';
import type { JobOutcome } from '../../../src/transaction/evm-job.js';
import { account, addressOf, diffOf, hashOf } from '../../state/diffs.js';

const TOKEN = addressOf(9);
const NON_EVM: JobOutcome = { kind: 'foreign', address: TOKEN };
const CALL = { to: toHex(TOKEN), data: '0xA9059CBB', extra: 'passed over', gas: '0x0' };
const OVERRIDES = {
  [toHex(addressOf(3)).toUpperCase().replace('X', 'x')]: {
    stateDiff: { [`0x${'0B'.repeat(32)}`]: `0x${'AB'.repeat(32)}` },
  },
};
const CHAIN = { ...DEV_CHAIN, foreign: [{ prefix: TOKEN, kind: 'account' as const }] };
const TEXT = `the execution calls ${toHex(TOKEN)}, whose code is not the EVM's`;
const KINDS = ['eth_estimateGas', 'eth_call', 'eth_createAccessList'] as const;

/** A token, and ordinary code at an address where a token might be. */
const CODES = {
  accounts: [account(1, 3n, 5n), account(8, 1n, 0n, NATIVE_TOKEN_CODE_HASH), account(10, 1n, 0n, hashOf(1))],
  codes: [
    { hash: NATIVE_TOKEN_CODE_HASH, bytes: Uint8Array.of(0xef) },
    { hash: hashOf(1), bytes: Uint8Array.of(0) },
  ],
};

/** Block 7 is the newest, 6 the oldest available; `isOpen`: a part of block 8 is pre-confirmed. */
function viewOf(
  isOpen: boolean,
  source: CompleteBlockSource = { kind: 'live', recent: new RecentBlocks() },
): CurrentView {
  const table = TableWriter.create({ complete: source.kind === 'archive' });
  table.publish(diffOf({ block: 6, hash: hashOf(6) }));
  table.publish({
    ...diffOf({ block: 7, hash: hashOf(7), ...CODES }),
    heads: { latest: 7, safe: 6, finalized: null },
  });
  const open = diffOf({ block: 8, hash: hashOf(8) });
  const coordinates = { ...open.coordinates, hash: null };
  if (isOpen) table.publish({ ...open, coordinates, heads: { latest: 7, safe: 6, finalized: null } });
  return new CurrentView(table.buffer, source, loadPlainReads(1).open);
}

/** Headers are available for every block. */
function withHeaders(): CurrentView {
  const recent = { record: () => ({ header: Uint8Array.of(0xc0) }) };
  return viewOf(false, { kind: 'live', recent: recent as unknown as RecentBlocks });
}

class Rig {
  readonly requested: [method: string, params: readonly unknown[]][] = [];
  readonly executions = new UpstreamExecutions(new UsageLedger());
  jobs = 0;
  answer: () => Promise<RpcCallOutcome> = () => Promise.resolve('"0x5208"');
  readonly #deps: MethodDeps;
  readonly #current: CurrentView;

  constructor(given: object = {}, current = viewOf(false)) {
    this.#current = current;
    const request = (method: string, params: readonly unknown[]): Promise<RpcCallOutcome> => {
      this.requested.push([method, params]);
      return this.answer();
    };
    const submit = (): Promise<JobOutcome> => {
      this.jobs++;
      return Promise.resolve(NON_EVM);
    };
    this.#deps = {
      chain: CHAIN,
      backing: { request, epoch: () => 1 },
      pool: { submit },
      preflight: { answer: () => null },
      tips: { suggest: () => 0n },
      gasCap: 1_000_000n,
      timeoutMs: 1000,
      revertErrorCode: 3,
      estimates: 'local',
      doubt: () => null,
      nodeExecutions: this.executions,
      ...given,
    } as unknown as MethodDeps;
  }

  async query(name: string, params: readonly unknown[], client = 'one'): Promise<RpcCallOutcome> {
    const run = METHOD_FUNCTIONS[name as MethodName];
    const readView = this.#current.get();
    readView.pinned.begin();
    const caller = { aborted: false, client };
    const result = run(new RpcArguments(params), readView, this.#deps, caller);
    readView.pinned.end();
    return (await result) as RpcCallOutcome;
  }
}

void test('a call that reaches non-EVM code is forwarded unchanged, at the hash of its block', async () => {
  for (const name of KINDS) {
    for (const [block, number] of [
      [undefined, 7],
      ['latest', 7],
      ['pending', 7],
      ['0x6', 6],
      [{ blockNumber: '0x7' }, 7],
      [{ blockHash: toHex(hashOf(6)) }, 6],
    ] as const) {
      const rig = new Rig();
      const params = [CALL, block, OVERRIDES, { number: '0xA' }];
      assert.equal(await rig.query(name, params), '"0x5208"');
      const [[method, sent]] = rig.requested as [[string, readonly unknown[]]];
      assert.equal(method, name);
      const wanted = [CALL, { blockHash: toHex(hashOf(number)) }, OVERRIDES, { number: '0xA' }];
      assert.equal(JSON.stringify(sent), JSON.stringify(wanted), 'byte for byte');
      assert.equal(rig.executions.counts.foreign, 1);
    }
  }
});

void test('at pre-confirmed state, which the node does not know, it is refused with the reason', async () => {
  for (const name of KINDS) {
    const rig = new Rig({}, viewOf(true));
    const refused = rpcError(
      'foreign',
      `${TEXT}; only a node can answer it, and none knows pre-confirmed state: ask at latest`,
    );
    for (const block of ['pending', '0x8']) assert.deepEqual(await rig.query(name, [CALL, block]), refused);
    assert.equal(await rig.query(name, [CALL, 'latest']), '"0x5208"');
    assert.deepEqual(
      rig.requested.map(([, params]) => params[1]),
      [{ blockHash: toHex(hashOf(7)) }],
    );
    assert.equal(rig.executions.counts.preConfirmed, 2);
  }
});

void test('without a node a call that reaches non-EVM code is refused', async () => {
  const archive = { kind: 'archive', archive: {} } as unknown as CompleteBlockSource;
  const rig = new Rig({ backing: null }, viewOf(false, archive));
  const refused = rpcError('foreign', `${TEXT}; only a node can answer it, and there is none here`);
  assert.deepEqual(await rig.query('eth_estimateGas', [CALL]), refused);
  assert.equal(rig.executions.counts.noNode, 1);
});

void test('a watched call is not forwarded to the node at each change of state', async () => {
  const rig = new Rig({ nodeExecutions: null });
  const refused = await rig.query('eth_call', [CALL]);
  assert.deepEqual(refused, rpcError('foreign', `${TEXT}; it is not asked of a node again and again`));
  assert.equal(rig.requested.length, 0);
});

void test('a setting sends all executions to the node, and none is run here', async () => {
  const rig = new Rig({ estimates: 'node', chain: DEV_CHAIN }, viewOf(true));
  for (const name of KINDS) {
    assert.equal(await rig.query(name, [{ to: toHex(addressOf(1)) }]), '"0x5208"');
    assert.equal(((await rig.query(name, [CALL, 'pending'])) as { error: string }).error, 'foreign');
  }
  assert.equal(rig.jobs, 0);
  assert.deepEqual(rig.requested[0], [
    'eth_estimateGas',
    [{ to: toHex(addressOf(1)) }, { blockHash: toHex(hashOf(7)) }],
  ]);
  assert.deepEqual([rig.executions.counts.setting, rig.executions.counts.preConfirmed], [3, 3]);
});

const AT_7 = { blockHash: toHex(hashOf(7)) };
/** Parameters at a block, and how the forwarded request refers to block 7. */
const SEQUENCES: readonly (readonly [name: string, at: (ref: unknown) => unknown[], reference: unknown])[] = [
  ['eth_simulateV1', (ref) => [{ blockStateCalls: [{ calls: [CALL] }] }, ref], AT_7],
  ['eth_callMany', (ref) => [[{ transactions: [CALL] }], { blockNumber: ref }], AT_7],
  ['debug_traceCall', (ref) => [CALL, ref, { tracer: 'callTracer' }], AT_7],
  ['eth_callBundle', (ref) => [{ txs: ['0x01'], blockNumber: '0x8', stateBlockNumber: ref }], '0x7'],
];

void test('while the rules are unverified the node answers every execution, and pre-confirmed state is refused', async () => {
  const rig = new Rig({ doubt: () => 'a fork', chain: DEV_CHAIN }, viewOf(true));
  const text = 'the rules of the chain are not known to be right: a fork; only a node can answer it';
  const refused = rpcError('rulesUnknown', `${text}, and none knows pre-confirmed state: ask at latest`);
  for (const name of KINDS) {
    assert.equal(await rig.query(name, [CALL, undefined, OVERRIDES]), '"0x5208"');
    assert.deepEqual(rig.requested.at(-1), [name, [CALL, AT_7, OVERRIDES]]);
    assert.deepEqual(await rig.query(name, [CALL, 'pending']), refused);
  }
  for (const [name, at, reported] of SEQUENCES) {
    assert.equal(await rig.query(name, at('latest')), '"0x5208"');
    assert.equal(JSON.stringify(rig.requested.at(-1)), JSON.stringify([name, at(reported)]));
    assert.deepEqual(await rig.query(name, at('pending')), refused);
  }
  assert.equal(rig.jobs, 0);
  assert.deepEqual([rig.executions.counts.rules, rig.executions.counts.preConfirmed], [7, 7]);
  const alone = new Rig({ doubt: () => 'a fork', nodeExecutions: null });
  assert.equal(((await alone.query('eth_call', [CALL])) as { error: string }).error, 'rulesUnknown');
});

void test('unsupported tracers and tracer options are forwarded to the node for blocks that it knows', async () => {
  for (const [config, isRefused] of [
    [{ tracer: 'erc7562Tracer' }, true],
    [{ tracer: 'erc7562Tracer' }, true],
    [{ tracer: '{step: function() {}, fault: function() {}, result: function() {}}' }, true],
    [{ tracer: 'muxTracer', tracerConfig: { callTracer: {}, erc7562Tracer: {} } }, true],
    [{ tracer: 'callTracer', overrides: { berlinBlock: 0 } }, true],
    [{ tracer: 'callTracer', borTraceEnabled: false }, false],
    [{ tracer: 'callTracer', tracerConfig: { withGas: true } }, false],
  ] as const) {
    const rig = new Rig({ executed: { soFar: () => null }, chain: DEV_CHAIN }, viewOf(true));
    const sent = await rig.query('debug_traceCall', [CALL, 'latest', config]);
    assert.deepEqual([sent, rig.jobs], [{ forward: [CALL, AT_7, config], block: toHex(hashOf(7)) }, 0]);
    const refused = (await rig.query('debug_traceCall', [CALL, 'pending', config])) as { error: string };
    assert.deepEqual([refused.error, rig.jobs], isRefused ? ['invalidParams', 0] : ['foreign', 1]);
  }
  // Options of other tracers change nothing, whoever executes.
  const rig = new Rig({ chain: DEV_CHAIN });
  await rig.query('debug_traceCall', [CALL, 'latest', { tracer: 'callTracer', tracerConfig: { diffMode: true } }]);
  assert.equal(rig.jobs, 1);
});

void test('traces of blocks before London are forwarded to the node', async () => {
  const forks = [
    { name: 'berlin', block: 0, timestamp: null },
    { name: 'london', block: 7, timestamp: null },
  ];
  const rig = new Rig({ chain: { ...DEV_CHAIN, forks } });
  assert.ok('forward' in ((await rig.query('debug_traceCall', [CALL, '0x6', { tracer: 'callTracer' }])) as object));
  assert.equal(rig.jobs, 0);
  await rig.query('debug_traceCall', [CALL, '0x7', { tracer: 'callTracer' }]);
  assert.equal(rig.jobs, 1);
});

void test('a sequence of calls is forwarded when one of them reaches non-EVM code', async () => {
  for (const [name, at, reported] of SEQUENCES) {
    const rig = new Rig({ executed: { soFar: () => null } }, withHeaders());
    assert.equal(await rig.query(name, at('latest')), '"0x5208"');
    assert.equal(rig.jobs, 1);
    assert.equal(JSON.stringify(rig.requested), JSON.stringify([[name, at(reported)]]));
    assert.equal(rig.executions.counts.foreign, 1);
  }
});

void test('a call to an account known to have non-EVM code is not run here at all', async () => {
  const tokens = [8, 10].map((index) => ({ prefix: addressOf(index), kind: 'token' as const }));
  const chain = { ...CHAIN, foreign: [...CHAIN.foreign, ...tokens] };
  const rig = new Rig({ chain, preflight: new PreflightEstimates(chain) }, viewOf(false));
  for (const name of KINDS) assert.equal(await rig.query(name, [CALL]), '"0x5208"');
  for (const name of KINDS) assert.equal(await rig.query(name, [{ to: toHex(addressOf(8)) }]), '"0x5208"');
  assert.equal(rig.jobs, 0);
  // Its code is overridden.
  await rig.query('eth_call', [{ to: toHex(addressOf(8)) }, 'latest', { [toHex(addressOf(8))]: { code: '0x00' } }]);
  // By its code it is not a token.
  await rig.query('eth_call', [{ to: toHex(addressOf(10)) }]);
  assert.equal(rig.jobs, 2);
});

void test('errors of the node are mapped to our own', async () => {
  const rig = new Rig();
  rig.answer = () => Promise.resolve(rpcError('revert', undefined, Uint8Array.of(1, 2)));
  assert.deepEqual(await rig.query('eth_call', [CALL]), {
    error: 'revertWithReason',
    message: 'execution reverted',
    data: Uint8Array.of(1, 2),
  });
  rig.answer = () => Promise.resolve(rpcError('upstream', 'the upstream node does not answer in time'));
  assert.deepEqual(
    await rig.query('eth_call', [CALL]),
    rpcError('upstream', 'the upstream node does not answer in time'),
  );
  rig.answer = () => Promise.resolve(rpcError('blockNotFound'));
  const gone = (await rig.query('eth_call', [CALL])) as { error: string; message: string };
  assert.equal(gone.error, 'blockNotFound');
  assert.match(gone.message, new RegExp(toHex(hashOf(7))));
});

void test('equal requests are forwarded once, each client has a quota, and a response frees its slot', async () => {
  const rig = new Rig();
  const waiting: ((result: RpcCallOutcome) => void)[] = [];
  rig.answer = () => new Promise((resolve) => waiting.push(resolve));
  const nth = (n: number): object => ({ ...CALL, value: `0x${(n + 1).toString(16)}` });
  const two = [rig.query('eth_call', [CALL]), rig.query('eth_call', [CALL], 'other')];
  const many = Array.from({ length: LIMITS.nodeExecutionsPerClientMax }, (_, n) => rig.query('eth_call', [nth(n)]));
  assert.deepEqual(await many.at(-1), rpcError('overload'));
  assert.equal(rig.requested.length, LIMITS.nodeExecutionsPerClientMax);
  const other = rig.query('eth_call', [nth(999)], 'other');
  for (let turn = 0; waiting.length <= LIMITS.nodeExecutionsPerClientMax && turn < 100; turn++) await Promise.resolve();
  for (const each of waiting) each('"0x1"');
  assert.deepEqual(await Promise.all(two), ['"0x1"', '"0x1"']);
  assert.equal(await other, '"0x1"');
  await Promise.all(many);
  rig.answer = () => Promise.resolve('"0x2"');
  assert.equal(await rig.query('eth_call', [CALL]), '"0x2"');
  assert.equal(rig.executions.counts.full, 1);
});
