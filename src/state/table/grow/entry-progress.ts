// The progress of copying one kind of entries.
import type { EntryKind } from '../write/entry-writer.js';
import type { Table } from '../layout/table.js';

/** The position of a copy in the entries of its source table. */
export class EntryProgress {
  readonly kind: EntryKind;
  /** Word at which the next entry starts, and the word after the last entry. */
  next: number;
  readonly end: number;
  /** Entries before `next` that were written after they were copied, so that they must be copied again. */
  readonly dirty = new Set<number>();

  constructor(source: Table, kind: EntryKind) {
    this.kind = kind;
    this.next = source.regions[kind.name];
    this.end = this.next + source.capacities[kind.name] * kind.words;
  }

  /** Buckets that have not been copied yet. */
  get left(): number {
    return (this.end - this.next) / this.kind.words + this.dirty.size;
  }
}
