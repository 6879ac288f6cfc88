// Reads of code, as learnt from what it lacked before: slots and called accounts, relative to a transaction's parties and
// call data; and what the code itself names. Guesses for the upstream node's next batch: one that is wrong costs a read, never
// an answer. Runs on the publisher.
import { BoundedCache } from '../../../lib/bounded-cache.js';
import { sameBytes } from '../../../lib/byte-map.js';
import { keccak256 } from '../../../lib/keccak.js';
import { toBigInt, toBytes } from '../../../lib/words.js';
import { LIMITS } from '../../../limits.js';
import { mergedWants, NO_WANTS, RecordingView, type Wants, without } from '../../../state/recording-view.js';
import { EMPTY_CODE_HASH, type StateView } from '../../../state/view.js';
import { latin1 } from '../../../lib/latin1.js';
import { fromHex } from '../../../lib/hex.js';
import type { Inputs } from '../../feed.js';
import { constantsOf, type CodeConstants } from './code-constants.js';

/** A word that is known before anything is read: a party, the account whose storage it is, or a word of the call data. */
type Term = 'from' | 'to' | 'self' | number;

/** A slot `offset` behind the place of the mapping at slot `base`: keccak256(term . base), nested from the first term on. */
interface Shape {
  readonly terms: readonly Term[];
  readonly base: number;
  readonly offset: number;
}

/** All that is known of one code. */
interface CodeReads {
  lessons: number;
  /** Slots of mappings; others as they are, which is of use where further accounts have the code. */
  readonly slots: Map<string, Shape | Uint8Array>;
  /** Accounts that it led to when it was a transaction's recipient: always the same one, or one that the call data names. */
  readonly calls: Map<string, Uint8Array | number>;
}

/** EIP-1967: where a proxy has the address of the code that it runs. */
const IMPLEMENTATION_SLOT = fromHex('0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc');

const LIKENESS_BYTES = 128;
const SELECTOR_BYTES = 4;
const WORD_BYTES = 32;
const ADDRESS_BYTES = 20;
/** Words of the call data that are looked at, and those of them that are taken for keys of a nested mapping. */
const DATA_WORDS_MAX = 6;
/** Slots of mappings that keys are looked for in, one deep and two deep: a hash for each term costs 4 us. */
const BASES = 16;
const NESTED_BASES = 8;
/** Slots of a struct in a mapping. */
const OFFSETS = 8;

/** Codes that are alike are one: such as a factory deploys, which differ in constants alone. So many are remembered as LIMITS says. */
export class ReadPatterns {
  readonly #codes = new BoundedCache<string, CodeReads>(LIMITS.patternCodesMax);
  /** By code hash. */
  readonly #constants = new BoundedCache<string, CodeConstants>(LIMITS.patternCodesMax);

