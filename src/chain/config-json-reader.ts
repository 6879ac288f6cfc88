// Typed access to a JSON object whose numbers may be JSON numbers or strings, which are decimal or hexadecimal (`0x`).

/** One JSON object, and its path for error messages. Every method throws an Error with the path and the reason. */
export class ConfigJsonReader {
  readonly #values: ReadonlyMap<string, unknown>;
  readonly #path: string;

  private constructor(value: unknown, path: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new Error(path === '' ? 'it holds no JSON object' : `${path}: not an object`);
    this.#values = new Map(Object.entries(value));
    this.#path = path;
  }

  static parse(text: string): ConfigJsonReader {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      throw new Error(`it is not JSON (${error instanceof Error ? error.message : 'unreadable'})`, { cause: error });
    }
    return new ConfigJsonReader(value, '');
  }

  /** Returns the names of the members, in the order of the file. */
  names(): string[] {
    return [...this.#values.keys()];
  }

  /** Returns a member that is an object. Throws if it is missing or anything else. */
  object(name: string): ConfigJsonReader {
    return this.optionalObject(name) ?? this.#fail(name, 'missing');
  }

  /** Returns a member that is an object; `null` if it is missing or null. */
  optionalObject(name: string): ConfigJsonReader | null {
    const value = this.#values.get(name) ?? null;
    return value === null ? null : new ConfigJsonReader(value, this.#pathOf(name));
  }

  /** True if the member is `true`; anything else counts as false. */
  isTrue(name: string): boolean {
    return this.#values.get(name) === true;
  }

  /** Returns a member that is an unsigned integer of any size. */
  number(name: string): bigint {
    return this.optionalNumber(name) ?? this.#fail(name, 'missing');
  }

  /** Returns an unsigned integer of any size; `null` if the member is missing, null or an empty string. */
  optionalNumber(name: string): bigint | null {
    const value = this.#values.get(name) ?? null;
    if (value === null || value === '') return null;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
    if (typeof value === 'string' && /^(0x[0-9a-fA-F]+|[0-9]+)$/.test(value)) return BigInt(value);
    return this.#fail(name, 'not a number');
  }

  /** Returns a member that is a safe unsigned integer. */
  integer(name: string): number {
    return this.optionalInteger(name) ?? this.#fail(name, 'missing');
  }

  /** Returns a safe unsigned integer; `null` if the member is missing, null or an empty string. */
  optionalInteger(name: string): number | null {
    const value = this.optionalNumber(name);
    if (value !== null && value > BigInt(Number.MAX_SAFE_INTEGER)) return this.#fail(name, 'too large');
    return value === null ? null : Number(value);
  }

  /**
   * Returns the bytes of a hex string; `null` if the member is missing or null. The string must have `length` bytes; if
   * `length` is `null`, any number of bytes.
   */
  optionalBytes(name: string, length: number | null): Uint8Array | null {
    const value = this.#values.get(name) ?? null;
    return value === null ? null : this.#bytes(name, value, length);
  }

  /** Returns the bytes of a hex string of at most `length` bytes, padded with zeros on the left. */
  optionalWord(name: string, length: number): Uint8Array | null {
    const value = this.#values.get(name) ?? null;
    return value === null ? null : this.#word(name, value, length);
  }

  /** Parses the name of a member as `length` bytes in hex. */
  nameAsBytes(name: string, length: number): Uint8Array {
    return this.#bytes(name, name, length);
  }

  /** Parses the name of a member as a 32-byte word in hex. */
  nameAsWord(name: string): Uint8Array {
    return this.#word(name, name, 32);
  }

  #bytes(name: string, value: unknown, length: number | null): Uint8Array {
    const digits = typeof value === 'string' ? /^(?:0x)?((?:[0-9a-fA-F]{2})*)$/.exec(value)?.[1] : undefined;
    if (digits === undefined) return this.#fail(name, 'not hex bytes');
    if (length !== null && digits.length !== length * 2)
      return this.#fail(name, `${digits.length / 2} bytes instead of ${length}`);
    return new Uint8Array(Buffer.from(digits, 'hex'));
  }

  #word(name: string, value: unknown, length: number): Uint8Array {
    const digits = typeof value === 'string' ? /^(?:0x)?([0-9a-fA-F]*)$/.exec(value)?.[1] : undefined;
    if (digits === undefined || digits.length > length * 2) return this.#fail(name, `not ${length} bytes of hex`);
    return new Uint8Array(Buffer.from(digits.padStart(length * 2, '0'), 'hex'));
  }

  #pathOf(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }

  #fail(name: string, reason: string): never {
    throw new Error(`${this.#pathOf(name)}: ${reason}`);
  }
}
