// Validates a node's results for methods that are also served here: of the right type, and about what was requested.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toHex, toQuantity } from '../../../src/lib/bytes/hex.js';
import { METHODS } from '../../../src/methods.table.js';
import { UpstreamError } from '../../../src/upstream/transport/upstream-error.js';
import { checkForwardedResult } from '../../../src/upstream/reads/check-forwarded-result.js';
import { blockJson, headerJson } from '../../support/node-json.js';
import { emptyBlocks, hashOf } from '../blocks.js';

const HASH = `0x${'ab'.repeat(32)}`;
const OTHER = `0x${'cd'.repeat(32)}`;
const ADDRESS = `0x${'0C'.repeat(20)}`;
const LOG = { address: ADDRESS, topics: [HASH], data: '0x01', logIndex: '0x0' };
const RECEIPT = { transactionHash: HASH, blockHash: OTHER, blockNumber: '0x5', logs: [LOG] };
const TRANSACTION = { hash: HASH, blockHash: OTHER, blockNumber: '0x5', value: '0x1' };
const SENDERS = { ...TRANSACTION, from: ADDRESS.toLowerCase(), nonce: '0x1' };
const [, BLOCK] = emptyBlocks(4, 2, new Uint8Array(32), 1);
const WHOLE = blockJson(BLOCK!, true);
const BLOCK_HASH = toHex(hashOf(BLOCK!));
const WORD = `0x${'00'.repeat(31)}07`;

/** Methods, their parameters, and accepted results, with what they are converted to if that differs. */
const ACCOUNT_ACCESS = {
  address: ADDRESS,
  storageChanges: [{ key: WORD, changes: [{ index: '0x1', value: WORD }] }],
  storageReads: [WORD],
  balanceChanges: [{ index: '0x0', value: '0x1' }],
  nonceChanges: [],
  codeChanges: [],
};

const PARITY_TRACE = { output: '0x01', trace: [{ type: 'call' }], stateDiff: null, vmTrace: null };

