// THE method table, the only place that lists the methods served.
import {
  type AccountDeps,
  getAccountInfo,
  getBalance,
  getCode,
  getStorageAt,
  getStorageValues,
  getTransactionCount,
} from './account.js';
import { blockNumber, getBlockAccessList, getBlockByHash, getBlockByNumber, type BlockMethodDeps } from './block.js';
import {
  accounts,
  capabilities,
  chainId,
  clientVersion,
  config,
  netVersion,
  peerCount,
  revert,
  sha3,
  snapshot,
  type ChainDeps,
} from './chain.js';
import { call, createAccessList, estimateGas } from './execution.js';
import { gasPrice, maxPriorityFeePerGas, nextBlockBaseFee, nextBlobBaseFee, type FeeDeps } from './fee.js';
import { feeHistory, type FeeHistoryDeps } from './fee-history.js';
import {
  getFilterChanges,
  getFilterLogs,
  newBlockFilter,
  newFilter,
  newPendingTransactionFilter,
  uninstallFilter,
  type FilterDeps,
} from './filter.js';
import { personalSign, sendTransaction, sign, signTypedData, type SignDeps } from './dev-accounts.js';
import { fillTransaction, type FillDeps } from './fill.js';
import { getLogs } from './logs.js';
import { prestateSends, sendRawTransaction, sendRawTransactionSync, type SendsDeps } from './send.js';
import { getRawBlock, getRawHeader, getRawReceipts } from './raw.js';
import { runBundle, runCallMany, meterBundle, simulateV1, type SequenceDeps } from './sequences.js';
import { subscribe, unsubscribe, type SubscriptionDeps } from './subscribe.js';
import { traceBlockByHash, traceBlockByNumber, traceCall, traceTransaction } from './traces.js';
import { methodOf, type Method, type MethodRow } from '../call/method.js';
import {
  getBlockReceipts,
  getBlockTransactionCountByHash,
  getBlockTransactionCountByNumber,
  getRawTransactionByBlockHashAndIndex,
  getRawTransactionByBlockNumberAndIndex,
  getRawTransactionByHash,
  getTransactionByBlockHashAndIndex,
  getTransactionByBlockNumberAndIndex,
  getTransactionByHash,
  getTransactionBySenderAndNonce,
  getTransactionReceipt,
  getUncleByBlockHashAndIndex,
  getUncleByBlockNumberAndIndex,
  getUncleCountByBlockHash,
  getUncleCountByBlockNumber,
  type TransactionDeps,
} from './transaction.js';

/** What all methods need; each file says which of it its own methods use. */
export type TableDeps = AccountDeps &
  BlockMethodDeps &
  ChainDeps &
  FeeHistoryDeps &
  FeeDeps &
  FillDeps &
  FilterDeps &
  SequenceDeps &
  SendsDeps &
  SignDeps &
  SubscriptionDeps &
  TransactionDeps;

