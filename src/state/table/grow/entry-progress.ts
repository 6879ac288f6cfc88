// Progress of the copy of one kind's entries.
import type { EntryKind } from '../write/entry-writer.js';
import type { Table } from '../layout/table.js';

/** The cursor of one copy in the entries of its source. */
export class EntryProgress {
  readonly kind: EntryKind;
  /** First word of the next entry, and of what follows the last one. */
  next: number;
  readonly end: number;
  /** Entries before `next` that were written since they were copied. */
  readonly dirty = new Set<number>();

  constructor(source: Table, kind: EntryKind) {
    this.kind = kind;
    this.next = source.regions[kind.name];
    this.end = this.next + source.capacities[kind.name] * kind.words;
  }

  /** Buckets that are still to be copied. */
  get left(): number {
    return (this.end - this.next) / this.kind.words + this.dirty.size;
  }
}
