// Reads members of JSON objects in parameters, with go-ethereum's error messages.
import { type RpcArguments, isPresent } from './arguments.js';
import { type StructFields, type ParamPath, type JsonStruct, readStructMembers } from './json-struct.js';

/** A decimal number of at most 63 bits. */
const DECIMAL = /^(0|[1-9][0-9]{0,18})$/;

/** Reads the members of one JSON object. Returns `null` for a member that is missing or null. */
export class FieldReader {
  readonly #args: RpcArguments;
  readonly #fields: StructFields;
  readonly #type: string;
  /** Prefix of member names in error messages. */
  readonly #label: string;
  readonly #index: number;

  /** `value`, which is at `path`, must be an object of this type. */
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

  /** Fails if one of these members is missing. */
  require(...names: readonly string[]): void {
    const missing = names.find((name) => !this.has(name));
    if (missing === undefined) return;
    this.#args.fail(`invalid argument ${this.#index}: missing required field '${missing}' for ${this.#type}`);
  }

  /** A quantity of at most this many bits. */
  quantity(name: string, bits: 64 | 256): bigint | null {
    return this.has(name) ? this.#args.quantity(this.#fields[name], bits, this.#path(name)) : null;
  }

  /** A quantity of at most this many bits, or a JSON number, which is exact up to 2^53. */
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

  /** Bytes of any length. */
  bytes(name: string): Uint8Array | null {
    return this.has(name) ? this.#args.hexBytes(this.#fields[name], this.#path(name)) : null;
  }

  /** 20 bytes. */
  address(name: string): Uint8Array | null {
    if (!this.has(name)) return null;
    return this.#args.fixedBytes(this.#fields[name], 20, 'common.Address', this.#path(name));
  }

  /** 32 bytes. */
  word(name: string): Uint8Array | null {
    if (!this.has(name)) return null;
    return this.#args.fixedBytes(this.#fields[name], 32, 'common.Hash', this.#path(name));
  }

  /** A list of words, 32 bytes each. */
  words(name: string): Uint8Array[] | null {
    if (!this.has(name)) return null;
    const path = this.#path(name);
    const items = this.#args.array(this.#fields[name], '[]common.Hash', path);
    return items.map((item) => this.#args.fixedBytes(item, 32, 'common.Hash', path));
  }

  /** A list of objects of this type, which are parsed by `read`. */
  list<T>(name: string, struct: JsonStruct, read: (item: FieldReader) => T): T[] | null {
    if (!this.has(name)) return null;
    const path = this.#path(name);
    const items = this.#args.array(this.#fields[name], `[]${struct.type}`, path);
    return items.map((item) => read(new FieldReader(this.#args, item, struct, path)));
  }

  /** A JSON boolean; false if it is missing. */
  flag(name: string): boolean {
    return this.has(name) && this.#args.truth(this.#fields[name], this.#path(name));
  }

  /** A count or index: a non-negative integer; 0 if it is missing. */
  count(name: string): number {
    const value = this.#fields[name];
    if (!isPresent(value)) return 0;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    this.#args.fail(`invalid argument ${this.#index}: ${this.#label}.${name} must be a whole number, not below 0`);
    return 0;
  }

  /** The items of an array in their original form; empty if it is missing. */
  items(name: string, type: string): readonly unknown[] {
    return this.has(name) ? this.#args.array(this.#fields[name], type, this.#path(name)) : [];
  }

  /** A member in its original form. */
  value(name: string): unknown {
    return this.#fields[name];
  }

  /** An object that maps block numbers, in decimal or as quantities, to hashes. */
  hashes(name: string): [bigint, Uint8Array][] | null {
    if (!this.has(name)) return null;
    const path = this.#path(name);
    const members = this.#args.object(this.#fields[name], 'map[uint64]common.Hash', path);
    return Object.entries(members).map(([number, hash]) => [
      DECIMAL.test(number) ? BigInt(number) : this.#args.quantity(number, 64, path),
      this.#args.fixedBytes(hash, 32, 'common.Hash', path),
    ]);
  }

  /** An object that maps slots to words. */
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