/** One row for each method. Counters, bounds, both transports and METHODS.md follow from it. */
export const METHODS: readonly MethodRow<TableDeps>[] = [
  {
    name: 'eth_getTransactionCount',
    params: ['address', 'block'],
    says: 'the next nonce of that state; at `pending` with `--count-own-sends` [what is on its way](#what-is-on-its-way) counts, too',
    run: getTransactionCount,
  },
  { name: 'eth_getStorageAt', params: ['address', 'slot', 'block'], says: 'one word of storage', run: getStorageAt },
  { name: 'eth_getBalance', params: ['address', 'block'], says: 'wei', run: getBalance },
  { name: 'eth_getCode', params: ['address', 'block'], says: 'code, or a delegation (EIP-7702)', run: getCode },
  {
    name: 'eth_estimateGas',
    params: ['transaction', 'block', 'stateOverride', 'blockOverride'],
    says: "the least gas limit with which the transaction succeeds the same way; code that is not the EVM's (`--foreign`), and all of it under rules that are not known, is asked of the node",
    run: estimateGas,
    readsCall: true,
  },
  {
    name: 'eth_call',
    params: ['transaction', 'block', 'stateOverride', 'blockOverride'],
    says: 'return data; likewise',
    run: call,
    readsCall: true,
  },
  {
    name: 'eth_createAccessList',
    params: ['transaction', 'block', 'stateOverride', 'blockOverride'],
    says: 'accounts and slots that the transaction names, and its gas with that list; likewise',
    run: createAccessList,
    readsCall: true,
  },
  {
    name: 'eth_simulateV1',
    params: ['blocks', 'block'],
    says: 'blocks of calls, each on the state that those before have left; likewise; roots are zero unless the state is small and all here',
    run: simulateV1,
  },
  {
    name: 'eth_callMany',
    params: ['bundles', 'context', 'stateOverride', 'timeoutMs'],
    says: 'likewise; one evolving state, begun inside of a block by `transactionIndex`',
    run: runCallMany,
  },
  {
    name: 'eth_callBundle',
    params: ['bundle'],
    says: 'what signed transactions come to in block `blockNumber` on the state after `stateBlockNumber`; likewise; `stateDiff` tells what each changes',
    run: runBundle,
  },
  {
    name: 'base_meterBundle',
    params: ['bundle'],
    says: "gas and microseconds of signed transactions in the block behind `pending`, as Base's node tells them; fees at the most that they pay; no state root is made, its time is 0",
    run: meterBundle,
  },
  {
    name: 'debug_traceCall',
    params: ['transaction', 'block', 'config'],
    says: "a call as [a tracer](#traces) hears it, at any kept state, `pending` too; `stateOverrides`, `blockOverrides` and `txIndex` in its configuration; the node's turn as with eth_call",
    run: traceCall,
  },
  {
    name: 'debug_traceTransaction',
    params: ['hash', 'config'],
    says: 'a transaction, from its pre-confirmation on, by executing its block again up to it',
    run: traceTransaction,
  },
  {
    name: 'debug_traceBlockByNumber',
    params: ['block', 'config'],
    says: 'all transactions of a block, pre-confirmed ones too',
    run: traceBlockByNumber,
  },
  { name: 'debug_traceBlockByHash', params: ['hash', 'config'], says: 'likewise', run: traceBlockByHash },
  {
    name: 'eth_getStorageValues',
    params: ['slotsByAddress', 'block'],
    says: 'up to 1024 slots at once',
    run: getStorageValues,
  },
  {
    name: 'eth_getAccountInfo',
    params: ['address', 'block'],
    says: 'balance, nonce and code at once',
    run: getAccountInfo,
  },
  { name: 'eth_chainId', params: [], says: 'chain id', run: chainId },
  { name: 'net_version', params: [], says: 'chain id, in decimal', run: netVersion },
  { name: 'net_peerCount', params: [], says: "the upstream node's peers on a live chain, else none", run: peerCount },
  { name: 'net_listening', params: [], says: 'true', run: () => 'true' },
  { name: 'eth_config', params: [], says: 'forks in force, next and last (EIP-7910)', run: config },
  { name: 'eth_capabilities', params: [], says: 'blocks whose state, receipts and logs are here', run: capabilities },
  { name: 'eth_blockNumber', params: [], says: 'number of the latest block', run: blockNumber },
  {
    name: 'eth_getBlockByNumber',
    params: ['block', 'fullTransactions'],
    says: 'a pre-confirmed block by its number, too',
    run: getBlockByNumber,
  },
  { name: 'eth_getBlockByHash', params: ['hash', 'fullTransactions'], says: '', run: getBlockByHash },
  {
    name: 'eth_getBlockAccessList',
    params: ['block'],
    says: 'what the block has read and written (EIP-7928), from Amsterdam on; null of a pre-confirmed one',
    run: getBlockAccessList,
  },
  { name: 'eth_getBlockReceipts', params: ['block'], says: '', run: getBlockReceipts },
  { name: 'eth_getBlockTransactionCountByNumber', params: ['block'], says: '', run: getBlockTransactionCountByNumber },
  { name: 'eth_getBlockTransactionCountByHash', params: ['hash'], says: '', run: getBlockTransactionCountByHash },
  {
    name: 'eth_getTransactionByHash',
    params: ['hash'],
    says: 'from the pre-confirmation on; before, what waits in the pool of the dev chain',
    run: getTransactionByHash,
  },
  {
    name: 'eth_getTransactionBySenderAndNonce',
    params: ['address', 'nonce'],
    says: 'complete, pre-confirmed, waiting in the pool of the dev chain, or [on its way](#what-is-on-its-way); null where the nonce is not used, or by no transaction; what lies further back is asked of the node, which may not know the method',
    run: getTransactionBySenderAndNonce,
  },
  {
    name: 'eth_getTransactionReceipt',
    params: ['hash'],
    says: 'from the pre-confirmation on: number and place as they will be, the zero hash for the block',
    run: getTransactionReceipt,
  },
  {
    name: 'eth_getTransactionByBlockNumberAndIndex',
    params: ['block', 'index'],
    says: '',
    run: getTransactionByBlockNumberAndIndex,
  },
  {
    name: 'eth_getTransactionByBlockHashAndIndex',
    params: ['hash', 'index'],
    says: '',
    run: getTransactionByBlockHashAndIndex,
  },
  { name: 'eth_getRawTransactionByHash', params: ['hash'], says: '', run: getRawTransactionByHash },
  { name: 'debug_getRawTransaction', params: ['hash'], says: 'the same', run: getRawTransactionByHash },
  { name: 'debug_getRawHeader', params: ['block'], says: 'RLP; of complete blocks', run: getRawHeader },
  { name: 'debug_getRawBlock', params: ['block'], says: 'likewise', run: getRawBlock },
  {
    name: 'debug_getRawReceipts',
    params: ['block'],
    says: 'likewise, as their root is made of them',
    run: getRawReceipts,
  },
  {
    name: 'eth_getRawTransactionByBlockNumberAndIndex',
    params: ['block', 'index'],
    says: '',
    run: getRawTransactionByBlockNumberAndIndex,
  },
  {
    name: 'eth_getRawTransactionByBlockHashAndIndex',
    params: ['hash', 'index'],
    says: '',
    run: getRawTransactionByBlockHashAndIndex,
  },
  { name: 'eth_getUncleCountByBlockNumber', params: ['block'], says: '', run: getUncleCountByBlockNumber },
  { name: 'eth_getUncleCountByBlockHash', params: ['hash'], says: '', run: getUncleCountByBlockHash },
  {
    name: 'eth_getUncleByBlockNumberAndIndex',
    params: ['block', 'index'],
    says: '',
    run: getUncleByBlockNumberAndIndex,
  },
  { name: 'eth_getUncleByBlockHashAndIndex', params: ['hash', 'index'], says: '', run: getUncleByBlockHashAndIndex },
  {
    name: 'eth_getLogs',
    params: ['filter'],
    says: '`toBlock: "pending"` adds pre-confirmed logs; from `pending` on there are no others',
    run: getLogs,
  },
  { name: 'eth_newFilter', params: ['filter'], says: '', run: newFilter },
  { name: 'eth_newBlockFilter', params: [], says: '', run: newBlockFilter },
  {
    name: 'eth_newPendingTransactionFilter',
    params: ['fullTransactions'],
    says: 'pre-confirmed transactions',
    run: newPendingTransactionFilter,
  },
  { name: 'eth_getFilterChanges', params: ['id'], says: '', run: getFilterChanges },
  { name: 'eth_getFilterLogs', params: ['id'], says: '', run: getFilterLogs },
  { name: 'eth_uninstallFilter', params: ['id'], says: '', run: uninstallFilter },
  {
    name: 'eth_subscribe',
    params: ['topic', 'parameter', 'from'],
    says: 'over WebSocket: [the topics](push/README.md)',
    run: subscribe,
  },
  { name: 'eth_unsubscribe', params: ['id'], says: '', run: unsubscribe },
  { name: 'eth_gasPrice', params: [], says: '', run: gasPrice },
  { name: 'eth_maxPriorityFeePerGas', params: [], says: '', run: maxPriorityFeePerGas },
  { name: 'eth_baseFee', params: [], says: 'base fee of the next block', run: nextBlockBaseFee },
  { name: 'eth_blobBaseFee', params: [], says: '', run: nextBlobBaseFee },
  {
    name: 'eth_feeHistory',
    params: ['blockCount', 'newestBlock', 'percentiles'],
    says: 'ends with the pre-confirmed block at `pending`',
    run: feeHistory,
  },
  { name: 'web3_clientVersion', params: [], says: '', run: clientVersion },
  { name: 'web3_sha3', params: ['data'], says: 'Keccak-256', run: sha3 },
  { name: 'rpc_modules', params: [], says: '', run: (_args, _readView, parts) => JSON.stringify(modules(parts)) },
  { name: 'eth_syncing', params: [], says: 'false', run: () => 'false' },
  {
    name: 'eth_accounts',
    params: [],
    says: "the dev chain's, whose keys its start shows, and for which it signs; else none",
    run: accounts,
  },
  {
    name: 'eth_sendRawTransaction',
    params: ['bytes'],
    says: 'on the dev chain, and with `--passthrough` on a live one',
    run: sendRawTransaction,
    needsSubmit: true,
  },
  {
    name: 'eth_sendRawTransactionSync',
    params: ['bytes', 'timeoutMs'],
    says: 'the receipt, once it is told',
    run: sendRawTransactionSync,
    needsSubmit: true,
  },
  {
    name: 'eth_fillTransaction',
    params: ['transaction'],
    says: 'it with the nonce, gas and fees at `pending` that it lacks, all from one version, and its bytes without a signature',
    run: fillTransaction,
  },
  {
    name: 'eth_sendTransaction',
    params: ['transaction'],
    says: 'on the dev chain: filled in likewise, signed for one of `eth_accounts`, and sent: its hash',
    run: sendTransaction,
    needsSubmit: true,
    isDevOnly: true,
  },
  {
    name: 'eth_sign',
    params: ['address', 'bytes'],
    says: 'on the dev chain: the signature of a message (EIP-191) by one of `eth_accounts`',
    run: sign,
    isDevOnly: true,
  },
  {
    name: 'personal_sign',
    params: ['bytes', 'address', 'password'],
    says: 'likewise; a password is not looked at',
    run: personalSign,
    isDevOnly: true,
  },
  {
    name: 'eth_signTypedData_v4',
    params: ['address', 'typedData'],
    says: 'likewise, of typed structured data (EIP-712)',
    run: signTypedData,
    isDevOnly: true,
  },
  {
    name: 'prestate_sends',
    params: ['filter'],
    says: 'with `--count-own-sends`: [what became of transactions](#what-is-on-its-way) that went through here',
    run: prestateSends,
  },
  {
    name: 'evm_snapshot',
    params: [],
    says: 'on the dev chain: id of a snapshot of `pending`, whose block is sealed where it has transactions',
    run: snapshot,
    needsSubmit: true,
    isDevOnly: true,
  },
  {
    name: 'evm_revert',
    params: ['id'],
    says: 'on the dev chain: true once the chain ends with that block again, and what came since is gone, later snapshots and this one included; false where there is none; an error where that was 128 blocks ago',
    run: revert,
    needsSubmit: true,
    isDevOnly: true,
  },
];

/** The methods that are served; those that need transactions return an explaining error if the chain accepts none. */
export function methodsWith(deps: TableDeps): Method[] {
  return servedOn(deps).map((row) => methodOf(row, deps));
}

function servedOn({ snapshots }: TableDeps): readonly MethodRow<TableDeps>[] {
  return METHODS.filter(({ isDevOnly }) => isDevOnly !== true || snapshots !== null);
}

/** The namespaces of the methods, each with the version that go-ethereum reports for all of its own. */
function modules(deps: TableDeps): Record<string, string> {
  const names = servedOn(deps).map(({ name }) => name.slice(0, name.indexOf('_')));
  return Object.fromEntries(names.toSorted().map((name) => [name, '1.0']));
}
