// Accounts that run native code of the node instead of EVM code: native tokens, registries, unknown precompiles. An
// execution that calls one is aborted without a result.
import { fromHex, parseHex } from '../lib/bytes/hex.js';
import { keccak256 } from '../lib/bytes/keccak-wasm.js';
import { NON_EVM_ADDRESSES_BY_FORK } from './forks.table.js';

/**
 * Kinds of non-EVM accounts. `account`: always non-EVM, whatever its code is. `precompile`: the same, and warm from the
 * start (EIP-2929). `token`: non-EVM only if its code is the single byte 0xef, which no contract can have (EIP-3541).
 */
export type NonEvmKind = 'account' | 'precompile' | 'token';

/** Fields of a chain's description that determine its non-EVM accounts. */
interface NonEvmChain {
  readonly chainId: bigint;
  readonly foreign?: readonly NonEvmRow[];
}

/** A kind of non-EVM accounts, and the prefix of their addresses, 1 to 20 bytes. */
export interface NonEvmRow {
  readonly prefix: Uint8Array;
  readonly kind: NonEvmKind;
}

/** Base from Beryl on: B20 tokens, their factory, and the registries of policies and activations. */
const BASE: readonly NonEvmRow[] = [
  { prefix: fromHex('b2000000000000000000'), kind: 'token' },
  ...NON_EVM_ADDRESSES_BY_FORK.beryl.map((address): NonEvmRow => ({
    prefix: fromHex(address.slice(2)),
    kind: 'precompile',
  })),
];

const BY_CHAIN: ReadonlyMap<bigint, readonly NonEvmRow[]> = new Map([
  [8453n, BASE],
  [84_532n, BASE],
]);

/** True if the chain has accounts with non-EVM code, which an execution could call. */
export function hasNonEvmAccounts({ chainId, foreign = [] }: NonEvmChain): boolean {
  return foreign.length > 0 || BY_CHAIN.has(chainId);
}

/** Returns the non-EVM accounts of a chain: those in its description, and those known by its id. */
export function nonEvmAccountsOf({ chainId, foreign = [] }: NonEvmChain): NonEvmAccounts {
  return new NonEvmAccounts([...foreign, ...(BY_CHAIN.get(chainId) ?? [])]);
}

const ENTRY = /^0x(?:[0-9a-f]{40}|(?:[0-9a-f]{2}){1,19}\*)(?:=0xef)?$/i;

/**
 * Parses `0x` and 20 bytes for one address, or `0x`, fewer bytes and `*` for a prefix. A final `=0xef` marks native
 * tokens, whose code is that single byte. Returns `null` if the text is malformed.
 */
export function parseNonEvmAddressPattern(text: string): NonEvmRow | null {
  if (!ENTRY.test(text)) return null;
  const [address, mark] = text.split('=');
  return { prefix: parseHex(address!.replace('*', ''), 2)!, kind: mark === undefined ? 'account' : 'token' };
}

/** The single byte that the code of a token consists of. */
const TOKEN_BYTE = 0xef;
export const NATIVE_TOKEN_CODE_HASH = keccak256(Uint8Array.of(TOKEN_BYTE));

/** All non-EVM accounts of a chain, as rows of prefixes. The first row that matches an address counts. */
export class NonEvmAccounts {
  readonly #rows: readonly NonEvmRow[];
  /** Marks the first byte of every prefix; a quick filter for addresses that match no row. */
  readonly #first = new Uint8Array(256);

  constructor(rows: readonly NonEvmRow[]) {
    this.#rows = rows;
    for (const { prefix } of rows) this.#first[prefix[0]!] = 1;
  }

  /** True if the chain has no non-EVM accounts. */
  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  /** Addresses of precompiles, which are warm from the start; 20 bytes each. */
  get warm(): readonly Uint8Array[] {
    return this.#rows.map(({ prefix }) => prefix).filter((prefix) => this.kindOf(prefix) === 'precompile');
  }

  /** Returns the kind of the non-EVM account at this address; `null` for an EVM account. */
  kindOf(address: Uint8Array): NonEvmKind | null {
    if (this.#first[address[0]!] === 0) return null;
    const row = this.#rows.find(({ prefix }) => prefix.every((byte, i) => byte === address[i]));
    return row?.kind ?? null;
  }

  /** True if a call of this account would run native code. `code` returns the account's own code. */
  isNonEvm(address: Uint8Array, code: () => Uint8Array): boolean {
    const kind = this.kindOf(address);
    return kind === 'token' ? isTokenCode(code()) : kind !== null;
  }
}

/** Error message of an execution that was aborted because it called this non-EVM account. */
export function nonEvmErrorMessage(address: Uint8Array): string {
  return `the execution calls 0x${Buffer.from(address).toString('hex')}, whose code is not the EVM's`;
}

function isTokenCode(code: Uint8Array): boolean {
  return code.length === 1 && code[0] === TOKEN_BYTE;
}
