// A thread that keeps reading the simulated month while its table is written, copied and evicted from.
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { recordDroppedSharedMemory } from '../../src/lib/memory/garbage-collection.js';
import { TableReader } from '../../src/state/table/read/table-reader-and-snapshot.js';
import { MonthOracle } from './month-oracle.js';
import { SlotChecker, type Checks } from './slot-checker.js';

export interface MonthReaderData {
  readonly newSlots: number;
  readonly seed: number;
}

export type ToReader =
  | { readonly kind: 'table'; readonly buffer: SharedArrayBuffer }
  /** The missing state has been requested: the next may be reported. */
  | { readonly kind: 'requested' }
  | { readonly kind: 'stop' };

export type FromReader =
  | { readonly kind: 'missing'; readonly indices: readonly number[] }
  | { readonly kind: 'end'; readonly counts: Checks };

/** Slots read at one version, and versions per event-loop tick. */
const SLOTS = 50;
const VERSIONS = 4;
/** Most slots that are requested together. */
const REQUESTED_MAX = 64;

const port = parentPort!;
const post = (message: FromReader): void => port.postMessage(message);
const { newSlots, seed } = workerData as MonthReaderData;
const checker = new SlotChecker(new MonthOracle(newSlots), newSlots, seed);
const state = { hasTable: false, isStopped: false, mayRequest: true };

port.on('message', (message: ToReader) => {
  switch (message.kind) {
    case 'table':
      if (state.hasTable) recordDroppedSharedMemory(message.buffer.byteLength);
      checker.setTable(new TableReader(message.buffer));
      state.hasTable = true;
      break;
    case 'requested':
      state.mayRequest = true;
      break;
    case 'stop':
      state.isStopped = true;
  }
});

while (!state.isStopped) {
  const missing: number[] = [];
  for (let i = 0; state.hasTable && i < VERSIONS; i++) missing.push(...checker.check(SLOTS));
  if (missing.length > 0 && state.mayRequest) {
    post({ kind: 'missing', indices: missing.slice(0, REQUESTED_MAX) });
    state.mayRequest = false;
  }
  await setImmediate();
}
post({ kind: 'end', counts: checker.counts });
port.close();
