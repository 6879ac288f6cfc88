// Builds the pool of estimator threads as configured.
import { readsFromUpstream } from '../config/config.js';
import type { KernelMismatch } from '../evm/kernel/kernel-mismatch.js';
import { workerFileUrl } from '../lib/threads/worker-file.js';
import { LIMITS } from '../limits/index.js';
import { ShadowSampler } from '../pool/shadow-sampler.js';
import type { EstimatorData } from '../pool/threads/estimator-program.js';
import { WorkerPool } from '../pool/worker-pool.js';
import type { PublisherStartResult } from '../publisher/publisher-host.js';
import { TableReader } from '../state/table/read/table-reader-and-snapshot.js';
import type { EngineContext } from './engine-context.js';

export async function startEstimators(
  context: EngineContext,
  ready: PublisherStartResult,
  dataDir: string,
): Promise<WorkerPool> {
  const { workers, log } = context.deps;
  const workerData = (takesLong: boolean): EstimatorData => ({
    chain: ready.chain.chain,
    dataDir: readsFromUpstream(context.config) ? null : dataDir,
    kernel: context.kernelSettings,
    estimateMode: context.config['estimate-mode'],
    takesLong,
  });
  const pool = await WorkerPool.start(
    { workers, workerFile: workerFileUrl('estimator'), workerData },
    {
      ...shadowSampler(context),
      ledger: context.ledger,
      onMessage: ({ message }) => context.damage.add(message),
      pinOn: ({ buffer }) => new TableReader(buffer).acquirePin(),
      onFailure: (error) => log.error({ reason: error.message }, 'an estimator died and is replaced'),
    },
  );
  context.stops.push(async () => {
    await pool.drain(LIMITS.shutdownMsMax);
    await pool.close();
  });
  return pool;
}

function shadowSampler(context: EngineContext): { readonly sampler?: ShadowSampler } {
  const { kernel, 'kernel-check': share } = context.config;
  if (kernel === 'off' || share === 0) return {};
  const onMismatch = (mismatch: KernelMismatch): void =>
    context.deps.log.error(mismatch, 'the kernel and the reference differ');
  return { sampler: new ShadowSampler(share, { counters: context.telemetry.kernel, onMismatch }) };
}
