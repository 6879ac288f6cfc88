// Table settings under maximum stress: every publication starts a copy in small steps and evicts everything evictable.
// Tables must behave like others.
import type { TableSettings } from '../../src/state/table/writer.js';

/** A small table that retains the blocks of a few successive reorgs. */
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
