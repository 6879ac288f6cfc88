// A terminal with lines that stay and one row at the bottom that is drawn again in place. Runs on main.

/** Begins the row anew and removes what stood there. */
const ERASE_ROW = '\r\u001b[K';

/** Everything written to the terminal passes here, so that lines and the row do not mix. */
export class Screen {
  readonly #write: (text: string) => void;
  #row: string | null = null;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Writes lines above the row. */
  print(lines: string): void {
    if (this.#row === null) this.#write(`${lines}\n`);
    else this.#write(`${ERASE_ROW}${lines}\n${this.#row}`);
  }

  /** Draws the row, which must be narrower than the terminal; `null` removes it. */
  drawRow(row: string | null): void {
    if (row === this.#row) return;
    this.#row = row;
    this.#write(ERASE_ROW + (row ?? ''));
  }
}
