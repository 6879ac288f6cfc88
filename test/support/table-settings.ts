// Tables that never rest: after every publication a copy is started, in small slices, and everything evictable is
// evicted. They must behave like other tables.
import type { TableSettings } from '../../src/state/table/writer.js';

/** Small. Blocks of some reorgs one behind the other are kept. */
export const RESTLESS: TableSettings = {
  isEager: true,
  sliceBuckets: 100,
  accounts: 32,
  slots: 32,
  codeBytes: 2 ** 12,
  olderBytes: 2 ** 13,
  versionsKept: 40,
  blocksKept: 8,
};
