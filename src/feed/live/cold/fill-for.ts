// State made held for a question: what it lacks, what the code there names, and what the node says that its call reads. Runs on the publisher.
import { mergedWants, NO_WANTS, type Wants } from '../../../state/views/recording-view.js';
import type { FillPurpose, LiveSink } from '../../feed.js';
import type { Filler } from './filler.js';
import type { NamedReads } from './named-reads.js';

/** Parts that state is made held with. */
export interface FillForParts {
  readonly filler: Filler;
  readonly names: NamedReads;
  readonly sink: Pick<LiveSink, 'view'>;
}

/**
 * See UpstreamAccess. Reads that code names and the node's list are fetched too: hints, as both are made for the confirmed
 * state. Rejects with UpstreamError.
 */
export async function fillFor(wants: Wants, purpose: FillPurpose | undefined, parts: FillForParts): Promise<void> {
  const { filler, names, sink } = parts;
  const { to = null, asked } = purpose ?? {};
  const listing = asked === undefined ? NO_WANTS : filler.listedOfCall(asked);
  const naming = [...(to === null ? [] : [to]), ...wants.slots.map(({ address }) => address)];
  const named = names.of(naming, sink.view());
  // The first key that an execution finds missing is needed, the others may not be: where none has come, that one is refused.
  if (!(await filler.hold(NO_WANTS, mergedWants([wants, named])))) await filler.hold(wants);
  await filler.hold(NO_WANTS, await listing);
}
