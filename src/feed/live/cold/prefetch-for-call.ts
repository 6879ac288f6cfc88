// Fetches state for a call: what it misses, constants in the code there, and what the node says that the call reads.
import { mergedMissingKeys, NO_MISSING_KEYS, type MissingKeys } from '../../../state/views/miss-recording-view.js';
import type { CallToFetchFor, LiveSink } from '../../feed.js';
import type { StateFetcher } from './state-fetcher.js';
import type { ConstantKeyCache } from './constant-key-cache.js';

interface PrefetchForCallDeps {
  readonly filler: StateFetcher;
  readonly names: ConstantKeyCache;
  readonly sink: Pick<LiveSink, 'view'>;
}

/**
 * See UpstreamAccess. Constants in code and the node's access list are fetched as well; both are hints that are
 * computed for the confirmed state. Rejects with UpstreamError.
 */
export async function prefetchForCall(
  missing: MissingKeys,
  purpose: CallToFetchFor | undefined,
  deps: PrefetchForCallDeps,
): Promise<void> {
  const { filler, names, sink } = deps;
  const { to = null, call } = purpose ?? {};
  const listing = call === undefined ? NO_MISSING_KEYS : filler.listedOfCall(call);
  const naming = [...(to === null ? [] : [to]), ...missing.slots.map(({ address }) => address)];
  const named = names.of(naming, sink.view());
  // The first key that an execution finds missing is certainly needed, the others may not be. If nothing was fetched,
  // the missing keys are fetched alone, and refusing them is an error.
  if (!(await filler.fetch(NO_MISSING_KEYS, mergedMissingKeys([missing, named])))) await filler.fetch(missing);
  await filler.fetch(NO_MISSING_KEYS, await listing);
}
