// Finds the state and block environment on which a job runs.
import type { JobReadPosition } from '../../transaction/evm-job.js';
import type { ArchiveReader } from '../../state/archive/reader.js';
import type { ReadWholeState, CallSequenceBase } from '../../execution/call/call-environment.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { LIMITS } from '../../limits/index.js';
import type { Coordinates } from '../../state/state-diff.js';
import { type Snapshot, TableReader } from '../../state/table/read/table-reader-and-snapshot.js';
import type { TableRef } from '../pool-request-types.js';

/** The state and block environment of one state version or archived block. */
export interface StateAtPosition extends Pick<CallSequenceBase, 'view' | 'env' | 'contents'> {
  /** True if absent state is zero. Otherwise reading absent state throws StateMiss. */
  readonly isComplete: boolean;
}

interface OpenTable {
  readonly generation: number;
  readonly reader: TableReader;
  readonly snapshot: Snapshot;
}

/** One thread's access to the state table and the archive. Each call of `at` invalidates the result of the last one. */
export class StateResolver {
  readonly #archive: ArchiveReader | null;
  #open: OpenTable | null = null;

  /** `archive` is `null` if there is no archive. */
  constructor(archive: ArchiveReader | null) {
    this.#archive = archive;
  }

  /**
   * Returns the state at the position; `null` if there is no such block or no table. The main thread pins the version
   * that a job reads until the job is answered. If the version was evicted before it was pinned, this function or a
   * later read of the state throws VersionNotKept.
   */
  at(position: JobReadPosition, table: TableRef | null): StateAtPosition | null {
    if (position.kind === 'archive') return this.#atBlock(position.block);
    return table === null ? null : this.#atVersion(position.version, table);
  }

  /**
   * Releases the archive's read transaction. LMDB itself does so at the next event-loop tick, but an estimator has no
   * tick between two tasks: it would read an old commit, and keep the writer from reusing old pages.
   */
  release(): void {
    this.#archive?.refresh();
  }

  /** Drops everything that belongs to another state table. Returns whether there was anything to drop. */
  switchTo(table: TableRef): boolean {
    if (this.#open === null || this.#open.generation === table.generation) return false;
    const reader = new TableReader(table.buffer);
    this.#switched(reader, reader.newest(), table.generation);
    return true;
  }

  #atBlock(block: number): StateAtPosition | null {
    const view = this.#archive?.viewAt(block) ?? null;
    const env = view === null ? undefined : this.#archive?.record(block)?.env;
    if (view === null || env === undefined) return null;
    return { view, env, isComplete: true, contents: () => view.contents(LIMITS.simulatedRootKeysMax) };
  }

  #atVersion(version: number, table: TableRef): StateAtPosition {
    const { reader, snapshot } = this.#aimed(version, table);
    const { env, coordinates } = reader.record(version);
    const contents: ReadWholeState = () => this.#contentsOf(coordinates);
    return { view: snapshot, env, isComplete: reader.isComplete, contents };
  }

  /**
   * Returns the whole state of a version from the archive; `null` if the state has too many keys, or while the
   * version's block is only pre-confirmed, because the archive does not contain it yet.
   */
  #contentsOf({ block, hash }: Coordinates): ReturnType<ReadWholeState> {
    this.release();
    const view = this.#archive?.viewAt(block) ?? null;
    if (view === null || hash === null || !sameBytes(view.hash, hash)) return null;
    return view.contents(LIMITS.simulatedRootKeysMax);
  }

  /**
   * Moves the snapshot to this version, and returns it with its table. There is only one snapshot object, because the
   * EVMs keep a reference to it from job to job.
   */
  #aimed(version: number, { generation, buffer }: TableRef): OpenTable {
    if (this.#open?.generation !== generation) return this.#switched(new TableReader(buffer), version, generation);
    this.#open.snapshot.aim(version);
    return this.#open;
  }

  #switched(reader: TableReader, version: number, generation: number): OpenTable {
    const snapshot = this.#open?.snapshot ?? reader.snapshot(version);
    reader.move(snapshot, version);
    this.#open = { generation, reader, snapshot };
    return this.#open;
  }
}
