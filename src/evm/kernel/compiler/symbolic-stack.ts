// The stack while code is compiled: instructions that only move items cost nothing then. Runs on publisher and estimators.
import { Word } from './word.js';

/** A word and where it belongs. */
export type Placed = readonly [place: number, word: Word];

/** Items by their places: 0 is the top with which the trace begins. */
export class SymbolicStack {
  /** Place of the top. */
  height = 0;
  /** An item that is not here lies in its place in memory. */
  readonly #items = new Map<number, Word>();

  /** The item that lies so many below the top. */
  item(depth: number): Word {
    const place = this.height - depth;
    let word = this.#items.get(place);
    if (word === undefined) this.#items.set(place, (word = Word.at(place)));
    return word;
  }

  push(word: Word): void {
    this.#items.set(++this.height, word);
  }

  drop(count: number): void {
    for (let i = 0; i < count; i++) this.#items.delete(this.height--);
  }

  /** Puts a word in the place of the one that lies so many below the top. */
  replace(depth: number, word: Word): void {
    this.#items.set(this.height - depth, word);
  }

  /** Words that do not lie in memory where they belong, without those among the first `taken` items. */
  moved(taken = 0): Placed[] {
    const most = this.height - taken;
    return [...this.#items].filter(([place, { slot }]) => slot !== place && place <= most);
  }

  /** Words that lie in these places in memory, wherever they belong. */
  lyingIn(places: ReadonlySet<number>): Word[] {
    return [...this.#items.values()].filter(({ slot }) => slot !== null && places.has(slot));
  }
}
