// Access lists, as sets of accounts and slots.
import { isDeepStrictEqual } from 'node:util';
import { verifyAuthorization } from 'ethers';
import { CHAIN_ID, word } from './genesis.js';
import { type CallObject, PRECOMPILES, type Request } from './requests.js';

export type AccessList = readonly { readonly address: string; readonly storageKeys: readonly string[] }[];

interface Authorization {
  readonly chainId: string;
  readonly address: string;
  readonly nonce: string;
  readonly yParity: string;
  readonly r: string;
  readonly s: string;
}

/** The list in a result of eth_createAccessList. */
export function listOf(answer: unknown): AccessList {
  return (answer as { accessList: AccessList }).accessList;
}

/** Accounts, and slots prefixed by their account, sorted. */
export function itemsOf(list: AccessList): string[] {
  const items = list.flatMap(({ address, storageKeys }) => [address, ...storageKeys.map((key) => `${address} ${key}`)]);
  return [...new Set(items)].toSorted();
}

/**
 * The given list as go-ethereum normalizes it, which anvil does not: without accounts that are always warm, and with
 * one entry per account. anvil keeps the former, and the last entry of the latter.
 */
export function givenIn(call: CallObject): AccessList {
  const warm = new Set([call.from, call.to, ...PRECOMPILES, ...authorities(call, true)]);
  const slots = new Map<string, Set<string>>();
  for (const { address, storageKeys } of (call.accessList ?? []) as AccessList)
    if (!warm.has(address)) slots.set(address, new Set([...(slots.get(address) ?? []), ...storageKeys]));
  return [...slots].map(([address, keys]) => ({ address, storageKeys: [...keys] }));
}

/** The reason why two lists are equivalent; null if they are not. */
export function sameList({ call }: Request, own: AccessList, theirs: AccessList): string | null {
  if (own.length !== new Set(own.map(({ address }) => address)).size) return null;
  const [ours, anvil] = [itemsOf(own), itemsOf(theirs)];
  if (isDeepStrictEqual(ours, anvil)) return 'same list';
  const ofOtherChains = authorities(call, false);
  const others = ours.filter((item) => !ofOtherChains.includes(item) || anvil.includes(item));
  return isDeepStrictEqual(others, anvil) ? 'the authority is of another chain, and so not warm' : null;
}

/** Signers of the call's authorizations for this chain, or of those for other chains. */
function authorities({ authorizationList = [] }: CallObject, ofThisChain: boolean): string[] {
  return (authorizationList as readonly Authorization[])
    .filter(({ chainId }) => [0, CHAIN_ID].includes(Number(chainId)) === ofThisChain)
    .map(authorityOf);
}

function authorityOf({ chainId, address, nonce, yParity, r, s }: Authorization): string {
  const signature = { r: word(r), s: word(s), yParity: Number(yParity) === 1 ? 1 : 0 } as const;
  const signed = { chainId: BigInt(chainId), address, nonce: BigInt(nonce) };
  return verifyAuthorization(signed, signature).toLowerCase();
}
