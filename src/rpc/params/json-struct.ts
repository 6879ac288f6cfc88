// Types of JSON objects in parameters: which members they have, and under which names those are accepted.

// An unknown member of filters, overrides, bundles, contexts and EIP-1898's objects is refused, and the error names it.
// Names are case-insensitive, as in Go's decoder. Block overrides may have the names of go-ethereum, Erigon and alloy.
// See DECISIONS.md.

export type StructFields = Readonly<Record<string, unknown>>;

/** Where a value is, for error messages: a whole parameter, or a field of a struct. */
export interface ParamPath {
  readonly index: number;
  /** For example `TransactionArgs.gas`. */
  readonly field?: string;
}

/** The operations on parameters that are needed here; see `RpcArguments`. */
interface Reader {
  object(value: unknown, type: string, path: ParamPath): StructFields;
  fail(message: string): void;
}

/** A type of object. */
export interface JsonStruct {
  /** Name of the type in go-ethereum for error messages, for example `ethapi.TransactionArgs`. */
  readonly type: string;
  /** The member's own name by each accepted name: its own, its aliases, and all of these in lower case. */
  readonly names: ReadonlyMap<string, string>;
  /** True if other members are ignored. Otherwise they are refused, because an unknown member may be a misspelt one. */
  readonly isOpen: boolean;
}

/** A type whose other members are refused. `others` maps aliases to member names. */
export function closedStruct(
  type: string,
  members: readonly string[],
  others: Readonly<Record<string, string>> = {},
): JsonStruct {
  const names = [...members.map((name) => [name, name] as const), ...Object.entries(others)];
  const small = names.map(([name, member]) => [name.toLowerCase(), member] as const);
  return { type, names: new Map([...small, ...names]), isOpen: false };
}

/** A type whose other members are ignored. */
export function openStruct(type: string, members: readonly string[]): JsonStruct {
  return { ...closedStruct(type, members), isOpen: true };
}

/** The members of a JSON object by their own names. Names are case-insensitive, as in Go's decoder. */
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

/** Renames a member. If it occurs twice, it is refused, because it is unclear which one is meant. */
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
