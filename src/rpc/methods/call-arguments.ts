// Reads the transaction object and the overrides of eth_call and eth_estimateGas. Runs on main.
import type { AccessListEntry } from '../../chain/access-list.js';
import type { AccountOverride, Authorization, BlockOverride, CallRequest } from '../../transaction/call-request.js';
import { rpcError } from '../../errors.js';
import { LIMITS } from '../../limits.js';
import { type Arguments, given } from './arguments.js';

const ZERO_ADDRESS = new Uint8Array(20);

type Fields = Readonly<Record<string, unknown>>;

/** Reads the members of one JSON object; `null` for a member that is missing or null. */
class FieldReader {
  readonly #args: Arguments;
  readonly #fields: Fields;
  readonly #struct: string;
  readonly #index: number;

  constructor(args: Arguments, fields: Fields, struct: string, index: number) {
    this.#args = args;
    this.#fields = fields;
    this.#struct = struct;
    this.#index = index;
  }

  #place(name: string): { index: number; field: string } {
    return { index: this.#index, field: `${this.#struct}.${name}` };
  }

  has(name: string): boolean {
    return given(this.#fields[name]);
  }

  quantity(name: string, bits: 64 | 256): bigint | null {
    return this.has(name) ? this.#args.quantity(this.#fields[name], bits, this.#place(name)) : null;
  }

  bytes(name: string): Uint8Array | null {
    return this.has(name) ? this.#args.hexBytes(this.#fields[name], this.#place(name)) : null;
  }

  address(name: string): Uint8Array | null {
    if (!this.has(name)) return null;
    return this.#args.fixedBytes(this.#fields[name], 20, 'common.Address', this.#place(name));
  }

  word(name: string): Uint8Array | null {
    if (!this.has(name)) return null;
    return this.#args.fixedBytes(this.#fields[name], 32, 'common.Hash', this.#place(name));
  }

  words(name: string): Uint8Array[] | null {
    if (!this.has(name)) return null;
    const place = this.#place(name);
    const items = this.#args.array(this.#fields[name], '[]common.Hash', place);
    return items.map((item) => this.#args.fixedBytes(item, 32, 'common.Hash', place));
  }

  list<T>(name: string, type: string, read: (item: FieldReader) => T): T[] | null {
    if (!this.has(name)) return null;
    const place = this.#place(name);
    return this.#args.array(this.#fields[name], `[]${type}`, place).map((item) => {
      return read(new FieldReader(this.#args, this.#args.object(item, type, place), type, this.#index));
    });
  }

  /** Members whose names are slots and whose values are words. */
  slots(name: string): [Uint8Array, Uint8Array][] | null {
    if (!this.has(name)) return null;
    const place = this.#place(name);
    const members = this.#args.object(this.#fields[name], 'map[common.Hash]common.Hash', place);
    return Object.entries(members).map(([slot, value]) => [
      this.#args.fixedBytes(slot, 32, 'common.Hash', place),
      this.#args.fixedBytes(value, 32, 'common.Hash', place),
    ]);
  }
}

/** The transaction object at `index`. `chainId` is that of the chain served. */
export function readCall(args: Arguments, index: number, chainId: bigint): CallRequest {
  const fields = args.object(args.required(index), 'ethapi.TransactionArgs', { index });
  const reader = new FieldReader(args, fields, 'TransactionArgs', index);
  const call: CallRequest = {
    from: reader.address('from') ?? ZERO_ADDRESS,
    to: reader.address('to'),
    gas: reader.quantity('gas', 64),
    gasPrice: reader.quantity('gasPrice', 256),
    maxFeePerGas: reader.quantity('maxFeePerGas', 256),
    maxPriorityFeePerGas: reader.quantity('maxPriorityFeePerGas', 256),
    maxFeePerBlobGas: reader.quantity('maxFeePerBlobGas', 256),
    value: reader.quantity('value', 256) ?? 0n,
    data: readData(args, reader),
    accessList: reader.list('accessList', 'types.AccessTuple', readAccessListEntry),
    blobVersionedHashes: reader.words('blobVersionedHashes'),
    authorizationList: reader.list('authorizationList', 'types.SetCodeAuthorization', readAuthorization),
  };
  reader.quantity('nonce', 64);
  if (call.gasPrice !== null && (call.maxFeePerGas !== null || call.maxPriorityFeePerGas !== null)) {
    args.fail('both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified');
  }
  checkChainId(args, reader.quantity('chainId', 256), chainId);
  return call;
}

function readData(args: Arguments, reader: FieldReader): Uint8Array {
  const data = reader.bytes('data');
  const input = reader.bytes('input');
  if (data !== null && input !== null && Buffer.compare(data, input) !== 0) {
    args.fail('both "data" and "input" are set and not equal. Please use "input" to pass transaction call data');
  }
  return input ?? data ?? new Uint8Array();
}

function checkChainId(args: Arguments, have: bigint | null, want: bigint): void {
  if (have === null || have === want) return;
  args.failure ??= rpcError('execution', `chainId does not match node's (have=${have}, want=${want})`);
}

function readAccessListEntry(entry: FieldReader): AccessListEntry {
  return { address: entry.address('address') ?? ZERO_ADDRESS, slots: entry.words('storageKeys') ?? [] };
}

function readAuthorization(entry: FieldReader): Authorization {
  return {
    chainId: entry.quantity('chainId', 256) ?? 0n,
    address: entry.address('address') ?? ZERO_ADDRESS,
    nonce: entry.quantity('nonce', 64) ?? 0n,
    yParity: entry.quantity('yParity', 64) ?? 0n,
    r: entry.quantity('r', 256) ?? 0n,
    s: entry.quantity('s', 256) ?? 0n,
  };
}

/** The state override set at `index`: an object from address to changes. */
export function readStateOverride(args: Arguments, index: number): AccountOverride[] {
  if (!args.has(index)) return [];
  const accounts = args.object(args.required(index), 'override.StateOverride', { index });
  if (countOverrides(accounts) > LIMITS.overridesMax) {
    args.fail(`invalid argument ${index}: too many overrides (max ${LIMITS.overridesMax} accounts and slots)`);
    return [];
  }
  const seen = new Set<string>();
  return Object.entries(accounts).map(([text, value]) => {
    const address = args.fixedBytes(text, 20, 'common.Address', { index });
    const key = text.toLowerCase();
    if (seen.has(key)) args.fail(`invalid argument ${index}: account ${key} is overridden twice`);
    seen.add(key);
    const fields = args.object(value, 'override.OverrideAccount', { index });
    return readAccountOverride(args, new FieldReader(args, fields, 'OverrideAccount', index), address, text);
  });
}

/** Accounts and slots, whatever else they are. */
function countOverrides(accounts: Fields): number {
  let count = 0;
  for (const account of Object.values(accounts)) {
    const { state, stateDiff } = (account ?? {}) as Fields;
    count += 1 + Object.keys(state ?? {}).length + Object.keys(stateDiff ?? {}).length;
  }
  return count;
}

function readAccountOverride(args: Arguments, reader: FieldReader, address: Uint8Array, text: string): AccountOverride {
  if (reader.has('state') && reader.has('stateDiff')) {
    args.fail(`account ${text} has both 'state' and 'stateDiff'`);
  }
  return withoutNulls<AccountOverride>({
    address,
    nonce: reader.quantity('nonce', 64),
    balance: reader.quantity('balance', 256),
    code: reader.bytes('code'),
    state: reader.slots('state'),
    stateDiff: reader.slots('stateDiff'),
    movePrecompileToAddress: reader.address('movePrecompileToAddress'),
  });
}

/** The block override at `index`. */
export function readBlockOverride(args: Arguments, index: number): BlockOverride | null {
  if (!args.has(index)) return null;
  const fields = args.object(args.required(index), 'override.BlockOverrides', { index });
  const reader = new FieldReader(args, fields, 'BlockOverrides', index);
  if (reader.has('beaconRoot')) args.fail(`block override "beaconRoot" is not supported for this RPC method`);
  if (reader.has('withdrawals')) args.fail(`block override "withdrawals" is not supported for this RPC method`);
  return withoutNulls<BlockOverride>({
    number: reader.quantity('number', 256),
    difficulty: reader.quantity('difficulty', 256),
    time: reader.quantity('time', 64),
    gasLimit: reader.quantity('gasLimit', 64),
    feeRecipient: reader.address('feeRecipient'),
    prevRandao: reader.word('prevRandao'),
    baseFeePerGas: reader.quantity('baseFeePerGas', 256),
    blobBaseFee: reader.quantity('blobBaseFee', 256),
  });
}

type Nullable<T> = { readonly [K in keyof T]-?: Exclude<T[K], undefined> | null };

/** The members that were given. */
function withoutNulls<T extends object>(members: Nullable<T>): T {
  const present: Partial<T> = {};
  for (const name in members) if (members[name] !== null) present[name] = members[name];
  return present as T;
}
