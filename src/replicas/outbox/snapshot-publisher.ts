// Makes snapshots for replicas that start: the table at the state version that `latest` reads, in the background, at
// intervals.
import { setImmediate } from 'node:timers/promises';
import { LIMITS } from '../../limits/index.js';
import { BusUnavailableError, type ChainBus } from '../bus/chain-bus.js';
import type { Lease } from '../bus/lease.js';
import { encodeRecord, type StoredSnapshotReference } from '../messages/control-messages-json.js';
import { encodeSnapshot, type SnapshotHead, keyCountOf } from '../messages/snapshot.js';
import type { ReplicationCounts } from '../replication-status.js';
import type { AncestorBlock, CompleteBlock } from '../../state/complete-block.js';
import { NO_STATE_CHANGES, type StateChanges } from '../../state/state-diff.js';
import { VersionNotKept } from '../../state/views/state-miss.js';
import { TableScan } from '../../state/table/table-scan.js';
import { TableReader } from '../../state/table/read/table-reader-and-snapshot.js';

/** A state version, with the sequence number of its message in the stream. */
type SnapshotVersion = Omit<StoredSnapshotReference, 'name'>;

interface SnapshotPublisherDeps {
  readonly bus: ChainBus;
  readonly lease: Lease;
  readonly counts: ReplicationCounts;
  readonly progress: (text: string) => void;
}

/** Makes snapshots, one at a time. */
export class SnapshotPublisher {
  readonly #deps: SnapshotPublisherDeps;
  #newest: SnapshotVersion = { epoch: 0, version: 0, sequence: 0 };
  #atMs = -Infinity;
  #requestedAtMs: number | null = null;
  #running: Promise<void> | null = null;
  #isStopped = false;

  constructor(deps: SnapshotPublisherDeps) {
    this.#deps = deps;
  }

  /** Requests a snapshot. `nowMs` is monotonic; -Infinity means that it is made at once. */
  request(nowMs: number): void {
    this.#requestedAtMs ??= nowMs;
    if (nowMs === -Infinity) this.#requestedAtMs = this.#atMs = nowMs;
  }

  /**
   * Starts a snapshot at state version `base` if one is due and none is being made. `block` is the block of that
   * version, if known.
   */
  consider(buffer: SharedArrayBuffer, base: SnapshotVersion, block: CompleteBlock | null, nowMs: number): void {
    if (this.#running !== null || this.#isStopped || !this.#isDue(base, nowMs)) return;
    this.#requestedAtMs = null;
    this.#atMs = nowMs;
    this.#running = this.#make(buffer, base, block).finally(() => (this.#running = null));
  }

  /** Aborts the current snapshot. It is not awaited, because the server may never respond. */
  stop(): void {
    this.#isStopped = true;
  }

  /**
   * Returns true if a snapshot is due. A second one of the same state version is made only on request, in case the
   * stored object was lost.
   */
  #isDue({ epoch, version }: SnapshotVersion, nowMs: number): boolean {
    const sinceMs = nowMs - this.#atMs;
    if (this.#requestedAtMs !== null) return sinceMs >= LIMITS.replicationSnapshotRequestMs;
    const isNew = epoch !== this.#newest.epoch || version !== this.#newest.version;
    return isNew && sinceMs >= LIMITS.replicationSnapshotMs;
  }

  async #make(buffer: SharedArrayBuffer, base: SnapshotVersion, block: CompleteBlock | null): Promise<void> {
    try {
      await this.#store(buffer, base, block);
    } catch (error) {
      if (!(error instanceof BusUnavailableError || error instanceof VersionNotKept)) throw error;
      this.#requestedAtMs ??= this.#atMs;
      this.#deps.progress(`the snapshot of version ${base.version} could not be stored: ${error.message}`);
    }
  }

  async #store(buffer: SharedArrayBuffer, base: SnapshotVersion, block: CompleteBlock | null): Promise<void> {
    const { bus, counts, lease } = this.#deps;
    const name = nameOf(base);
    const scan = new TableScan(buffer, base.version, LIMITS.replicationSliceSlots);
    try {
      await bus.putObject(name, encodeSnapshot(headOf(buffer, base, block), this.#chunks(scan)));
      // An executor that was deposed meanwhile must not replace what the new leader has stored.
      if (this.#isStopped || !lease.isOurs) return;
      await bus.writeRecord('snapshot', encodeRecord('snapshot', { name, ...base }));
      await bus.keepObjects([name, nameOf(this.#newest)]);
      this.#newest = base;
      counts.snapshots++;
    } finally {
      scan.close();
    }
  }

  /** Yields the table's contents in chunks of several slices. After each slice, the publisher's other tasks can run. */
  async *#chunks(scan: TableScan): AsyncGenerator<StateChanges, void> {
    let chunk: StateChanges = NO_STATE_CHANGES;
    for (const slice of scan.slices) {
      if (this.#isStopped) break;
      chunk = joined(chunk, slice);
      if (keyCountOf(chunk) >= LIMITS.replicationChunkKeys) {
        yield chunk;
        chunk = NO_STATE_CHANGES;
      }
      await setImmediate();
    }
    yield chunk;
  }
}

function joined(a: StateChanges, b: StateChanges): StateChanges {
  return {
    accounts: [...a.accounts, ...b.accounts],
    slots: [...a.slots, ...b.slots],
    codes: [...a.codes, ...b.codes],
  };
}

function nameOf({ epoch, version, sequence }: SnapshotVersion): string {
  return `${epoch}-${version}-${sequence}`;
}

function headOf(
  buffer: SharedArrayBuffer,
  { epoch, version }: SnapshotVersion,
  block: CompleteBlock | null,
): SnapshotHead {
  const reader = new TableReader(buffer);
  const { coordinates, env, heads } = reader.record(version);
  const ancestors = ancestorsOf(reader, version, coordinates.block);
  return { epoch, version, isComplete: reader.isComplete, position: { coordinates, env, heads }, ancestors, block };
}

/** Returns the ancestors whose hashes are known, up to the first gap. */
function ancestorsOf(reader: TableReader, version: number, block: number): AncestorBlock[] {
  const snapshot = reader.snapshot(version);
  const ancestors: AncestorBlock[] = [];
  for (let number = block - 1; number >= Math.max(0, block - LIMITS.blockHashesKept); number--) {
    const hash = snapshot.blockHash(number);
    if (hash === null) break;
    ancestors.unshift({ number, hash, parentHash: snapshot.blockHash(number - 1) ?? new Uint8Array(32) });
  }
  return ancestors;
}
