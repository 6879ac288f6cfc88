// Reads the fields of a JSON message that was received and is not trusted. Error messages contain the field's path.
import { isJsonObject } from '../../upstream/transport/parse-rpc-response.js';
import type { SourceEvent } from '../pre-confirmation-stream-events.js';

/** Thrown if a required field is absent or malformed. Caught by `decodeOrGap`. */
export class MalformedMessageError extends Error {}

/** Returns what `decode` returns, or a `gap` event with the reason if the message is malformed. */
export function decodeOrGap<Event>(decode: () => Event): Event | SourceEvent {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof MalformedMessageError)) throw error;
    return malformedMessageGap(error.message);
  }
}

/** Returns the event for a message that cannot be decoded. */
export function malformedMessageGap(reason: string): SourceEvent {
  return { kind: 'gap', block: null, reason };
}

/** Parses a JSON message. Throws MalformedMessageError. */
export function parseMessage(message: Uint8Array): JsonMessageReader {
  const text = Buffer.from(message.buffer, message.byteOffset, message.length).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new MalformedMessageError(`no JSON: ${(error as Error).message}`);
  }
  return new JsonMessageReader('message', value);
}

/** A JSON value, and its path in the message. */
export class JsonMessageReader {
  readonly #path: string;
  readonly #value: unknown;

  constructor(path: string, value: unknown) {
    this.#path = path;
    this.#value = value;
  }

  /** Returns true if the field is present and not null. */
  has(name: string): boolean {
    return this.#get(name) !== undefined;
  }

  /** Returns a reader of a field, which must be an object. */
  fields(name: string): JsonMessageReader {
    const value = this.#get(name);
    if (typeof value !== 'object' || Array.isArray(value)) throw this.#malformed(name, 'an object', value);
    return new JsonMessageReader(this.#pathOf(name), value);
  }

  /** Returns a field, which must be an object, as a plain value. */
  object(name: string): Readonly<Record<string, unknown>> {
    return this.fields(name).#members();
  }

  /** Returns the names of the object's members. */
  names(): readonly string[] {
    return Object.keys(this.#members());
  }

  /** Returns readers of the items of a field, which must be an array. */
  list(name: string): JsonMessageReader[] {
    const value = this.#get(name);
    if (!Array.isArray(value)) throw this.#malformed(name, 'an array', value);
    return value.map((item: unknown, index) => new JsonMessageReader(`${this.#pathOf(name)}[${index}]`, item));
  }

  /** Returns a field, which must be a whole JSON number from 0 to `max`. */
  count(name: string, max: number): number {
    const value = this.#get(name);
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > max)
      throw this.#malformed(name, `a whole number from 0 to ${max}`, value);
    return value;
  }

  /** Returns a field, which must be a hex quantity of at most `bytesMax` bytes. Leading zeros are accepted. */
  quantity(name: string, bytesMax: number): bigint {
    const value = this.#get(name);
    if (typeof value !== 'string' || value.length > 2 + 2 * bytesMax || !/^0x[0-9a-f]+$/i.test(value))
      throw this.#malformed(name, `a hex quantity of at most ${bytesMax} bytes`, value);
    return BigInt(value);
  }

  /** Returns a field, which must be `length` bytes in hex, or any number of bytes if `length` is `null`. */
  bytes(name: string, length: number | null): Uint8Array {
    const bytes = decodeHex(this.#get(name));
    if (bytes === null || (length !== null && bytes.length !== length))
      throw this.#malformed(name, `hex of ${length ?? 'whole'} bytes`, this.#get(name));
    return bytes;
  }

  /** Returns a field, which must be a string. */
  text(name: string): string {
    const value = this.#get(name);
    if (typeof value !== 'string') throw this.#malformed(name, 'a text', value);
    return value;
  }

  /** Returns the error that says why a field is wrong. */
  wrong(name: string, reason: string): MalformedMessageError {
    return new MalformedMessageError(`${this.#pathOf(name)}: ${reason}`);
  }

  /** Returns a field as a lower-case hex string. It must be `length` bytes in hex. */
  hexText(name: string, length: number): string {
    return `0x${Buffer.from(this.bytes(name, length)).toString('hex')}`;
  }

  /** Returns a field as bytes, or `null` if it is not hex. For fields that do not affect correctness. */
  lenientBytes(name: string): Uint8Array | null {
    return decodeHex(this.#get(name));
  }

  /** Returns the value itself, which must be `length` bytes in hex; by default any number of bytes. */
  asBytes(length: number | null = null): Uint8Array {
    const bytes = decodeHex(this.#value);
    if (bytes === null || (length !== null && bytes.length !== length))
      throw new MalformedMessageError(
        `${this.#path} must be hex of ${length ?? 'whole'} bytes, not ${shown(this.#value)}`,
      );
    return bytes;
  }

  #get(name: string): unknown {
    const members = this.#members();
    return (Object.hasOwn(members, name) ? members[name] : undefined) ?? undefined;
  }

  #members(): Readonly<Record<string, unknown>> {
    if (isJsonObject(this.#value)) return this.#value;
    throw new MalformedMessageError(`${this.#path} must be an object, not ${shown(this.#value)}`);
  }

  #pathOf(name: string): string {
    return this.#path === 'message' ? name : `${this.#path}.${name}`;
  }

  #malformed(name: string, wanted: string, value: unknown): MalformedMessageError {
    return new MalformedMessageError(`${this.#pathOf(name)} must be ${wanted}, not ${shown(value)}`);
  }
}

/**
 * Decodes hex; returns `null` if it is malformed. `Buffer.from` stops at the first character that is not a hex digit,
 * so a malformed string is recognized by a result that is too short.
 */
function decodeHex(value: unknown): Uint8Array | null {
  if (typeof value !== 'string' || !value.startsWith('0x') || value.length % 2 !== 0) return null;
  const bytes = Buffer.from(value.slice(2), 'hex');
  // Copied, because Node allocates small Buffers in a shared, larger ArrayBuffer. Posting a Buffer to another thread
  // would send that whole ArrayBuffer.
  return bytes.length * 2 === value.length - 2 ? new Uint8Array(bytes) : null;
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'absent').slice(0, 80);
}
