// Reads members of JSON objects in parameters, with go-ethereum's error messages.
import { type RpcArguments, isPresent } from './arguments.js';
import { type StructFields, type ParamPath, type JsonStruct, readStructMembers } from './json-struct.js';

/** Matches a decimal number of at most 19 digits, which is the length of the largest 63-bit number. */
const DECIMAL = /^(0|[1-9][0-9]{0,18})$/;

/** Reads the members of one JSON object. Returns `null` for a member that is missing or null. */
export class FieldReader {
  readonly #args: RpcArguments;
  readonly #fields: StructFields;
  readonly #type: string;
  /** Prefix for member names in error messages. */
  readonly #label: string;
  readonly #index: number;

  /** `value`, which is at `path` in the parameters, must be an object of type `struct`. */
  constructor(args: RpcArguments, value: unknown, struct: JsonStruct, path: ParamPath) {
    this.#args = args;
    this.#fields = readStructMembers(args, value, struct, path);
    this.#type = struct.type.slice(struct.type.indexOf('.') + 1);
    this.#label = path.field ?? this.#type;
    this.#index = path.index;
  }

  #path(name: string): ParamPath {
    return { index: this.#index, field: `${this.#label}.${name}` };
  }

  /** True if the member is present and not null. */
  has(name: string): boolean {
    return isPresent(this.#fields[name]);
  }

  /** Reports an error if one of these members is missing. */
  require(...names: readonly string[]): void {
    const missing = names.find((name) => !this.has(name));
    if (missing === undefined) return;
    this.#args.fail(`invalid argument ${this.#index}: missing required field '${missing}' for ${this.#type}`);
  }

  /** Reads a quantity of at most `bits` bits. */
  quantity(name: string, bits: 64 | 256): bigint | null {
    return this.has(name) ? this.#args.quantity(this.#fields[name], bits, this.#path(name)) : null;
  }

  /** Reads a quantity of at most `bits` bits, or a JSON number, which is exact up to 2^53. */
  number(name: string, bits: 64 | 256): bigint | null {
    const value = this.#fields[name];
    if (typeof value !== 'number') return this.quantity(name, bits);
    if (Number.isSafeInteger(value) && value >= 0) return BigInt(value);
    const where = `Go struct field ${this.#path(name).field}`;
    this.#args.fail(
      `invalid argument ${this.#index}: json: cannot unmarshal number ${value} into ${where} of type uint64`,
    );
    return 0n;
  }

  /** Reads hex bytes of any length. */
  bytes(name: string): Uint8Array | null {
    return this.has(name) ? this.#args.hexBytes(this.#fields[name], this.#path(name)) : null;
  }

  /** Reads an address of 20 bytes. */
  address(name: string): Uint8Array | null {
    if (!this.has(name)) return null;
    return this.#args.fixedBytes(this.#fields[name], 20, 'common.Address', this.#path(name));
  }

  /** Reads a word of 32 bytes. */
  word(name: string): Uint8Array | null {
    if (!this.has(name)) return null;
    return this.#args.fixedBytes(this.#fields[name], 32, 'common.Hash', this.#path(name));
  }

  /** Reads a list of 32-byte words. */
  words(name: string): Uint8Array[] | null {
    if (!this.has(name)) return null;
    const path = this.#path(name);
    const items = this.#args.array(this.#fields[name], '[]common.Hash', path);
    return items.map((item) => this.#args.fixedBytes(item, 32, 'common.Hash', path));
  }

  /** Reads a list of objects of type `struct`, each of which `read` parses. */
  list<T>(name: string, struct: JsonStruct, read: (item: FieldReader) => T): T[] | null {
    if (!this.has(name)) return null;
    const path = this.#path(name);
    const items = this.#args.array(this.#fields[name], `[]${struct.type}`, path);
    return items.map((item) => read(new FieldReader(this.#args, item, struct, path)));
  }

  /** Reads a JSON boolean; false if the member is missing. */
  flag(name: string): boolean {
    return this.has(name) && this.#args.truth(this.#fields[name], this.#path(name));
  }

  /** Reads a non-negative integer, such as a count or index; 0 if the member is missing. */
  count(name: string): number {
    const value = this.#fields[name];
    if (!isPresent(value)) return 0;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    this.#args.fail(`invalid argument ${this.#index}: ${this.#label}.${name} must be a whole number, not below 0`);
    return 0;
  }

  /** Returns the items of an array as parsed JSON; no items if the member is missing. */
  items(name: string, type: string): readonly unknown[] {
    return this.has(name) ? this.#args.array(this.#fields[name], type, this.#path(name)) : [];
  }

  /** Returns a member as parsed JSON. */
  value(name: string): unknown {
    return this.#fields[name];
  }

  /** Reads an object that maps block numbers, in decimal or as quantities, to block hashes. */
  hashes(name: string): [bigint, Uint8Array][] | null {
    if (!this.has(name)) return null;
    const path = this.#path(name);
    const members = this.#args.object(this.#fields[name], 'map[uint64]common.Hash', path);
    return Object.entries(members).map(([number, hash]) => [
      DECIMAL.test(number) ? BigInt(number) : this.#args.quantity(number, 64, path),
      this.#args.fixedBytes(hash, 32, 'common.Hash', path),
    ]);
  }

  /** Reads an object that maps storage slots to 32-byte words. */
  slots(name: string): [Uint8Array, Uint8Array][] | null {
    if (!this.has(name)) return null;
    const path = this.#path(name);
    const members = this.#args.object(this.#fields[name], 'map[common.Hash]common.Hash', path);
    return Object.entries(members).map(([slot, value]) => [
      this.#args.fixedBytes(slot, 32, 'common.Hash', path),
      this.#args.fixedBytes(value, 32, 'common.Hash', path),
    ]);
  }
}
