// Assigns a function to each row of the method table, and selects the methods that are served.
import { METHODS, type MethodName, type MethodRow } from '../../methods.table.js';
import { accountMethods, type AccountDeps } from './account.js';
import { blockMethods, type BlockMethodDeps } from './block.js';
import { chainInfoMethods, type ChainInfoDeps } from './chain-info.js';
import { executionMethods } from './call-and-estimate.js';
import { feeMethods, type FeeDeps } from './suggest-fees.js';
import { feeHistoryMethods, type FeeHistoryDeps } from './fee-history.js';
import { filterMethods, type FilterDeps } from './filter.js';
import { signingMethods, type SigningDeps } from './dev-account-signing.js';
import { fillTransactionMethods, type FillTransactionDeps } from './fill-transaction.js';
import { logMethods } from './logs.js';
import { createOpenRpcDocument } from './discover.js';
import { sendRawTransactionMethods } from './send-raw-transaction.js';
import { rawBlockMethods } from './raw-blocks.js';
import { callSequenceMethods, type CallSequenceDeps } from './call-sequences.js';
import { subscriptionMethods, type SubscriptionDeps } from './subscribe.js';
import { traceMethods } from './debug-trace.js';
import { callTraceMethods } from './trace-call-methods.js';
import { transactionMethods, type TransactionDeps } from './transaction-reads.js';
import type { RpcMethod, MethodFunction } from '../call/method-types.js';

/** The dependencies of all methods. Each file says which of them its own methods use. */
export type MethodDeps = AccountDeps &
  BlockMethodDeps &
  ChainInfoDeps &
  FeeHistoryDeps &
  FeeDeps &
  FillTransactionDeps &
  FilterDeps &
  CallSequenceDeps &
  SigningDeps &
  SubscriptionDeps &
  TransactionDeps;

/** Functions of the methods that read blocks or their transactions. */
const BLOCK_FUNCTIONS = {
  ...blockMethods,
  ...callSequenceMethods,
  ...callTraceMethods,
  ...feeMethods,
  ...feeHistoryMethods,
  ...filterMethods,
  ...logMethods,
  ...rawBlockMethods,
  ...traceMethods,
  ...transactionMethods,
};

/** The function of each method in the table. A table row without a function does not compile. */
export const METHOD_FUNCTIONS: Readonly<Record<MethodName, MethodFunction<MethodDeps>>> = {
  ...BLOCK_FUNCTIONS,
  ...accountMethods,
  ...chainInfoMethods,
  ...executionMethods,
  ...fillTransactionMethods,
  ...sendRawTransactionMethods,
  ...signingMethods,
  ...subscriptionMethods,
  rpc_modules: (_args, _readView, deps) => JSON.stringify(modules(deps)),
  'rpc.discover': (_args, _readView, deps) => discovered(deps),
};

/**
 * Creates the methods that are served. If the chain accepts no transactions, methods that need them return an error
 * that explains this.
 */
export function createServedMethods(deps: MethodDeps): RpcMethod[] {
  return servedOn(deps).map((row) => bindMethod(row, deps));
}

export function bindMethod(row: MethodRow, deps: MethodDeps): RpcMethod {
  const run = METHOD_FUNCTIONS[row.name];
  return {
    ...row,
    paramsMax: row.params.length,
    run: (args, readView, caller) => run(args, readView, deps, caller),
    ...(row.name in BLOCK_FUNCTIONS ? { arrivals: deps.events } : {}),
  };
}

function servedOn({ snapshots }: MethodDeps): readonly MethodRow[] {
  return [...METHODS.values()].filter(({ isDevOnly }) => isDevOnly !== true || snapshots !== null);
}

/** The OpenRPC documents by program version, and by whether they leave out the methods of the dev chain. */
const DOCUMENTS = new Map<string, string>();

function discovered(deps: MethodDeps): string {
  const key = `${deps.clientVersion} ${deps.snapshots === null}`;
  let text = DOCUMENTS.get(key);
  if (text === undefined) {
    text = JSON.stringify(createOpenRpcDocument(servedOn(deps), deps.clientVersion.replace(/^.*v/, '')));
    DOCUMENTS.set(key, text);
  }
  return text;
}

/**
 * Returns the namespaces of the served methods, each with the version 1.0, which go-ethereum reports for all of its
 * own.
 */
function modules(deps: MethodDeps): Record<string, string> {
  const names = servedOn(deps).map(({ name }) => name.split(/[_.]/)[0]!);
  return Object.fromEntries(names.toSorted().map((name) => [name, '1.0']));
}
