// Tables that never rest: a copy is begun after every publication and made in small slices, and everything is given up that may
// be. What holds of other tables holds of these.
import type { TableSettings } from '../../src/state/table/writer.js';

/** Small. Blocks of some reorgs one behind the other are kept. */
export const RESTLESS: TableSettings = {
  isEager: true,
  slicePlaces: 100,
  accounts: 32,
  slots: 32,
  codeBytes: 2 ** 12,
  olderBytes: 2 ** 13,
  versionsKept: 40,
  blocksKept: 8,
};
