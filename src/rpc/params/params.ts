// The parameters of a call as values. Long strings stay where they are, in the body: text that becomes bytes needs to be no
// string, and memory for one, fresh from the system, costs more than all the rest. Runs on main.

// Decision (2026-11, two cores): Long strings stay in the body (`params.ts`, `src/rpc/decode/unhex.ts`). Both forms by turns: a
// call with 100 KiB of data takes 0.46 ms of main instead of 0.92 and 1.1 ms in all instead of 1.6, a raw transaction of 128 KiB
// 1.0 instead of 1.6, overrides with 20 codes of 24 KiB 4.6 instead of 11, 2.4 MB of data 23 instead of 86. Memory that was used
// again for their bytes took 1 % off that, and had to be given back by whoever answers. Price: 190 lines with their fuzzer.

/** Strings shorter than this are parsed with the rest. */
const LONG_BYTES_MIN = 16 * 1024;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Begins the string that stands for a long one. No text without escapes has it: JSON allows no control characters. */
const MARK = '\0';

/** Parsed JSON; some of its strings stand for long ones. */
export interface Params {
  readonly values: unknown;
  readonly long: LongStrings;
}

/** The long strings of some parameters, as their bytes in the body: valid as long as that is. */
export class LongStrings {
  static readonly none = new LongStrings([]);
  readonly #texts: readonly Uint8Array[];

  constructor(texts: readonly Uint8Array[]) {
    this.#texts = texts;
  }

  /** The UTF-8 of the string that `value` stands for; `null` where it stands for itself. */
  textOf(value: unknown): Uint8Array | null {
    if (this.#texts.length === 0 || typeof value !== 'string' || !value.startsWith(MARK)) return null;
    return this.#texts[Number(value.slice(MARK.length))]!;
  }

  /** A copy with memory of its own. */
  copy(): LongStrings {
    return this.#texts.length === 0 ? this : new LongStrings(this.#texts.map((text) => new Uint8Array(text)));
  }

  /** `value` with every long string in it as a string. */
  whole(value: unknown): unknown {
    if (this.#texts.length === 0) return value;
    if (Array.isArray(value)) return value.map((item) => this.whole(item));
    if (typeof value !== 'object' || value === null) return this.#text(value);
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.#text(name), this.whole(item)]));
  }

  #text(value: unknown): unknown {
    const text = this.textOf(value);
    return text === null ? value : utf8(text);
  }
}

/** `json`: UTF-8 that the decoder has found well-formed; borrowed. Empty text is null. */
export function parseParams(json: Uint8Array): Params {
  if (json.length === 0) return { values: null, long: LongStrings.none };
  if (json.length < LONG_BYTES_MIN || json.includes(BACKSLASH))
    return { values: JSON.parse(utf8(json)), long: LongStrings.none };
  const long: Uint8Array[] = [];
  let rest = '';
  let from = 0;
  for (let open = json.indexOf(QUOTE); open >= 0;) {
    const close = json.indexOf(QUOTE, open + 1);
    if (close - open > LONG_BYTES_MIN) {
      rest += `${utf8(json.subarray(from, open))}"\\u0000${long.length}"`;
      long.push(json.subarray(open + 1, close));
      from = close + 1;
    }
    open = json.indexOf(QUOTE, close + 1);
  }
  return { values: JSON.parse(rest + utf8(json.subarray(from))), long: new LongStrings(long) };
}

function utf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}
