// Copies words of shared memory that another thread may be overwriting. This is the part of a seqlock (a lock-free read
// that is repeated if it was disturbed) that depends on the processor.
//
// The table below is the complete memory order of the shared state table. For each kind of write, it lists the items in
// the order in which the only writer stores them, from left to right. Readers load them from right to left, or retry.
// `!` is a store with `Atomics` on every processor, `~` a store that keeps its order (copyToShared), `-` a plain store.
// The items are fields of entries, of records and of the header: see table-layout.ts. A pin is the oldest state version
// that its reader needs; `floor` is the lowest version that may still be pinned. A high half is the upper 128 bits of a
// balance.
//
//   what             stored, in this order                                who relies on it
//   a value          ~record of the old value, !link, !version, ~payload  entry-reader: version, link, payload, version
//   an added key     !version, !link, ~key, ~payload, !tag                entry-reader: version, tag, key, as above
//   an evicted entry !reclaimed, !tag                                     readers that find no key load `reclaimed`
//   a reused record  !floor, load pins, !reclaimed, ~record               readers load `reclaimed` after the links
//   a version record !0, ~fields, !version                                version-record: version, fields, version
//   a block record   !0, !fields, !ordinal                                block-ring: fields, ordinal
//   a code           -bytes, -directory, !index, !version of its account  codes: index or account, then the rest
//   a high half      -words, !version of its account                      high halves: account, then the words
//   a publication    all of the above, !newest                            readers of `newest`, and all that they find
//   a new table      -all of it, !newest                                  a message passes the buffer
//   a reader's pin   !pin, then load the floor                            writer: !floor, then load pins
//
// Codes and high halves are never overwritten. A plain store is enough for them if it comes before the store of the
// word that refers to them, because readers reach them through that word. Entries and records are overwritten, so they
// use ordered stores throughout. CLOCK_MARK_BIT in a link is set and cleared by atomic operations, on whose order
// nothing relies. Values in the header that are read for monitoring may be stale. src/native/reads/table-reader.h loads
// in the same order, with C++ fences.
//
// x86 does not reorder loads with loads, nor stores with stores (TSO). A plain copy followed by another check of the
// version word with Atomics is therefore a correct seqlock there; V8 does not move accesses to typed arrays across one
// another. ARM and similar processors may execute a plain load after that check, so every word is copied atomically
// there. The plain copy on x86 takes 8 loads of 0.4 ns instead of 5 ns each. Measure again when V8 inlines
// Atomics.load.
import { arch } from 'node:os';

/**
 * True if the processor does not reorder loads. A frequent load that must not be reordered with a later one is written
 * `IS_TSO ? words[at]! : Atomics.load(words, at)`. It is not a function, because that would cost 20 ns per look-up.
 */
export const IS_TSO = arch() === 'x64' || arch() === 'ia32';

/** Copies words out of shared memory. The copy is not reordered with loads before and after it. */
export function copyFromShared(words: Int32Array, at: number, out: Int32Array, count: number): void {
  if (IS_TSO) for (let i = 0; i < count; i++) out[i] = words[at + i]!;
  else for (let i = 0; i < count; i++) out[i] = Atomics.load(words, at + i);
}

/** Copies the eight words of a payload out of shared memory. The loop is unrolled, which saves a third of the time. */
export function copyPayloadFromShared(words: Int32Array, at: number, out: Int32Array): void {
  if (!IS_TSO) {
    copyFromShared(words, at, out, 8);
    return;
  }
  out[0] = words[at]!;
  out[1] = words[at + 1]!;
  out[2] = words[at + 2]!;
  out[3] = words[at + 3]!;
  out[4] = words[at + 4]!;
  out[5] = words[at + 5]!;
  out[6] = words[at + 6]!;
  out[7] = words[at + 7]!;
}

/** Copies words into shared memory. The copy is not reordered with stores before and after it. */
export function copyToShared(words: Int32Array, at: number, values: Int32Array | Uint32Array, count: number): void {
  if (IS_TSO) for (let i = 0; i < count; i++) words[at + i] = values[i]!;
  else for (let i = 0; i < count; i++) Atomics.store(words, at + i, values[i]!);
}