const RIGHT: readonly (readonly [method: string, params: unknown[], result: unknown, passedOn?: unknown])[] = [
  ['eth_getTransactionCount', [], '0x07', '0x7'],
  ['eth_getBalance', [], '0x0'],
  ['eth_getBalance', [], `0x${'f'.repeat(64)}`],
  ['eth_getCode', [], '0x'],
  ['eth_getCode', [], '0x6001'],
  ['eth_getStorageAt', [], WORD],
  ['eth_getStorageAt', [], '0x7', WORD],
  [
    'eth_getStorageValues',
    [{ [ADDRESS]: ['0x1', '0x2'] }],
    { [ADDRESS.toLowerCase()]: [WORD, '0x7'] },
    { [ADDRESS]: [WORD, WORD] },
  ],
  ['eth_estimateGas', [], '0x5208'],
  ['eth_call', [], `0x${'01'.repeat(100_000)}`],
  ['eth_createAccessList', [], { accessList: [{ address: ADDRESS, storageKeys: [HASH] }], gasUsed: '0x1' }],
  ['eth_simulateV1', [], [{ number: '0x5', calls: [{ returnData: '0x' }] }]],
  ['eth_callMany', [], [[{ value: '0x' }, { error: 'execution reverted' }]]],
  ['debug_traceCall', [], { type: 'CALL' }],
  ['debug_traceCall', [], [{ type: 'call', traceAddress: [] }]],
  ['debug_traceCallMany', [], [[{ type: 'CALL' }], []]],
  ['trace_call', [], PARITY_TRACE],
  ['trace_callMany', [], [PARITY_TRACE, { output: '0x', trace: [], stateDiff: {}, vmTrace: null }]],
  ['debug_traceTransaction', [], { [ADDRESS]: { balance: '0x0' } }],
  ['debug_traceBlockByNumber', [], [{ txHash: HASH, result: {} }]],
  ['debug_traceBlockByHash', [], []],
  ['eth_callBundle', [{ txs: ['0x01'] }], { results: [{ txHash: HASH, value: '0x' }] }],
  ['base_meterBundle', [{ txs: ['0x01'] }], { results: [{ txHash: HASH, executionTimeUs: 5 }] }],
  ['eth_callBundle', [{ txs: ['0x01'], stateDiff: true }], { results: [{ txHash: HASH, stateDiff: {} }] }],
  ['eth_getBlockByNumber', [toQuantity(5), true], WHOLE],
  ['eth_getBlockByNumber', ['0x9', false], null],
  ['eth_getBlockByHash', [BLOCK_HASH, false], blockJson(BLOCK!, false)],
  ['eth_getBlockAccessList', [OTHER], [ACCOUNT_ACCESS]],
  ['eth_getBlockAccessList', ['0x9'], null],
  ['eth_getBlockReceipts', ['0x5'], [RECEIPT, RECEIPT]],
  ['eth_getBlockReceipts', [OTHER], [RECEIPT]],
  ['eth_getBlockReceipts', ['0x9'], null],
  ['eth_getBlockTransactionCountByNumber', ['0x5'], '0x2'],
  ['eth_getBlockTransactionCountByHash', [OTHER], null],
  ['eth_getTransactionByBlockNumberAndIndex', ['0x5', '0x0'], TRANSACTION],
  ['eth_getTransactionByBlockHashAndIndex', [OTHER, '0x0'], TRANSACTION],
  ['eth_getTransactionByHash', [HASH], TRANSACTION],
  ['eth_getTransactionBySenderAndNonce', [ADDRESS, '0x1'], SENDERS],
  ['eth_getTransactionBySenderAndNonce', [ADDRESS, '0x1'], null],
  ['eth_getTransactionReceipt', [HASH], RECEIPT],
  ['eth_getTransactionReceipt', [HASH], null],
  ['eth_getLogs', [{}], [LOG]],
  ['eth_getLogs', [{}], []],
  ['eth_getRawTransactionByHash', [HASH], '0x'],
  ['debug_getRawTransaction', [HASH], '0x'],
  ['debug_getRawHeader', ['0x5'], '0xc0'],
  ['debug_getRawBlock', ['0x5'], '0xc0'],
  ['debug_getRawReceipts', ['0x5'], ['0x02']],
  ['eth_fillTransaction', [{}], { raw: '0x02', tx: {} }],
  ['eth_getRawTransactionByBlockNumberAndIndex', ['0x5', '0x0'], '0x01'],
  ['eth_getRawTransactionByBlockHashAndIndex', [OTHER, '0x0'], '0x01'],
  ['eth_getUncleCountByBlockNumber', ['0x5'], '0x2'],
  ['eth_getUncleCountByBlockHash', [OTHER], null],
  ['eth_getUncleByBlockNumberAndIndex', ['0x5', '0x0'], blockJson(BLOCK!, false)],
  ['eth_getUncleByBlockHashAndIndex', [OTHER, '0x0'], null],
  ['eth_getAccountInfo', [ADDRESS], { balance: '0x1', nonce: '0x0', code: '0x' }],
  ['net_peerCount', [], '0x3'],
  ['eth_config', [], { current: {} }],
  ['eth_capabilities', [], {}],
  ['eth_gasPrice', [], '0x1'],
  ['eth_maxPriorityFeePerGas', [], '0x1'],
  ['eth_baseFee', [], '0x1'],
  ['eth_blobBaseFee', [], '0x1'],
  ['eth_blobBaseFee', [], null],
  ['eth_feeHistory', [], { oldestBlock: '0x1', baseFeePerGas: ['0x1', '0x2'], gasUsedRatio: [0.5], reward: [['0x1']] }],
  ['eth_sendRawTransaction', [], HASH],
];

