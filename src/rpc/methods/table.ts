// THE method table: every method served, in one place. Runs on main.
import { getAccountInfo, getBalance, getCode, getStorageAt, getStorageValues, getTransactionCount } from './account.js';
import { blockNumber, getBlockByHash, getBlockByNumber, type BlockParts } from './block.js';
import { capabilities, chainId, clientVersion, config, netVersion, peerCount, sha3, type ChainParts } from './chain.js';
import { call, createAccessList, estimateGas } from './execution.js';
import { gasPrice, maxPriorityFeePerGas, nextBaseFee, nextBlobBaseFee, type FeeParts } from './fee.js';
import { feeHistory, type FeeHistoryParts } from './fee-history.js';
import {
  getFilterChanges,
  getFilterLogs,
  newBlockFilter,
  newFilter,
  newPendingTransactionFilter,
  uninstallFilter,
  type FilterParts,
} from './filter.js';
import { getLogs } from './logs.js';
import { sendRawTransaction, sendRawTransactionSync } from './send.js';
import { callMany, simulateV1, type SequenceParts } from './sequences.js';
import { subscribe, unsubscribe, type SubscriptionParts } from './subscribe.js';
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
  getTransactionReceipt,
  getUncleByBlockHashAndIndex,
  getUncleByBlockNumberAndIndex,
  getUncleCountByBlockHash,
  getUncleCountByBlockNumber,
  type TransactionParts,
} from './transaction.js';

/** Parts of all methods; each file says which of them its own need. */
export type TableParts = BlockParts &
  ChainParts &
  FeeHistoryParts &
  FeeParts &
  FilterParts &
  SequenceParts &
  SubscriptionParts &
  TransactionParts;

