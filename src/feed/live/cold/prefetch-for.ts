// State made held for a question: what it lacks, what the code there names, and what the node says that its call reads.
import { mergedMissingKeys, NO_MISSING_KEYS, type MissingKeys } from '../../../state/views/recording-view.js';
import type { FetchPurpose, LiveSink } from '../../feed.js';
import type { StateFetcher } from './state-fetcher.js';
import type { NamedKeys } from './named-keys.js';

/** Parts that state is made held with. */
export interface PrefetchDeps {
  readonly filler: StateFetcher;
  readonly names: NamedKeys;
  readonly sink: Pick<LiveSink, 'view'>;
}

/**
 * See UpstreamAccess. Reads that code names and the node's list are fetched too: hints, as both are made for the
 * confirmed state. Rejects with UpstreamError.
 */
export async function prefetchFor(
  wants: MissingKeys,
  purpose: FetchPurpose | undefined,
  deps: PrefetchDeps,
): Promise<void> {
  const { filler, names, sink } = deps;
  const { to = null, call } = purpose ?? {};
  const listing = call === undefined ? NO_MISSING_KEYS : filler.listedOfCall(call);
  const naming = [...(to === null ? [] : [to]), ...wants.slots.map(({ address }) => address)];
  const named = names.of(naming, sink.view());
  // The first key that an execution finds missing is needed, the others may not be: where none has come, that one is
  // refused.
  if (!(await filler.fetch(NO_MISSING_KEYS, mergedMissingKeys([wants, named])))) await filler.fetch(wants);
  await filler.fetch(NO_MISSING_KEYS, await listing);
}