/** Results of the right type that are invalid, or about something else. */
const WRONG: readonly (readonly [method: string, params: unknown[], result: unknown])[] = [
  ['eth_getBalance', [], `0x1${'0'.repeat(64)}`],
  ['eth_getBalance', [], '0x'],
  ['eth_getCode', [], '0x123'],
  ['eth_call', [], `0x${'01'.repeat(100_000)}zz`],
  ['eth_getStorageAt', [], `${WORD}00`],
  ['eth_getStorageValues', [{ [ADDRESS]: ['0x1', '0x2'] }], { [ADDRESS]: [WORD] }],
  ['eth_getStorageValues', [{ [ADDRESS]: ['0x1'] }], {}],
  ['eth_createAccessList', [], { accessList: [{ address: ADDRESS, storageKeys: ['0x1'] }], gasUsed: '0x1' }],
  ['eth_simulateV1', [], [{ calls: null }]],
  ['eth_callMany', [], [[null]]],
  ['debug_traceBlockByHash', [], [null]],
  ['debug_traceCallMany', [], [{}]],
  ['trace_call', [], { ...PARITY_TRACE, output: '0x1' }],
  ['trace_callMany', [], [{ ...PARITY_TRACE, trace: [null] }]],
  ['eth_callBundle', [{ txs: ['0x01'] }], { results: [{}] }],
  ['eth_callBundle', [{ txs: ['0x01'] }], {}],
  // A node that does not support the flag has not answered the request.
  ['eth_callBundle', [{ txs: ['0x01'], stateDiff: true }], { results: [{ txHash: HASH }] }],
  ['eth_getBlockByNumber', ['0x4', true], WHOLE],
  ['eth_getBlockByHash', [OTHER, true], WHOLE],
  ['eth_getBlockByNumber', ['0x5', true], { ...(WHOLE as object), gasUsed: '0x1' }],
  ['eth_getBlockByNumber', ['0x5', false], { ...(WHOLE as object), transactions: [{}] }],
  ['eth_getBlockByNumber', ['0x5', false], headerJson(BLOCK!.header)],
  ['eth_getBlockAccessList', ['0x6'], [{ ...ACCOUNT_ACCESS, storageReads: ['0x1'] }]],
  ['eth_getBlockReceipts', ['0x6'], [RECEIPT]],
  ['eth_getBlockReceipts', ['0x5'], [{ ...RECEIPT, logs: [{ ...LOG, topics: ['0x1'] }] }]],
  ['eth_getTransactionByHash', [OTHER.replace('c', 'd')], TRANSACTION],
  ['eth_getTransactionBySenderAndNonce', [ADDRESS, '0x2'], SENDERS],
  ['eth_getTransactionBySenderAndNonce', [ADDRESS.replace('C', 'D'), '0x1'], SENDERS],
  ['eth_getTransactionReceipt', [OTHER.replace('c', 'd')], RECEIPT],
  ['eth_getLogs', [{}], [{ ...LOG, data: null }]],
  ['eth_getLogs', [{}], null],
  ['eth_feeHistory', [], { oldestBlock: '0x1', gasUsedRatio: ['0x1'] }],
  ['debug_getRawReceipts', ['0x5'], ['0x2']],
  ['eth_fillTransaction', [{}], []],
  ['eth_sendRawTransaction', [], '0x'],
];

function refusalOf(method: string, params: readonly unknown[], result: unknown): string | null {
  try {
    checkForwardedResult(method, params, result);
    return null;
  } catch (error) {
    assert.ok(error instanceof UpstreamError && error.kind === 'malformed', `${method}: ${String(error)}`);
    return error.message;
  }
}

test('a valid result of every method is passed on', () => {
  for (const [method, params, result, passedOn = result] of RIGHT)
    assert.deepEqual(checkForwardedResult(method, params, result), passedOn, method);
  assert.deepEqual(checkForwardedResult('eth_getProof', [], { any: 'thing' }), { any: 'thing' });
});

/** Wrong for every method, except null where a value may be missing, and objects where any object is allowed. */
const SENSELESS = [null, 5, true, '', 'x', '0xzz', [5], [null], {}, { error: 'x' }];
const NULL_TOO = /^eth_(blobBaseFee$|get(Block|Transaction|Uncle)(By|Acc|Rec|TransactionCountBy|CountBy))/;
const ANY_OBJECT = new Set([
  'eth_config',
  'eth_capabilities',
  'eth_fillTransaction',
  'debug_traceCall',
  'debug_traceTransaction',
]);

test('a result of another type is an error', () => {
  const rows = RIGHT.filter(([, , result]) => result !== null);
  for (const [method, params] of rows) {
    const wrong = SENSELESS.filter((result) => {
      if (result === null) return !NULL_TOO.test(method);
      return !ANY_OBJECT.has(method) || Array.isArray(result) || typeof result !== 'object';
    });
    for (const result of wrong)
      assert.match(refusalOf(method, params, result) ?? '', /answers wrongly/, `${method} ${JSON.stringify(result)}`);
  }
});

test('a result that contradicts itself or the request is an error', () => {
  for (const [method, params, result] of WRONG)
    assert.match(refusalOf(method, params, result) ?? '', /answers wrongly/, `${method} ${JSON.stringify(result)}`);
});

/** Methods that are always answered here. */
const UNREQUESTED =
  /^(web3_|net_|rpc[._]|evm_|prestate_|personal_sign$|eth_(sendTransaction$|sign\w*|chainId|blockNumber|syncing|accounts|subscribe|unsubscribe|new\w*Filter|\w+Filter|getFilter\w+|sendRawTransactionSync)$)/;

test('every method that may be forwarded to the node has its result checked', () => {
  const checked = new Set(RIGHT.map(([method]) => method));
  const rest = [...METHODS.keys()].filter((name) => !checked.has(name) && !UNREQUESTED.test(name));
  assert.deepEqual(rest, []);
});
