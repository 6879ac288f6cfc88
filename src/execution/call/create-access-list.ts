// Computes the access list of a call (EIP-2930), like go-ethereum's eth_createAccessList: everything that instructions
// access and that would otherwise be cold.

// An access list contains what instructions access after their gas was charged: the accounts of CALLs, BALANCE,
// EXTCODE* and SELFDESTRUCT, and the slots of SLOAD and SSTORE. See DECISIONS.md.
import { createdContractAddress } from '../../evm/created-contract-address.js';
import { recoverAuthority } from '../block/authorization.js';
import type { AccessListEntry } from '../../chain/access-list-entry.js';
import type { ReadSet } from '../../evm/read-set.js';
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import { latin1Key } from '../../lib/bytes/latin1-key.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import {
  failureOutcome,
  timeoutOutcome,
  type CallRequest,
  type Job,
  type JobOutcome,
} from '../../transaction/evm-job.js';
import type { AccountReader, InvalidCall } from '../../transaction/call-validation.js';
import { transactionBytesWithZeroSignature } from '../../transaction/unsigned-transaction.js';
import { withDefaultFees, type BlockFeesForDefaults } from './fee-defaults.js';
import { minBigInt } from '../../lib/min-max-bigint.js';

export interface AccessListRun {
  readonly gasUsed: bigint;
  /** Error message; `null` after success. */
  readonly error: string | null;
  readonly reads: ReadSet;
}

export interface AccessListDeps {
  readonly accounts: AccountReader;
  readonly fees: Omit<BlockFeesForDefaults, 'tip'>;
  readonly chainId: bigint;
  readonly isPrecompile: (address: Uint8Array) => boolean;
  /** Executes the call with this gas limit. Returns a job outcome if the execution was aborted. */
  readonly run: (call: CallRequest, gasLimit: bigint) => Promise<AccessListRun | InvalidCall | JobOutcome>;
}

/** Gas of one authorization (EIP-7702). No more authorizations are processed than the gas limit can pay for. */
const AUTHORIZATION_GAS = 25_000n;

/**
 * Executes the call with its own access list, adds everything that the run has accessed to the list, and repeats until
 * the list no longer changes: paying for a longer list may change what is accessed. The job's time limit bounds the
 * number of runs. If an earlier list comes up again, the result is a timeout, which is also how go-ethereum would end.
 */
export async function createAccessList(job: Job, deps: AccessListDeps): Promise<JobOutcome> {
  const gas = minBigInt(job.call.gas ?? job.gasCap, job.gasCap);
  const account = deps.accounts.accountOf(job.call.from);
  const call = withDefaultFees(job.call, { ...deps.fees, tip: job.tip ?? 0n });
  if (typeof call === 'string') return failureOutcome(call);
  if (BigInt(call.authorizationList?.length ?? 0) > gas / AUTHORIZATION_GAS)
    return failureOutcome('insufficient gas to process all authorizations');
  const nonce = call.nonce ?? account?.nonce ?? 0n;
  const list = new GrowingList(call.accessList ?? [], listed(call, nonce, deps));
  for (;;) {
    const run = await deps.run({ ...call, accessList: list.entries() }, gas);
    if (!('gasUsed' in run)) {
      if (!isInvalid(run)) return run;
      const unsigned = transactionBytesWithZeroSignature(
        { ...call, accessList: list.sorted(), nonce, gas },
        deps.chainId,
      );
      return failureOutcome(`failed to apply transaction: ${toHex(keccak256(unsigned))} err: ${run.text()}`);
    }
    if (!list.take(run.reads)) return answer(list.sorted(), run);
    if (list.isAgain()) return timeoutOutcome(job.timeoutMs);
  }
}

function isInvalid(run: InvalidCall | JobOutcome): run is InvalidCall {
  return run.kind === 'intrinsic' || run.kind === 'invalid';
}

