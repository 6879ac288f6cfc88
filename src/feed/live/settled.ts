// Runs something on state that may not be held until nothing is missing any more: each pass finds all that it lacks, and
// one read fetches it. Runs on the publisher.
import { LIMITS } from '../../limits.js';
import type { StateFill } from '../../state/publish.js';
import { isEmpty, mergedWants, RecordingView, type Wants } from '../../state/recording-view.js';
import type { StateView } from '../../state/view.js';
import type { LiveCounts } from './counts.js';
import type { Filler } from './filler.js';
import type { LiveTable } from './live-table.js';

export interface SettledParts {
  readonly table: LiveTable;
  readonly filler: Filler;
  readonly counts: LiveCounts;
}

/** One pass. Whatever it throws while something was missing is the fault of zeros for values. */
export type Pass<T> = (view: StateView) => Promise<{ readonly result: T; readonly changes: StateFill | null }>;

/**
 * The result of the first pass that lacked nothing; what it changes is held too, so that every version has an older
 * value. `view` gives the state that each pass begins with. Rejects with UpstreamError.
 */
export async function settled<T>(view: () => StateView, pass: Pass<T>, parts: SettledParts): Promise<T> {
  for (let round = 0; round < LIMITS.missRoundsMax; round++) {
    const recorder = new RecordingView(view());
    const passed = await attempted(pass, recorder);
    const changed = passed === null || passed.changes === null ? [] : [keysOf(passed.changes)];
    const lacked = parts.table.lacked(mergedWants([recorder.wants, ...changed]));
    if (passed !== null && !recorder.hasMissed && isEmpty(lacked)) return passed.result;
    parts.counts.missPasses++;
    await parts.filler.fill(lacked);
    if (passed !== null && !recorder.hasMissed) return passed.result;
  }
  throw new Error(`state is still missing after ${LIMITS.missRoundsMax} passes`);
}

async function attempted<T>(pass: Pass<T>, recorder: RecordingView): Promise<Awaited<ReturnType<Pass<T>>> | null> {
  try {
    return await pass(recorder);
  } catch (error) {
    if (!recorder.hasMissed) throw error;
    return null;
  }
}

function keysOf({ accounts, slots }: StateFill): Wants {
  return { accounts: accounts.map(({ address }) => address), slots };
}
