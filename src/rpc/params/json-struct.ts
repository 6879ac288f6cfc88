// Types of JSON objects in parameters: which members an object type has, and under which names they are accepted.

// In filters, overrides, bundles, contexts and EIP-1898's objects, an unknown member is refused, and the error names
// it. Member names are case-insensitive, as in Go's decoder. Block overrides may use the names of go-ethereum, Erigon
// and alloy. See DECISIONS.md.

export type StructFields = Readonly<Record<string, unknown>>;

/** Where a value is in the parameters, for error messages: a whole parameter, or a member of an object in it. */
export interface ParamPath {
  readonly index: number;
  /** Name of the member in the error message, for example `TransactionArgs.gas`. */
  readonly field?: string;
}

/** What this file needs of `RpcArguments`: reading an object and reporting an error. */
interface Reader {
  object(value: unknown, type: string, path: ParamPath): StructFields;
  fail(message: string): void;
}

/** A type of JSON object: its members, and whether others are allowed. */
export interface JsonStruct {
  /** Name of the type in go-ethereum for error messages, for example `ethapi.TransactionArgs`. */
  readonly type: string;
  /**
   * Maps each accepted name to the member's own name. Accepted are its own name, its aliases, and all of these in lower
   * case.
   */
  readonly names: ReadonlyMap<string, string>;
  /**
   * True if unknown members are ignored. Otherwise they are refused, because an unknown member may be a misspelt one.
   */
  readonly isOpen: boolean;
}

/** Creates an object type that refuses unknown members. `others` maps aliases to member names. */
export function closedStruct(
  type: string,
  members: readonly string[],
  others: Readonly<Record<string, string>> = {},
): JsonStruct {
  const names = [...members.map((name) => [name, name] as const), ...Object.entries(others)];
  const small = names.map(([name, member]) => [name.toLowerCase(), member] as const);
  return { type, names: new Map([...small, ...names]), isOpen: false };
}

/** Creates an object type that ignores unknown members. */
export function lenientStruct(type: string, members: readonly string[]): JsonStruct {
  return { ...closedStruct(type, members), isOpen: true };
}

/** Returns the members of a JSON object, keyed by their own names. Names are case-insensitive, as in Go's decoder. */
export function readStructMembers(args: Reader, value: unknown, struct: JsonStruct, path: ParamPath): StructFields {
  const fields = args.object(value, struct.type, path);
  for (const name in fields) {
    const isOwn = struct.names.get(name) === name;
    if (!isOwn && !(struct.isOpen && memberNamed(name, struct) === undefined))
      return renamed(args, fields, struct, path);
  }
  return fields;
}

function memberNamed(name: string, { names }: JsonStruct): string | undefined {
  return names.get(name) ?? names.get(name.toLowerCase());
}

/**
 * Returns the members under their main names. The client may have used an alias or the lower-case form of a name. A
 * member that occurs twice is refused, because it is unclear which value is meant.
 */
function renamed(args: Reader, fields: StructFields, struct: JsonStruct, { index }: ParamPath): StructFields {
  const members: Record<string, unknown> = {};
  const refuse = (what: string, name: string): void =>
    args.fail(`invalid argument ${index}: json: ${what} field ${JSON.stringify(name)}`);
  for (const [name, value] of Object.entries(fields)) {
    const member = memberNamed(name, struct);
    if (member === undefined && !struct.isOpen) refuse('unknown', name);
    if (member === undefined) continue;
    if (Object.hasOwn(members, member)) refuse('duplicate', name);
    members[member] = value;
  }
  return members;
}
