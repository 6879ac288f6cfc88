// State made held for a question: what it lacks, and what its call is guessed or said to read besides. Runs on the publisher.
import { mergedWants, NO_WANTS, type Wants } from '../../../state/recording-view.js';
import type { FillPurpose, LiveSink } from '../../feed.js';
import type { Filler } from './filler.js';
import type { ReadPatterns } from './read-patterns.js';

/** Parts that state is made held with. */
export interface FillForParts {
  readonly filler: Filler;
  readonly patterns: ReadPatterns;
  readonly sink: Pick<LiveSink, 'view'>;
}

/**
 * As UpstreamAccess. Guesses and the node's list are fetched too: hints, as both are made for the confirmed state. Rejects with
 * UpstreamError.
 */
export async function fillFor(wants: Wants, purpose: FillPurpose | undefined, parts: FillForParts): Promise<void> {
  const { filler, patterns, sink } = parts;
  const { inputs = null, asked } = purpose ?? {};
  const listing = asked === undefined ? NO_WANTS : filler.listedOfCall(asked);
  const guess = inputs === null ? NO_WANTS : patterns.guess(inputs, wants, sink.view());
  const naming = [...(inputs === null ? [] : [inputs.to]), ...wants.slots.map(({ address }) => address)];
  const named = patterns.named(naming, sink.view());
  // The first key that an execution finds missing is needed, the others may not be: where none has come, that one is refused.
  if (!(await filler.hold(NO_WANTS, mergedWants([wants, guess, named])))) await filler.hold(wants);
  if (inputs !== null) patterns.learn(inputs, wants, sink.view());
  await filler.hold(NO_WANTS, await listing);
}
