// Turns for long answers on their way out: one goes on in each turn of the event loop, in the order in which they asked. So
// other clients are served between two stretches, however many connections take long answers. Runs on main.

/** The answers that have more to send, and connections that take it. */
export class SendTurns {
  readonly #waiting: (() => void)[] = [];

  /** Calls `goOn`, which sends one stretch, in a later turn. */
  later(goOn: () => void): void {
    this.#waiting.push(goOn);
    if (this.#waiting.length === 1) setImmediate(() => this.#next());
  }

  #next(): void {
    const goOn = this.#waiting[0]!;
    goOn();
    this.#waiting.shift();
    if (this.#waiting.length > 0) setImmediate(() => this.#next());
  }
}
