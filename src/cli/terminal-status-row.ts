// A terminal with permanent lines above one bottom row that is redrawn in place.

/** Escape sequence that returns to the start of the bottom row and erases it. */
const ERASE_ROW = '\r\u001b[K';

/**
 * Writes permanent lines and the bottom row. Everything on the terminal goes through it, so that the two do not mix.
 */
export class TerminalScreen {
  readonly #write: (text: string) => void;
  #row: string | null = null;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Prints lines above the bottom row. */
  print(lines: string): void {
    if (this.#row === null) this.#write(`${lines}\n`);
    else this.#write(`${ERASE_ROW}${lines}\n${this.#row}`);
  }

  /** Draws the bottom row, which must be narrower than the terminal; `null` removes it. */
  drawRow(row: string | null): void {
    if (row === this.#row) return;
    this.#row = row;
    this.#write(ERASE_ROW + (row ?? ''));
  }
}
