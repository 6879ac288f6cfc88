// Reads the fields of a JSON object from outside, each with its path for error messages.
import type { SourceEvent } from '../stream.js';

/** A required field is absent or malformed. Caught where the message is decoded. */
export class Malformed extends Error {}

/** The event of a message, or why it cannot be read. */
export function decoded<Event>(decode: () => Event): Event | SourceEvent {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return gap(error.message);
  }
}

/** The event of a message that cannot be read. */
export function gap(reason: string): SourceEvent {
  return { kind: 'gap', block: null, reason };
}

/** A JSON message. Throws Malformed. */
export function parsed(message: Uint8Array): Fields {
  const text = Buffer.from(message.buffer, message.byteOffset, message.length).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Malformed(`no JSON: ${(error as Error).message}`);
  }
  return Fields.of('message', value);
}

/** A JSON value and its path. */
export class Fields {
  readonly #path: string;
  readonly #value: unknown;

  private constructor(path: string, value: unknown) {
    this.#path = path;
    this.#value = value;
  }

  /** The whole message. */
  static of(name: string, value: unknown): Fields {
    return new Fields(name, value);
  }

  /** The field is there and not null. */
  has(name: string): boolean {
    return this.#get(name) !== undefined;
  }

  /** An object. */
  fields(name: string): Fields {
    const value = this.#get(name);
    if (typeof value !== 'object' || Array.isArray(value)) throw this.#malformed(name, 'an object', value);
    return new Fields(this.#pathOf(name), value);
  }

  /** The object itself. */
  object(name: string): Readonly<Record<string, unknown>> {
    return this.fields(name).#value as Readonly<Record<string, unknown>>;
  }

  /** The names of an object's members. */
  names(): readonly string[] {
    const value = this.#value;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new Malformed(`${this.#path} must be an object, not ${shown(value)}`);
    return Object.keys(value);
  }

  /** An array. */
  list(name: string): Fields[] {
    const value = this.#get(name);
    if (!Array.isArray(value)) throw this.#malformed(name, 'an array', value);
    return value.map((item: unknown, index) => new Fields(`${this.#pathOf(name)}[${index}]`, item));
  }

  /** A JSON number: whole, from 0 to `max`. */
  count(name: string, max: number): number {
    const value = this.#get(name);
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > max)
      throw this.#malformed(name, `a whole number from 0 to ${max}`, value);
    return value;
  }

  /** A hex quantity of at most `bytesMax` bytes; leading zeros do not matter. */
  quantity(name: string, bytesMax: number): bigint {
    const value = this.#get(name);
    if (typeof value !== 'string' || value.length > 2 + 2 * bytesMax || !/^0x[0-9a-f]+$/i.test(value))
      throw this.#malformed(name, `a hex quantity of at most ${bytesMax} bytes`, value);
    return BigInt(value);
  }

  /** Hex of `length` bytes; `null`: of any length. */
  bytes(name: string, length: number | null): Uint8Array {
    const bytes = decodeHex(this.#get(name));
    if (bytes === null || (length !== null && bytes.length !== length))
      throw this.#malformed(name, `hex of ${length ?? 'whole'} bytes`, this.#get(name));
    return bytes;
  }

  /** A string. */
  text(name: string): string {
    const value = this.#get(name);
    if (typeof value !== 'string') throw this.#malformed(name, 'a text', value);
    return value;
  }

  /** The error that a field is wrong for this reason. */
  wrong(name: string, reason: string): Malformed {
    return new Malformed(`${this.#pathOf(name)}: ${reason}`);
  }

  /** Bytes as a lower-case hex string. */
  hexText(name: string, length: number): string {
    return `0x${Buffer.from(this.bytes(name, length)).toString('hex')}`;
  }

  /** Hex of any length, or null for anything else: for a field that nothing depends on. */
  lenientBytes(name: string): Uint8Array | null {
    return decodeHex(this.#get(name));
  }

  /** The value itself as hex of `length` bytes; of any length by default. */
  asBytes(length: number | null = null): Uint8Array {
    const bytes = decodeHex(this.#value);
    if (bytes === null || (length !== null && bytes.length !== length))
      throw new Malformed(`${this.#path} must be hex of ${length ?? 'whole'} bytes, not ${shown(this.#value)}`);
    return bytes;
  }

  #get(name: string): unknown {
    const value = this.#value;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new Malformed(`${this.#path} must be an object, not ${shown(value)}`);
    return (Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined) ?? undefined;
  }

  #pathOf(name: string): string {
    return this.#path === 'message' ? name : `${this.#path}.${name}`;
  }

  #malformed(name: string, wanted: string, value: unknown): Malformed {
    return new Malformed(`${this.#pathOf(name)} must be ${wanted}, not ${shown(value)}`);
  }
}

/** Node stops at the first character that is no hex digit: a short result shows it without a second pass. */
function decodeHex(value: unknown): Uint8Array | null {
  if (typeof value !== 'string' || !value.startsWith('0x') || value.length % 2 !== 0) return null;
  const bytes = Buffer.from(value.slice(2), 'hex');
  // Copied: small buffers share a slab, and all of it would be sent when the bytes are posted to another thread.
  return bytes.length * 2 === value.length - 2 ? new Uint8Array(bytes) : null;
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'absent').slice(0, 80);
}
