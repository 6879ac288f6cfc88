// The access list of a call (EIP-2930): what its instructions name beside what is warm in any case, be it paid for or not, as
// go-ethereum's eth_createAccessList finds it. Runs on the estimators.
import { createdAddress } from '../created-address.js';
import { authorityOf } from '../block/authorization.js';
import type { AccessListEntry } from '../../chain/access-list.js';
import type { ReadSet } from '../../evm/read-set.js';
import { fromHex, toHex, toQuantity } from '../../lib/hex.js';
import { keccak256 } from '../../lib/keccak.js';
import { timedOut, type CallRequest, type Job, type Outcome } from '../../transaction/call-request.js';
import type { Accounts, InvalidCall } from '../../transaction/call-validation.js';
import { unsignedBytes } from '../../transaction/unsigned.js';
import { withFees, type FeesAround } from './fee-defaults.js';
import { failure, least } from './preflight.js';

/** How a run with a list went. */
export interface ListedRun {
  readonly gasUsed: bigint;
  /** `null` after a success. */
  readonly error: string | null;
  readonly reads: ReadSet;
}

/** What lists are made with. */
export interface ListParts {
  readonly accounts: Accounts;
  readonly fees: Omit<FeesAround, 'tip'>;
  readonly chainId: bigint;
  /** Whether a precompile is at the address. */
  readonly isPrecompile: (address: Uint8Array) => boolean;
  /** `performance.now()` at which the job's time is up. */
  readonly deadline: number;
  /** Runs the call at this gas limit. `null`: its time was up. */
  readonly run: (call: CallRequest, gasLimit: bigint) => Promise<ListedRun | InvalidCall | null>;
}

/** Gas of an authorisation (EIP-7702): more than the gas pays for are not looked at. */
const AUTHORIZATION_GAS = 25_000n;

/**
 * Runs the call with the list that it came with, then with that and what the run has named, until the list no longer changes:
 * its price may change what is named. The job's time bounds their number.
 */
export async function findAccessList(job: Job, parts: ListParts): Promise<Outcome> {
  const gas = least(job.call.gas ?? job.gasCap, job.gasCap);
  const account = parts.accounts.accountOf(job.call.from);
  const payer = { gas, balance: account?.balance ?? 0n };
  const call = withFees(job.call, { ...parts.fees, tip: job.tip ?? 0n }, payer);
  if (typeof call === 'string') return failure(call);
  if (BigInt(call.authorizationList?.length ?? 0) > gas / AUTHORIZATION_GAS)
    return failure('insufficient gas to process all authorizations');
  const nonce = call.nonce ?? account?.nonce ?? 0n;
  const isListed = listed(call, nonce, parts);
  for (let list = extended(call.accessList ?? [], null, isListed); performance.now() <= parts.deadline;) {
    const accessList = list.map(entryOf);
    const run = await parts.run({ ...call, accessList }, gas);
    if (run === null) break;
    if ('text' in run) {
      const hash = keccak256(unsignedBytes({ ...call, accessList, nonce, gas }, parts.chainId));
      return failure(`failed to apply transaction: ${toHex(hash)} err: ${run.text()}`);
    }
    const next = extended(accessList, run.reads, isListed);
    if (JSON.stringify(next) === JSON.stringify(list)) return answer(next, run);
    list = next;
  }
  return timedOut(job.timeoutMs);
}

/** Whether a list names the address by itself: sender, receiver, authorities and precompiles are warm in any case. */
function listed(
  call: CallRequest,
  nonce: bigint,
  { chainId, isPrecompile }: ListParts,
): (address: Uint8Array) => boolean {
  const authorities = (call.authorizationList ?? []).map((one) => authorityOf(one, chainId));
  const warm = [call.from, call.to ?? createdAddress(call.from, nonce), ...authorities];
  const known = new Set(warm.map((address) => (address === null ? '' : toHex(address))));
  return (address) => !known.has(toHex(address)) && !isPrecompile(address);
}

/** An entry as the execution API shows it. */
interface EntryJson {
  readonly address: string;
  readonly storageKeys: readonly string[];
}

function entryOf({ address, storageKeys }: EntryJson): AccessListEntry {
  return { address: fromHex(address), slots: storageKeys.map(fromHex) };
}

/**
 * The list and what a run has named, in order. An address that is warm in any case is there for the slots alone that this run
 * has named: what else the list says of it is dropped.
 */
function extended(
  list: readonly AccessListEntry[],
  reads: ReadSet | null,
  isListed: (address: Uint8Array) => boolean,
): EntryJson[] {
  const slotsOf = new Map<string, Set<string>>();
  const add = (address: Uint8Array, slots: readonly Uint8Array[]): void => {
    const name = toHex(address);
    const known = slotsOf.get(name) ?? new Set();
    for (const slot of slots) known.add(toHex(slot));
    slotsOf.set(name, known);
  };
  for (const { address, slots } of list) if (isListed(address)) add(address, slots);
  for (const address of reads?.accounts ?? []) if (isListed(address)) add(address, []);
  for (const { address, slot } of reads?.slots ?? []) add(address, [slot]);
  const addresses = [...slotsOf.keys()].toSorted();
  return addresses.map((address) => ({ address, storageKeys: [...slotsOf.get(address)!].toSorted() }));
}

function answer(accessList: readonly EntryJson[], { gasUsed, error }: ListedRun): Outcome {
  const failed = error === null ? {} : { error };
  return { kind: 'json', text: JSON.stringify({ accessList, ...failed, gasUsed: toQuantity(gasUsed) }) };
}