  /**
   * Reads that these inputs make the code do that they lead to, as far as it is known: at most LIMITS.guessesMax slots. `lacked`: what
   * has been found lacking.
   */
  guess(inputs: Inputs, lacked: Wants, view: StateView): Wants {
    const held = new RecordingView(view);
    const calls = [...(this.#of(inputs.to, held)?.calls.values() ?? [])];
    const called = [inputs.to, ...calls.map((call) => addressOf(call, inputs))];
    const accounts = unique([...called, ...lacked.slots.map(({ address }) => address)]);
    const slots = accounts.flatMap((address) => {
      const known = [...(this.#of(address, held)?.slots.values() ?? [])];
      return known.map((slot) => ({ address, slot }));
    });
    const guessed = slots.slice(0, LIMITS.guessesMax).map(({ address, slot }) => {
      return { address, slot: slot instanceof Uint8Array ? slot : placeOf(slot, inputs, address) };
    });
    return { accounts, slots: guessed };
  }

  /** Constants of the code that these accounts run, for the first LIMITS.namingAccountsMax of them: their own, or a proxy's. */
  named(accounts: readonly Uint8Array[], view: StateView): Wants {
    const held = new RecordingView(view);
    const naming = unique(accounts).slice(0, LIMITS.namingAccountsMax);
    return mergedWants(naming.map((address) => this.#namedBy(address, held)));
  }

  /** Learns from `wants`, what an execution with these inputs has lacked, apart from what would be guessed: that is no lesson. */
  learn(inputs: Inputs, wants: Wants, view: StateView): void {
    if (teachesNothing(inputs, wants)) return;
    const { accounts, slots } = without(wants, this.guess(inputs, wants, view));
    if (teachesNothing(inputs, { accounts, slots })) return;
    const held = new RecordingView(view);
    const called = this.#lesson(inputs.to, held);
    if (called !== null) for (const address of accounts) addCall(called, address, inputs);
    const places = new Map<string, { self: Uint8Array; lacked: Uint8Array[] }>();
    for (const { address, slot } of slots) {
      const place = places.get(latin1(address)) ?? { self: address, lacked: [] };
      place.lacked.push(slot);
      places.set(latin1(address), place);
    }
    for (const { self, lacked } of places.values()) {
      const code = sameBytes(self, inputs.to) ? called : this.#lesson(self, held);
      if (called !== null && !sameBytes(self, inputs.to)) addCall(called, self, inputs);
      if (code !== null) addSlots(code, lacked, inputs, self);
    }
  }

  #namedBy(address: Uint8Array, held: StateView): Wants {
    const own = this.#constantsAt(address, held);
    if (own === null) return NO_WANTS;
    const implementation = held.storage(address, IMPLEMENTATION_SLOT).subarray(-ADDRESS_BYTES);
    const run = this.#constantsAt(implementation, held);
    const all = run === null ? [own] : [own, run];
    const slots = all.flatMap((constants) => constants.slots.map((slot) => ({ address, slot })));
    return { accounts: all.flatMap(({ addresses }) => addresses), slots };
  }

  #constantsAt(address: Uint8Array, held: StateView): CodeConstants | null {
    const account = held.account(address);
    if (account === null || sameBytes(account.codeHash, EMPTY_CODE_HASH)) return null;
    const key = latin1(account.codeHash);
    const known = this.#constants.get(key);
    if (known !== undefined) return known;
    const constants = constantsOf(held.code(account.codeHash));
    this.#constants.set(key, constants, 1);
    return constants;
  }

  #of(address: Uint8Array, held: StateView): CodeReads | undefined {
    const likeness = likenessOf(address, held);
    return likeness === null ? undefined : this.#codes.get(likeness);
  }

  /** `null`: there is no code, or it has been learnt from often enough. */
  #lesson(address: Uint8Array, held: StateView): CodeReads | null {
    const likeness = likenessOf(address, held);
    if (likeness === null) return null;
    const code = this.#codes.get(likeness) ?? {
      lessons: 0,
      slots: new Map<string, Shape | Uint8Array>(),
      calls: new Map<string, Uint8Array | number>(),
    };
    if (code.lessons++ === 0) this.#codes.set(likeness, code, 1);
    return code.lessons > LIMITS.patternLessonsMax ? null : code;
  }
}

/** Length and beginning of the code, where its functions are told apart; `null`: there is none. */
function likenessOf(address: Uint8Array, held: StateView): string | null {
  const account = held.account(address);
  if (account === null || sameBytes(account.codeHash, EMPTY_CODE_HASH)) return null;
  const code = held.code(account.codeHash);
  return `${code.length} ${latin1(code.subarray(0, LIKENESS_BYTES))}`;
}

function addCall({ calls }: CodeReads, address: Uint8Array, inputs: Inputs): void {
  if (isParty(address, inputs) || calls.size >= LIMITS.patternsPerCodeMax) return;
  const index = wordsOf(inputs.data).findIndex((word) => sameBytes(word.subarray(-ADDRESS_BYTES), address));
  if (index >= 0) calls.set(String(index), index);
  else calls.set(latin1(address), address);
}

function teachesNothing(inputs: Inputs, { accounts, slots }: Wants): boolean {
  return slots.length === 0 && accounts.every((address) => isParty(address, inputs));
}

function isParty(address: Uint8Array, { from, to }: Inputs): boolean {
  return sameBytes(address, from) || sameBytes(address, to);
}

function addSlots({ slots }: CodeReads, lacked: readonly Uint8Array[], inputs: Inputs, self: Uint8Array): void {
  const places = placesOf(inputs, self);
  for (const slot of lacked) {
    const shape = shapeAt(slot, places);
    if (slots.size >= LIMITS.patternsPerCodeMax) return;
    if (shape === null) slots.set(latin1(slot), slot);
    else slots.set(JSON.stringify(shape), shape);
  }
}

function addressOf(call: Uint8Array | number, { data }: Inputs): Uint8Array {
  return typeof call === 'number' ? wordAt(data, call).slice(-ADDRESS_BYTES) : call;
}

function unique(all: readonly Uint8Array[]): Uint8Array[] {
  return [...new Map(all.map((bytes) => [latin1(bytes), bytes])).values()];
}

function shapeAt(slot: Uint8Array, places: ReadonlyMap<string, Shape>): Shape | null {
  const number = toBigInt(slot);
  for (let offset = 0; offset < OFFSETS; offset++) {
    const shape = places.get(latin1(toBytes(BigInt.asUintN(256, number - BigInt(offset)), WORD_BYTES)));
    if (shape !== undefined) return { ...shape, offset };
  }
  return null;
}

/** Places of mappings that these inputs lead to. */
function placesOf(inputs: Inputs, self: Uint8Array): Map<string, Shape> {
  const terms: Term[] = ['from', 'self', ...wordsOf(inputs.data).keys(), 'to'];
  const places = new Map<string, Shape>();
  const outer: { readonly shape: Shape; readonly place: Uint8Array }[] = [];
  for (const term of terms)
    for (let base = 0; base < BASES; base++) {
      const shape = { terms: [term], base, offset: 0 };
      const place = placeOf(shape, inputs, self);
      if (!places.has(latin1(place))) places.set(latin1(place), shape);
      if (base < NESTED_BASES) outer.push({ shape, place });
    }
  for (const { shape, place } of outer)
    for (const term of terms) {
      const nested = latin1(keccak256(Buffer.concat([wordOf(term, inputs, self), place])));
      if (!places.has(nested)) places.set(nested, { ...shape, terms: [...shape.terms, term] });
    }
  return places;
}

function placeOf({ terms, base, offset }: Shape, inputs: Inputs, self: Uint8Array): Uint8Array {
  let place = toBytes(BigInt(base), WORD_BYTES);
  for (const term of terms) place = keccak256(Buffer.concat([wordOf(term, inputs, self), place]));
  return offset === 0 ? place : toBytes(BigInt.asUintN(256, toBigInt(place) + BigInt(offset)), WORD_BYTES);
}

function wordOf(term: Term, inputs: Inputs, self: Uint8Array): Uint8Array {
  if (typeof term === 'number') return wordAt(inputs.data, term);
  const word = new Uint8Array(WORD_BYTES);
  word.set(term === 'self' ? self : inputs[term], WORD_BYTES - ADDRESS_BYTES);
  return word;
}

function wordsOf(data: Uint8Array): Uint8Array[] {
  const count = Math.min(DATA_WORDS_MAX, Math.floor(Math.max(0, data.length - SELECTOR_BYTES) / WORD_BYTES));
  return Array.from({ length: count }, (_, index) => wordAt(data, index));
}

/** Zeros follow the end. */
function wordAt(data: Uint8Array, index: number): Uint8Array {
  const word = new Uint8Array(WORD_BYTES);
  const start = SELECTOR_BYTES + index * WORD_BYTES;
  word.set(data.subarray(start, start + WORD_BYTES));
  return word;
}
