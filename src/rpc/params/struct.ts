// JSON objects in parameters: which members they have, and under which names those are taken. Runs on main.

// Decision (2026-11, two cores): A member that is not known is refused by its name, in filters, overrides, bundles,
// contexts and EIP-1898's objects; letters are taken in either case, as Go's decoder does, and block overrides by the
// names of go-ethereum, Erigon and alloy (`src/rpc/params/struct.ts`). A member that is passed over is a wrong answer
// without a word: the latest block's logs for a `blockhash`, a simulation on another base fee. Transaction objects are
// the exception: clients send whole transactions, with members that no call has. Price: go-ethereum answers where this
// refuses; of a member that is there twice it takes the last.

/** Members by name. */
export type Fields = Readonly<Record<string, unknown>>;

/** Place of a value, for error texts: an argument of its own, or a field of a struct. */
export interface Place {
  readonly index: number;
  /** e.g. `TransactionArgs.gas`. */
  readonly field?: string;
}

/** Parameters that tell an object from what is none, and keep what is wrong with one; see Arguments. */
interface Reader {
  object(value: unknown, type: string, place: Place): Fields;
  fail(message: string): void;
}

/** A type of object. */
export interface Struct {
  /** Name of the type in go-ethereum, for error texts: e.g. `ethapi.TransactionArgs`. */
  readonly type: string;
  /** The name of a member by each that is taken for it: its own, others, and all of them in small letters. */
  readonly names: ReadonlyMap<string, string>;
  /** Other members are passed over; otherwise they are refused: what is not known may be what was meant. */
  readonly isOpen: boolean;
}

/** A type whose other members are refused. `others`: what else a member is called, by that name. */
export function structOf(
  type: string,
  members: readonly string[],
  others: Readonly<Record<string, string>> = {},
): Struct {
  const names = [...members.map((name) => [name, name] as const), ...Object.entries(others)];
  const small = names.map(([name, member]) => [name.toLowerCase(), member] as const);
  return { type, names: new Map([...small, ...names]), isOpen: false };
}

/** A type whose other members are passed over. */
export function openStructOf(type: string, members: readonly string[]): Struct {
  return { ...structOf(type, members), isOpen: true };
}

/** The members of a JSON object by their own names. Letters are taken in either case, as Go's decoder does. */
export function membersOf(args: Reader, value: unknown, struct: Struct, place: Place): Fields {
  const fields = args.object(value, struct.type, place);
  for (const name in fields) {
    const isOwn = struct.names.get(name) === name;
    if (!isOwn && !(struct.isOpen && memberNamed(name, struct) === undefined))
      return renamed(args, fields, struct, place);
  }
  return fields;
}

function memberNamed(name: string, { names }: Struct): string | undefined {
  return names.get(name) ?? names.get(name.toLowerCase());
}

/** A member that is there twice is refused: who reads it cannot know which one is meant. */
function renamed(args: Reader, fields: Fields, struct: Struct, { index }: Place): Fields {
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
