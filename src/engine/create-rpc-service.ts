// Builds the JSON-RPC service as configured.
import { TotalAndClientLimit } from '../fairness/total-and-client-limit.js';
import { TimeSlicer } from '../fairness/time-slicer.js';
import { responseConventions, readsFromUpstream, isDevChain } from '../config/config.js';
import { LOADED_NATIVE_PRECOMPILES } from '../evm/precompiles/native-precompiles.js';
import { PreflightEstimates } from '../execution/call/estimate-on-main-thread.js';
import { DEV_ACCOUNT_ADDRESSES } from '../feed/dev/accounts-and-contract-addresses.js';
import { monotonicMs } from '../lib/clock.js';
import { LIMITS } from '../limits/index.js';
import { SLEEP_MECHANISM_NAME } from '../pool/threads/sleep-mechanism.js';
import type { PublisherHost } from '../publisher/publisher-host.js';
import { DevSigner } from '../rpc/call/dev-signer.js';
import { parsePassthroughList } from '../rpc/call/passthrough-filter.js';
import { TransactionSubmitter } from '../rpc/call/submit-transaction.js';
import { createBodyDecoder } from '../rpc/decode/body-decoder.js';
import { bindMethod, createServedMethods, type MethodDeps } from '../rpc/methods/method-functions.js';
import { PolledFilters } from '../rpc/push/polled-filters.js';
import { TraceSubscriptions } from '../rpc/watch/traces-topic.js';
import { BlockJsonCache } from '../rpc/render/block-json-cache.js';
import { RequestLatency } from '../rpc/answer/request-latency.js';
import { JsonRpcService } from '../rpc/json-rpc-service.js';
import type { BackingNode } from '../rpc/view/upstream-node-access.js';
import type { CurrentView } from '../rpc/view/current-table-view.js';
import { CachedBlockFees } from '../rpc/view/cached-block-fees.js';
import type { ReadView } from '../rpc/view/pinned-read-view.js';
import { TipOracle } from '../rpc/view/tip-oracle.js';
import { ArchiveDamage } from '../state/archive/format/archive-damage.js';
import type { EngineContext, BuiltComponents } from './engine-context.js';

/**
 * Creates the service that answers requests, a second one with counters of its own, and the component that submits
 * transactions.
 */
export function createRpcService(
  context: EngineContext,
  built: BuiltComponents,
): { readonly service: JsonRpcService; readonly uncounted: JsonRpcService; readonly sending: TransactionSubmitter } {
  const { config, telemetry, ledger } = context;
  const { host, current, own } = built;
  const { acceptsTransactions } = built.ready.chain;
  const upstream = readsFromUpstream(config) ? backing(host, current) : null;
  const passesOn = parsePassthroughList(config.passthrough ? config['passthrough-methods'] : []);
  const readView = (): ReadView => current.get();
  const sending = new TransactionSubmitter({
    host,
    backing: acceptsTransactions ? null : upstream,
    own,
    readView,
  });
  const terms = {
    ...responseConventions(config),
    backing: upstream,
    onFault: (method: string, fault: unknown) => logFault(context, method, fault),
  };
  const takesTransactions = acceptsTransactions || (upstream !== null && passesOn('eth_sendRawTransaction'));
  const slices = new TimeSlicer(LIMITS.mainSliceMs);
  const shared = { ...terms, slices, readView, sending: takesTransactions ? sending : null };
  const decoder = createBodyDecoder();
  logForms(context, decoder.reason);
  const { answerMemory: memory } = telemetry;
  const callsMax = config['batch-max'];
  const methods = createServedMethods(methodDeps(context, built, shared));
  const deps = { decoder, callsMax, methods, passesOn, sending, terms, readView, memory, slices, ledger };
  const create = (latency: RequestLatency): JsonRpcService => new JsonRpcService({ ...deps, latency });
  return { service: create(telemetry.latency), uncounted: create(new RequestLatency()), sending };
}

/** Logs for each native component whether the native addon or its portable replacement is used. */
function logForms(context: EngineContext, decoder: string): void {
  context.logForm('JSON decoder', { decoder }, decoder.startsWith('simdjson'));
  context.logForm(
    'precompiles',
    { precompiles: LOADED_NATIVE_PRECOMPILES.reason },
    LOADED_NATIVE_PRECOMPILES.reason === 'native',
  );
  context.logForm('estimators sleep', { sleep: SLEEP_MECHANISM_NAME }, SLEEP_MECHANISM_NAME === 'futex');
}

/** Collects the dependencies of the RPC methods. `shared` are those that the service itself needs, too. */
function methodDeps(
  { config, deps, pushEvents: { events }, telemetry, ledger, subscriptions, nodeExecutions }: EngineContext,
  { ready, host, pool, executed, watches, rules, own }: BuiltComponents,
  shared: Pick<
    MethodDeps,
    'slices' | 'readView' | 'sending' | 'backing' | 'defaultBlock' | 'revertErrorCode' | 'receipts' | 'onFault'
  >,
): MethodDeps {
  const { chain } = ready.chain;
  const feeRows = rules.add(new CachedBlockFees(chain));
  const isDev = isDevChain(config);
  const all: MethodDeps = {
    get chain() {
      return rules.chain;
    },
    clientVersion: `prestate/v${deps.version}`,
    snapshots: isDev ? host : null,
    signer: isDev ? new DevSigner(DEV_ACCOUNT_ADDRESSES, host) : null,
    pool,
    preflight: rules.add(new PreflightEstimates(chain)),
    doubt: () => telemetry.doubt,
    executed,
    events,
    subscriptions,
    watches,
    traces: new TraceSubscriptions(),
    filters: new PolledFilters(events, telemetry.push, monotonicMs),
    blocks: new BlockJsonCache(executed),
    feeRows,
    tips: new TipOracle(feeRows, chain),
    logMemory: new TotalAndClientLimit(ledger, 'logBytes', LIMITS.logSearchBytesMax, LIMITS.logSearchBytesPerClientMax),
    gasCap: BigInt(config['gas-cap']),
    timeoutMs: config['estimate-timeout'],
    estimates: config.estimates,
    nodeExecutions,
    ownSends: own,
    methodWith: (row, changed) => bindMethod(row, { ...all, ...changed }),
    ...shared,
  };
  return all;
}

/** Logs an RPC call that ended in an exception. Damage of the archive is logged once, a bug each time. */
function logFault({ damage, deps }: EngineContext, method: string, fault: unknown): void {
  if (fault instanceof ArchiveDamage) damage.add(fault.message);
  else deps.log.error({ method, err: fault }, 'a call failed');
}

function backing(host: PublisherHost, current: CurrentView): BackingNode {
  return {
    fill: (missing, untilMs, purpose) => host.fill(missing, untilMs, purpose),
    request: (method, params, untilMs) => host.request(method, params, untilMs),
    epoch: () => current.epoch,
  };
}
