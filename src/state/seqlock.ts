// Copies words that another thread may be overwriting. This is the part of a seqlock that depends on the processor.
//
// The whole memory order of the shared table is listed here. The one writer stores from left to right; readers load
// from right to left, or retry. `!` is a store with `Atomics` on every processor, `~` one that keeps its order
// (copyToShared), `-` a plain one.
//
//   what             stored, in this order                                who relies on it
//   a value          ~record of the one before, !link, !version, ~payload entry-reader: version, link, payload, version
//   an added key     !version, !link, ~key, ~payload, !tag                entry-reader: version, tag, key, as above
//   an evicted entry !reclaimed, !tag                                     readers that find no key load `reclaimed`
//   a reused record  !floor, load pins, !reclaimed, ~record               readers load `reclaimed` after the links
//   a version record !0, ~fields, !version                                version-record: version, fields, version
//   a block record   !0, !fields, !ordinal                                block-ring: fields, ordinal
//   a code           -bytes, -directory, !index, !version of its account  codes: index or account, then the rest
//   an upper half    -words, !version of its account                      large-balances: account, then the words
//   a publication    all of the above, !newest                            readers of `newest`, and all that they find
//   another table    -all of it, !newest, !retired in the one before      a message passes the buffer
//   a reader's pin   !pin, then load the floor                            writer: !floor, then load pins
//
// Codes and halves are never overwritten, so a plain store before the word that refers to them is enough; readers reach
// them by loading that word. What is overwritten - entries, records - uses ordered stores throughout. Marks on links
// are set and cleared by compare-and-exchange: they order nothing. What monitoring reads of the header may be stale.
// src/native/reads/table-reader.h loads in the same order, with C++ fences.
//
// x86 does not reorder loads with loads, nor stores with stores (TSO), so there a plain copy followed by a re-check of
// the version word with Atomics is a correct seqlock; V8 does not move accesses to typed arrays across one another. ARM
// and the like may satisfy a plain load after the re-check: there every word is copied atomically. Gain of the plain
// copy on x86: 8 loads at 0.4 ns instead of 5 ns each. Measure again when V8 inlines Atomics.load.
import { arch } from 'node:os';

/**
 * True if the processor does not reorder loads. Where a load must come before a later one and is frequent, it is
 * written `IS_TSO ? words[at]! : Atomics.load(words, at)`, because a function would cost 20 ns per look-up.
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