/** True if this address must be listed. Sender, recipient, authorities and precompiles are warm without a list. */
function listed(
  call: CallRequest,
  nonce: bigint,
  { chainId, isPrecompile }: AccessListDeps,
): (address: Uint8Array) => boolean {
  const authorities = (call.authorizationList ?? []).map((one) => recoverAuthority(one, chainId));
  const warm = [call.from, call.to ?? createdContractAddress(call.from, nonce), ...authorities];
  const known = new Set(warm.map((address) => (address === null ? '' : latin1Key(address))));
  return (address) => !known.has(latin1Key(address)) && !isPrecompile(address);
}

interface Slots {
  readonly address: Uint8Array;
  readonly slots: Map<string, Uint8Array>;
}

type SlotsByAddress = Map<string, Slots>;

/**
 * The access list while it is being built. For addresses that are warm even without a list, it has only the slots that
 * the last run accessed. For all other addresses, it has everything that any run accessed.
 */
class GrowingList {
  readonly #isListed: (address: Uint8Array) => boolean;
  readonly #listed: SlotsByAddress = new Map();
  #warm: SlotsByAddress = new Map();
  /** Former values of `#warm` since `#listed` last grew, the oldest first. */
  #past: SlotsByAddress[] = [];

  constructor(initial: readonly AccessListEntry[], isListed: (address: Uint8Array) => boolean) {
    this.#isListed = isListed;
    for (const { address, slots } of initial) {
      if (!isListed(address)) continue;
      this.#list(address);
      for (const slot of slots) add(this.#listed, address, slot);
    }
  }

  /** Adds what one run has accessed; returns whether the list has changed. */
  take({ accounts, slots }: ReadSet): boolean {
    let hasGrown = false;
    for (const address of accounts) if (this.#isListed(address)) hasGrown = this.#list(address) || hasGrown;
    const warm: SlotsByAddress = new Map();
    for (const { address, slot } of slots) {
      if (!this.#isListed(address)) add(warm, address, slot);
      else hasGrown = add(this.#listed, address, slot) || hasGrown;
    }
    const isSame = hasSame(this.#warm, warm);
    this.#past = hasGrown ? [] : [...this.#past, this.#warm];
    this.#warm = warm;
    return hasGrown || !isSame;
  }

  /** True if an earlier run ended with the same list, so that the runs would repeat for ever. */
  isAgain(): boolean {
    return this.#past.some((warm) => hasSame(warm, this.#warm));
  }

  entries(): AccessListEntry[] {
    return [...this.#listed.values(), ...this.#warm.values()].map(({ address, slots }) => ({
      address,
      slots: [...slots.values()],
    }));
  }

  /** Returns the list, sorted as go-ethereum sorts it. */
  sorted(): AccessListEntry[] {
    const entries = this.entries().map(({ address, slots }) => ({
      address,
      slots: slots.toSorted((a, b) => Buffer.compare(a, b)),
    }));
    return entries.toSorted((a, b) => Buffer.compare(a.address, b.address));
  }

  /** Adds an address; returns true if it is new. */
  #list(address: Uint8Array): boolean {
    const key = latin1Key(address);
    if (this.#listed.has(key)) return false;
    this.#listed.set(key, { address, slots: new Map() });
    return true;
  }
}

/** Adds a slot; returns true if it is new. */
function add(to: SlotsByAddress, address: Uint8Array, slot: Uint8Array): boolean {
  const [key, slotKey] = [latin1Key(address), latin1Key(slot)];
  let known = to.get(key);
  if (known === undefined) to.set(key, (known = { address, slots: new Map() }));
  if (known.slots.has(slotKey)) return false;
  known.slots.set(slotKey, slot);
  return true;
}

function hasSame(a: SlotsByAddress, b: SlotsByAddress): boolean {
  if (a.size !== b.size) return false;
  return [...a].every(([key, { slots }]) => {
    const others = b.get(key)?.slots;
    return others?.size === slots.size && [...slots.keys()].every((slot) => others.has(slot));
  });
}

function answer(list: readonly AccessListEntry[], { gasUsed, error }: AccessListRun): JobOutcome {
  const accessList = list.map(({ address, slots }) => ({ address: toHex(address), storageKeys: slots.map(toHex) }));
  const failed = error === null ? {} : { error };
  return { kind: 'json', text: JSON.stringify({ accessList, ...failed, gasUsed: toQuantity(gasUsed) }) };
}
