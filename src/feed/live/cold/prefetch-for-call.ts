// Fetches state for a call: the keys that it misses, the keys that are constants in the code of the accounts involved,
// and the keys in the access list that the node computes for the call.
import { mergedMissingKeys, NO_MISSING_KEYS, type MissingKeys } from '../../../state/views/miss-recording-view.js';
import type { CallToPrefetchFor, LiveSink } from '../../feed.js';
import type { StateFetcher } from './state-fetcher.js';
import type { ConstantKeyCache } from './code-constants-cache.js';

/**
 * Implements UpstreamAccess.fill. Besides `missing`, fetches keys that the call may read: constants in code, and the
 * keys of the node's access list. Rejects with UpstreamError.
 */
export async function prefetchForCall(
  missing: MissingKeys,
  purpose: CallToPrefetchFor | undefined,
  filler: StateFetcher,
  names: ConstantKeyCache,
  sink: Pick<LiveSink, 'view'>,
): Promise<void> {
  const { to = null, call } = purpose ?? {};
  const listing = call === undefined ? NO_MISSING_KEYS : filler.listedOfCall(call);
  const naming = [...(to === null ? [] : [to]), ...missing.slots.map(({ address }) => address)];
  const named = names.of(naming, sink.view());
  // Only the first key in `missing` is certainly needed. So at first all keys are fetched as hints, which the node may
  // refuse. If it provides none of them, `missing` is fetched again as needed keys, so that a refusal is an error.
  if (!(await filler.fetch(NO_MISSING_KEYS, mergedMissingKeys([missing, named])))) await filler.fetch(missing);
  await filler.fetch(NO_MISSING_KEYS, await listing);
}
