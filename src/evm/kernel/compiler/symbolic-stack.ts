// The EVM stack at compile time. An instruction that only moves items changes this model of the stack and emits no
// code.
import { SymbolicWord } from './symbolic-word.js';

/** A word and its position on the EVM stack. */
export type PositionedWord = readonly [position: number, word: SymbolicWord];

/** Stack items by position. Position 0 is the top at the start of the trace. */
export class SymbolicStack {
  /** Position of the current top. */
  height = 0;
  /** An item that is not in this map is in memory at its position. */
  readonly #items = new Map<number, SymbolicWord>();

  /** Returns the item at this depth below the top. */
  item(depth: number): SymbolicWord {
    const position = this.height - depth;
    let word = this.#items.get(position);
    if (word === undefined) this.#items.set(position, (word = SymbolicWord.at(position)));
    return word;
  }

  push(word: SymbolicWord): void {
    this.#items.set(++this.height, word);
  }

  drop(count: number): void {
    for (let i = 0; i < count; i++) this.#items.delete(this.height--);
  }

  replace(depth: number, word: SymbolicWord): void {
    this.#items.set(this.height - depth, word);
  }

  /** Returns the words that are not yet in memory at their positions, except the top `popped` items. */
  moved(popped = 0): PositionedWord[] {
    const most = this.height - popped;
    return [...this.#items].filter(([position, { slot }]) => slot !== position && position <= most);
  }

  /** Returns the words that are stored in memory at these positions, whatever position they have now. */
  lyingIn(positions: ReadonlySet<number>): SymbolicWord[] {
    return [...this.#items.values()].filter(({ slot }) => slot !== null && positions.has(slot));
  }
}
