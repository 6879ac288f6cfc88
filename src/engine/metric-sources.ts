// Connects the metrics with the counters of the engine's components.
import { chainName } from '../chain/known-chains.js';
import type { ChainDescription } from '../chain/chain-description.js';
import type { Config } from '../config/config.js';
import { monotonicMs } from '../lib/clock.js';
import { Histogram } from '../lib/histogram.js';
import type { MetricSources } from '../observe/metrics/metric-definition.js';
import type { JsonRpcService } from '../rpc/json-rpc-service.js';
import type { EngineContext, BuiltComponents } from './engine-context.js';

export function collectMetricSources(
  context: EngineContext,
  { ready, host, current, pool, watches, own }: BuiltComponents,
  { service, http }: { readonly service: JsonRpcService; readonly http: MetricSources['http'] },
): MetricSources {
  return {
    about: { version: context.deps.version, ...chainShown(context.config, ready.chain.chain) },
    workers: context.deps.workers,
    calls: () => service.counts,
    errors: () => service.errors,
    latency: context.telemetry.latency,
    visible: Histogram.in(context.telemetry.visible),
    http,
    answerBytes: () => context.telemetry.answerMemory.bytes,
    push: () => context.telemetry.push,
    ownSends: () => own,
    nodeExecutions: () => context.nodeExecutions.counts,
    pool: () => pool.stats,
    watches: () => watches.counts,
    snapshot: () => current.describe(monotonicMs()),
    publisherRestarts: () => host.restarts,
    kernel: context.telemetry.kernel,
    damagedRecords: () => context.damage.count,
    live: () => context.telemetry.live,
    replication: () => context.telemetry.replication,
    nowMs: monotonicMs,
  };
}

/** Returns the chain's name and id for metrics. The name of a genesis file is not disclosed. */
function chainShown(
  { upstream, genesis, follow }: Config,
  { chainId: id }: ChainDescription,
): Pick<MetricSources['about'], 'chain' | 'chainId'> {
  const chainId = id.toString();
  if (follow !== undefined) return { chainId, chain: `replica of ${chainName(id) ?? 'a chain'}` };
  if (upstream !== undefined) return { chainId, chain: chainName(id) ?? 'live chain' };
  return { chainId, chain: genesis === undefined ? 'dev chain' : 'imported chain' };
}
