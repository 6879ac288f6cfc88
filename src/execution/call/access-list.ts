// The access list of a call (EIP-2930): what it reads beside what is warm in any case, as go-ethereum's
// eth_createAccessList finds it. Runs on the estimators.
import type { AccessListEntry } from '../../chain/access-list.js';
import type { ReadSet } from '../../evm/read-set.js';
import { fromHex, toHex, toQuantity } from '../../lib/hex.js';
import type { Job, Outcome } from '../../transaction/call-request.js';

/** How a run with a list went. */
export interface ListedRun {
  readonly gasUsed: bigint;
  /** `null` after a success. */
  readonly error: string | null;
  readonly reads: ReadSet;
  /** Whether a list would name the address: sender, receiver, authorities and precompiles are warm in any case. */
  readonly isListed: (address: Uint8Array) => boolean;
}

/**
 * Runs the call with the list that it came with, then with what that run has read as well, until the list no longer changes:
 * its price may change what is read. Each run only adds to it, and the job's time bounds their number.
 */
export async function findAccessList(
  { call }: Job,
  run: (list: readonly AccessListEntry[]) => Promise<ListedRun | Outcome>,
): Promise<Outcome> {
  for (let list = jsonOf(call.accessList ?? []); ;) {
    const result = await run(list.map(entryOf));
    if ('kind' in result) return result;
    const next = extended(list, result);
    if (JSON.stringify(next) === JSON.stringify(list)) return answer(next, result);
    list = next;
  }
}

/** An entry as the execution API shows it. */
interface EntryJson {
  readonly address: string;
  readonly storageKeys: readonly string[];
}

function jsonOf(list: readonly AccessListEntry[]): EntryJson[] {
  return list.map(({ address, slots }) => ({ address: toHex(address), storageKeys: slots.map(toHex) }));
}

function entryOf({ address, storageKeys }: EntryJson): AccessListEntry {
  return { address: fromHex(address), slots: storageKeys.map(fromHex) };
}

/** The list and what the run has read, in order. An address that is warm in any case is there for its slots alone. */
function extended(list: readonly EntryJson[], { reads, isListed }: ListedRun): EntryJson[] {
  const slotsOf = new Map<string, Set<string>>();
  const add = (address: string, slots: readonly string[]): void => {
    if (slots.length === 0 && !isListed(fromHex(address))) return;
    const known = slotsOf.get(address) ?? new Set();
    for (const slot of slots) known.add(slot);
    slotsOf.set(address, known);
  };
  for (const { address, storageKeys } of list) add(address, storageKeys);
  for (const address of reads.accounts) add(toHex(address), []);
  for (const { address, slot } of reads.slots) add(toHex(address), [toHex(slot)]);
  const addresses = [...slotsOf.keys()].toSorted();
  return addresses.map((address) => ({ address, storageKeys: [...slotsOf.get(address)!].toSorted() }));
}

function answer(accessList: readonly EntryJson[], { gasUsed, error }: ListedRun): Outcome {
  const failed = error === null ? {} : { error };
  return { kind: 'json', text: JSON.stringify({ accessList, ...failed, gasUsed: toQuantity(gasUsed) }) };
}