/** A row a method: name, most parameters, function. Counters, bounds and both transports follow from it. */
export const METHODS: readonly MethodRow<TableParts>[] = [
  { name: 'eth_getTransactionCount', paramsMax: 2, run: getTransactionCount },
  { name: 'eth_getStorageAt', paramsMax: 3, run: getStorageAt },
  { name: 'eth_getBalance', paramsMax: 2, run: getBalance },
  { name: 'eth_getCode', paramsMax: 2, run: getCode },
  { name: 'eth_estimateGas', paramsMax: 4, run: estimateGas },
  { name: 'eth_call', paramsMax: 4, run: call },
  { name: 'eth_createAccessList', paramsMax: 4, run: createAccessList },
  { name: 'eth_simulateV1', paramsMax: 2, run: simulateV1 },
  { name: 'eth_callMany', paramsMax: 4, run: callMany },
  { name: 'eth_getStorageValues', paramsMax: 2, run: getStorageValues },
  { name: 'eth_getAccountInfo', paramsMax: 2, run: getAccountInfo },
  { name: 'eth_chainId', paramsMax: 0, run: chainId },
  { name: 'net_version', paramsMax: 0, run: netVersion },
  { name: 'net_peerCount', paramsMax: 0, run: peerCount },
  { name: 'net_listening', paramsMax: 0, run: () => 'true' },
  { name: 'eth_config', paramsMax: 0, run: config },
  { name: 'eth_capabilities', paramsMax: 0, run: capabilities },
  { name: 'eth_blockNumber', paramsMax: 0, run: blockNumber },
  { name: 'eth_getBlockByNumber', paramsMax: 2, run: getBlockByNumber },
  { name: 'eth_getBlockByHash', paramsMax: 2, run: getBlockByHash },
  { name: 'eth_getBlockReceipts', paramsMax: 1, run: getBlockReceipts },
  { name: 'eth_getBlockTransactionCountByNumber', paramsMax: 1, run: getBlockTransactionCountByNumber },
  { name: 'eth_getBlockTransactionCountByHash', paramsMax: 1, run: getBlockTransactionCountByHash },
  { name: 'eth_getTransactionByHash', paramsMax: 1, run: getTransactionByHash },
  { name: 'eth_getTransactionReceipt', paramsMax: 1, run: getTransactionReceipt },
  { name: 'eth_getTransactionByBlockNumberAndIndex', paramsMax: 2, run: getTransactionByBlockNumberAndIndex },
  { name: 'eth_getTransactionByBlockHashAndIndex', paramsMax: 2, run: getTransactionByBlockHashAndIndex },
  { name: 'eth_getRawTransactionByHash', paramsMax: 1, run: getRawTransactionByHash },
  { name: 'eth_getRawTransactionByBlockNumberAndIndex', paramsMax: 2, run: getRawTransactionByBlockNumberAndIndex },
  { name: 'eth_getRawTransactionByBlockHashAndIndex', paramsMax: 2, run: getRawTransactionByBlockHashAndIndex },
  { name: 'eth_getUncleCountByBlockNumber', paramsMax: 1, run: getUncleCountByBlockNumber },
  { name: 'eth_getUncleCountByBlockHash', paramsMax: 1, run: getUncleCountByBlockHash },
  { name: 'eth_getUncleByBlockNumberAndIndex', paramsMax: 2, run: getUncleByBlockNumberAndIndex },
  { name: 'eth_getUncleByBlockHashAndIndex', paramsMax: 2, run: getUncleByBlockHashAndIndex },
  { name: 'eth_getLogs', paramsMax: 1, run: getLogs },
  { name: 'eth_newFilter', paramsMax: 1, run: newFilter },
  { name: 'eth_newBlockFilter', paramsMax: 0, run: newBlockFilter },
  { name: 'eth_newPendingTransactionFilter', paramsMax: 1, run: newPendingTransactionFilter },
  { name: 'eth_getFilterChanges', paramsMax: 1, run: getFilterChanges },
  { name: 'eth_getFilterLogs', paramsMax: 1, run: getFilterLogs },
  { name: 'eth_uninstallFilter', paramsMax: 1, run: uninstallFilter },
  { name: 'eth_subscribe', paramsMax: 3, run: subscribe },
  { name: 'eth_unsubscribe', paramsMax: 1, run: unsubscribe },
  { name: 'eth_gasPrice', paramsMax: 0, run: gasPrice },
  { name: 'eth_maxPriorityFeePerGas', paramsMax: 0, run: maxPriorityFeePerGas },
  { name: 'eth_baseFee', paramsMax: 0, run: nextBaseFee },
  { name: 'eth_blobBaseFee', paramsMax: 0, run: nextBlobBaseFee },
  { name: 'eth_feeHistory', paramsMax: 3, run: feeHistory },
  { name: 'web3_clientVersion', paramsMax: 0, run: clientVersion },
  { name: 'web3_sha3', paramsMax: 1, run: sha3 },
  { name: 'rpc_modules', paramsMax: 0, run: () => JSON.stringify(modules()) },
  { name: 'eth_syncing', paramsMax: 0, run: () => 'false' },
  { name: 'eth_accounts', paramsMax: 0, run: () => '[]' },
  { name: 'eth_sendRawTransaction', paramsMax: 1, run: sendRawTransaction, needsSubmit: true },
  { name: 'eth_sendRawTransactionSync', paramsMax: 2, run: sendRawTransactionSync, needsSubmit: true },
];

/** The methods that are served: those that take transactions where the chain does. */
export function methodsWith(parts: TableParts): Method[] {
  const served = METHODS.filter(({ needsSubmit }) => parts.sending !== null || needsSubmit !== true);
  return served.map((row) => methodOf(row, parts));
}

/** The namespaces of the methods, each with the version that go-ethereum gives all of its own. */
function modules(): Record<string, string> {
  const names = METHODS.map(({ name }) => name.slice(0, name.indexOf('_')));
  return Object.fromEntries(names.toSorted().map((name) => [name, '1.0']));
}
