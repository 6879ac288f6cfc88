// Copies of words that another thread may be overwriting: the half of a seqlock that depends on the processor. Runs on
// every thread.
//
// The memory order of the shared table, all of it. The one writer stores from left to right, readers load from right to left
// or look again; `!` is a store of `Atomics` on every processor, `~` one that keeps its order (copyIn), `-` a plain one.
//
//   what                stored, in this order                                      who relies on it
//   a value             ~record of the one before, !link, !version, ~payload       entry-reader: version, link, payload, version
//   an added key        !version, !link, ~key, ~payload, !tag                      entry-reader: version, tag, key, as above
//   an entry given up   !reclaimed, !tag                                           who finds no key loads `reclaimed` then
//   a record again      !floor, pins are loaded, !reclaimed, ~record               who has walked along records loads it then
//   a version record    !0, ~fields, !version                                      version-record: version, fields, version
//   a block record      !0, !fields, !ordinal                                      block-chain: fields, ordinal
//   a code              -bytes, -directory, !index, and !version of its account    codes: index or account, then the rest
//   an upper half       -words, !version of its account                            halves: account, then the words
//   a publication       all of the above, !newest                                  readers of `newest`, and all that they find
//   another table       -all of it, !newest, !retired in the one before            a message brings the buffer
//   a pin (by readers)  !pin, then the floor is loaded                             writer: !floor, then pins are loaded
//
// Codes and halves are never written again, so a plain store in front of the word that names them is enough; readers come to
// them by a load of that word. What is written again - entries, records - takes stores that keep their order throughout. Marks
// on links are set and taken by compare-and-exchange: they order nothing. What watchers read of the header may be late.
// src/native/reads/table.h loads in the same order, with fences of C++.
//
// x86 keeps loads in order among each other, and stores too (TSO), so there a plain copy followed by a re-check of the
// version word with Atomics is a correct seqlock; V8 does not move accesses to typed arrays across one another. ARM and
// the like may satisfy a plain load after the re-check: there every word is copied atomically. Gain of the plain copy on
// x86: 8 loads at 0.4 ns instead of 5 ns each. Measure again when V8 inlines Atomics.load.
import { arch } from 'node:os';

/**
 * True if loads keep their order by themselves. A load that no later ordered load may overtake is written
 * `IS_TSO ? words[at]! : Atomics.load(words, at)` where it is hot: as a function it costs 20 ns in a look-up.
 */
export const IS_TSO = arch() === 'x64' || arch() === 'ia32';

/** Copies words out of shared memory, in order with the loads before and after. */
export function copyOut(words: Int32Array, at: number, out: Int32Array, count: number): void {
  if (IS_TSO) for (let i = 0; i < count; i++) out[i] = words[at + i]!;
  else for (let i = 0; i < count; i++) out[i] = Atomics.load(words, at + i);
}

/** Copies the eight words of a payload out of shared memory; unrolled, which takes a third of the time off it. */
export function copyPayload(words: Int32Array, at: number, out: Int32Array): void {
  if (!IS_TSO) {
    copyOut(words, at, out, 8);
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

/** Copies words into shared memory, in order with the stores before and after. */
export function copyIn(words: Int32Array, at: number, values: Int32Array | Uint32Array, count: number): void {
  if (IS_TSO) for (let i = 0; i < count; i++) words[at + i] = values[i]!;
  else for (let i = 0; i < count; i++) Atomics.store(words, at + i, values[i]!);
}
