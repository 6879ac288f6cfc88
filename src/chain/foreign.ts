// Accounts whose code is not the EVM's: native tokens, registries, precompiles that are not known here. An execution that comes to
// one ends without an answer. Runs on every thread.
import { fromHex, parseHex } from '../lib/bytes/hex.js';
import { keccak256 } from '../lib/bytes/keccak.js';
import { FOREIGN } from './forks.table.js';

/**
 * Ways in which an account is foreign. `account`: whatever its code is. `precompile`: likewise, and warm from the start
 * (EIP-2929). `token`: where its code is the single byte 0xef, which no contract can have (EIP-3541).
 */
export type ForeignKind = 'account' | 'precompile' | 'token';

/** Part of a chain's description that its foreign accounts follow from. */
interface ForeignChain {
  readonly chainId: bigint;
  readonly foreign?: readonly ForeignRow[];
}

/** Addresses that begin so, 1 to 20 bytes. */
export interface ForeignRow {
  readonly prefix: Uint8Array;
  readonly kind: ForeignKind;
}

/** Base since Beryl: B20 tokens, their factory, and the registries of policies and activations. */
const BASE: readonly ForeignRow[] = [
  { prefix: fromHex('b2000000000000000000'), kind: 'token' },
  ...FOREIGN.beryl.map((address): ForeignRow => ({ prefix: fromHex(address.slice(2)), kind: 'precompile' })),
];

const BY_CHAIN: ReadonlyMap<bigint, readonly ForeignRow[]> = new Map([
  [8453n, BASE],
  [84_532n, BASE],
]);

/** True if an execution on this chain may meet foreign accounts. */
export function hasForeign({ chainId, foreign = [] }: ForeignChain): boolean {
  return foreign.length > 0 || BY_CHAIN.has(chainId);
}

/** Accounts of a chain, those that its id stands for included. */
export function foreignAccountsOf({ chainId, foreign = [] }: ForeignChain): ForeignAccounts {
  return new ForeignAccounts([...foreign, ...(BY_CHAIN.get(chainId) ?? [])]);
}

const ENTRY = /^0x(?:[0-9a-f]{40}|(?:[0-9a-f]{2}){1,19}\*)(?:=0xef)?$/i;

/** A row by its text, `0x` and 20 bytes, or fewer and `*`; `=0xef` behind it: a token. `null`: it is none. */
export function foreignRow(text: string): ForeignRow | null {
  if (!ENTRY.test(text)) return null;
  const [address, mark] = text.split('=');
  return { prefix: parseHex(address!.replace('*', ''), 2)!, kind: mark === undefined ? 'account' : 'token' };
}

/** The single byte of a token's code. */
const TOKEN_BYTE = 0xef;
/** Hash of a token's code. */
export const TOKEN_CODE_HASH = keccak256(Uint8Array.of(TOKEN_BYTE));

/** All rows of a chain. The first one that fits counts. */
export class ForeignAccounts {
  readonly #rows: readonly ForeignRow[];
  /** First bytes of rows. */
  readonly #first = new Uint8Array(256);

  constructor(rows: readonly ForeignRow[]) {
    this.#rows = rows;
    for (const { prefix } of rows) this.#first[prefix[0]!] = 1;
  }

  /** No address is one. */
  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  /** Addresses that are warm from the start, 20 bytes each. */
  get warm(): readonly Uint8Array[] {
    return this.#rows.map(({ prefix }) => prefix).filter((prefix) => this.kindOf(prefix) === 'precompile');
  }

  /** `null`: the EVM's, whatever its code is. */
  kindOf(address: Uint8Array): ForeignKind | null {
    if (this.#first[address[0]!] === 0) return null;
    const row = this.#rows.find(({ prefix }) => prefix.every((byte, i) => byte === address[i]));
    return row?.kind ?? null;
  }

  /** True if a message that runs `code`, the account's own, comes to code that is not the EVM's. */
  isForeign(address: Uint8Array, code: () => Uint8Array): boolean {
    const kind = this.kindOf(address);
    return kind === 'token' ? isTokenCode(code()) : kind !== null;
  }
}

/** Text of an execution's end. */
export function foreignText(address: Uint8Array): string {
  return `the execution calls 0x${Buffer.from(address).toString('hex')}, whose code is not the EVM's`;
}

function isTokenCode(code: Uint8Array): boolean {
  return code.length === 1 && code[0] === TOKEN_BYTE;
}
