// Determines which forks are active at a block, and their rules for transactions and blobs. Needs no EVM.
import { nonEvmAccountsOf, type NonEvmAccounts } from './non-evm-accounts.js';
import { type BlobSchedule, type Eip, FORKS, type ForkRow } from './forks.table.js';
import type { ConfigJsonReader } from './config-json-reader.js';
import type { ChainDescription, ForkActivation, UnknownFork } from './chain-description.js';

/** Blob gas of one blob (EIP-4844). */
export const GAS_PER_BLOB = 131_072n;
/** Largest number of blobs that one transaction may have (EIP-7594). The limit of a block is separate. */
export const TRANSACTION_BLOBS_MAX = 6;
/** First byte of a blob's versioned hash, which is made from its KZG commitment (EIP-4844). */
export const BLOB_HASH_VERSION = 1;

export interface BlobRules {
  /** Largest number of blobs that a block may have (EIP-7691, EIP-7892). */
  readonly blobsMax: number;
  /** Returns the blob base fee, in wei per blob gas, of a block with this excess blob gas (EIP-4844). */
  blobBaseFee(excessBlobGas: bigint): bigint;
  /** Returns the excess blob gas of the block after a block with these values (EIP-4844, EIP-7918). */
  nextExcessBlobGas(parentExcess: bigint, parentBlobGasUsed: bigint, parentBaseFee: bigint): bigint;
}

/** The set of active forks, with the queries of `Common` (@ethereumjs/common) that transaction rules need. */
export interface ActiveForks {
  isActivatedEIP(eip: Eip): boolean;
  gteHardfork(name: string): boolean;
}

/** Rules by which a transaction is validated before any code runs. */
export interface TransactionRules extends BlobRules {
  readonly common: ActiveForks;
  /** Largest gas limit that a transaction may have (EIP-7825); `null` if unlimited. */
  readonly transactionGasMax: bigint | null;
  /** Largest amount of gas, not counting state gas (EIP-8037), that a transaction may use; `null` if unlimited. */
  readonly executionGasMax: bigint | null;
  /** Accounts with non-EVM code. An execution that calls one is aborted. */
  readonly nonEvm: NonEvmAccounts;
}

/** Largest gas limit of a transaction (EIP-7825). From Amsterdam on it bounds only the gas for execution. */
const EXECUTION_GAS_MAX = 16_777_216n;
/** Largest gas limit of a transaction from Amsterdam on: the largest 32-bit integer. */
const TRANSACTION_GAS_MAX = 2n ** 32n - 1n;

/** Names of all forks; each one builds on those before it. */
export const FORK_NAMES: readonly string[] = FORKS.map(({ name }) => name);

/** Cache: sets of active forks, by the name of the latest fork. */
const answers = new Map<string, ActiveForks>();
/** Cache: table rows of a fork and of all forks before it, by the fork's name. */
const reached = new Map<string, readonly ForkRow[]>();

/** Blob schedule used before Cancun. It affects no result, but the functions need a value for every block. */
const FIRST_BLOBS = FORKS.find(({ blobs }) => blobs !== undefined)!.blobs!;

/** Returns the index of the fork that is active in this block. The timestamp is in seconds; 64 bits need a bigint. */
export function activeForkIndex(forks: readonly ForkActivation[], number: number, timestamp: bigint | number): number {
  let active = 0;
  for (let i = 1; i < forks.length; i++) {
    const { block, timestamp: time } = forks[i]!;
    if (block === null ? time === null || timestamp < time : number < block) break;
    active = i;
  }
  return active;
}

/** True if the rules that `fork` introduced are active under the fork called `name`. */
export function includesFork(name: string, fork: string): boolean {
  // The DAO fork changed no rule, so it counts as Homestead.
  return FORK_NAMES.indexOf(name === 'dao' ? 'homestead' : name) >= FORK_NAMES.indexOf(fork);
}

/** Returns the set of forks that are active while `own` is the latest one. */
export function forksUpTo(own: string): ActiveForks {
  let active = answers.get(own);
  if (active === undefined) {
    const eips = new Set(eipsOf(own));
    const forks = new Set(FORK_NAMES.filter((name) => includesFork(own, name)));
    active = { isActivatedEIP: (eip) => eips.has(eip), gteHardfork: (name) => forks.has(name) };
    answers.set(own, active);
  }
  return active;
}

/** Returns the transaction rules that apply while the fork at `index` is the latest active one. */
export function transactionRules(chain: ChainDescription, index: number): TransactionRules {
  return {
    common: forksUpTo(chain.forks[index]!.name),
    ...transactionGasCaps(chain, index),
    nonEvm: nonEvmAccountsOf(chain),
    ...blobRules(chain, index),
  };
}

/**
 * Returns the gas limits of EIP-7825 and EIP-8037 that apply while the fork at `index` is the latest active one. Some
 * chains disable them.
 */
export function transactionGasCaps(
  chain: ChainDescription,
  index: number,
): Pick<TransactionRules, 'transactionGasMax' | 'executionGasMax'> {
  const eips = eipsOf(chain.forks[index]!.name);
  if (!chain.transactionGasCap || !eips.includes(7825)) return { transactionGasMax: null, executionGasMax: null };
  const isTwofold = eips.includes(8037);
  return {
    transactionGasMax: isTwofold ? TRANSACTION_GAS_MAX : EXECUTION_GAS_MAX,
    executionGasMax: isTwofold ? EXECUTION_GAS_MAX : null,
  };
}

export function blobRules(chain: ChainDescription, index: number): BlobRules {
  const { target, max, baseFeeUpdateFraction } = blobScheduleOfFork(chain, index);
  const fraction = BigInt(baseFeeUpdateFraction);
  const priceOf = (excess: bigint): bigint => fakeExponential(1n, excess, fraction);
  let last = { excess: 0n, price: priceOf(0n) };
  // Caches the last price: the same block is queried repeatedly, and computing the exponential takes a microsecond.
  const blobBaseFee = (excess: bigint): bigint => {
    if (excess !== last.excess) last = { excess, price: priceOf(excess) };
    return last.price;
  };
  const targetGas = BigInt(target) * GAS_PER_BLOB;
  const hasReserve = eipsOf(chain.forks[index]!.name).includes(7918);
  return {
    blobsMax: max,
    blobBaseFee,
    nextExcessBlobGas(parentExcess, parentUsed, parentBaseFee) {
      // OP-Stack blocks have no blobs. From Jovian on, their blob gas field has the data footprint.
      if (chain.op !== null) return 0n;
      const sum = parentExcess + parentUsed;
      if (sum < targetGas) return 0n;
      // EIP-7918: while a blob costs less than the execution that carries it, the excess does not fall.
      if (hasReserve && 8192n * parentBaseFee > GAS_PER_BLOB * blobBaseFee(parentExcess)) {
        return parentExcess + (parentUsed * BigInt(max - target)) / BigInt(max);
      }
      return sum - targetGas;
    },
  };
}

/** Returns the blob schedule of the fork at `index`, or of the latest fork before it that has a blob schedule. */
export function blobScheduleOfFork(chain: ChainDescription, index: number): BlobSchedule {
  for (let i = index; i >= 0; i--) {
    const schedule = chain.blobSchedule[chain.forks[i]!.name];
    if (schedule !== undefined) return schedule;
  }
  return forkRowsUpTo(chain.forks[index]!.name).findLast(({ blobs }) => blobs !== undefined)?.blobs ?? FIRST_BLOBS;
}

/** Returns the table rows of a fork and of all forks that it builds on. */
export function forkRowsUpTo(name: string): readonly ForkRow[] {
  let rows = reached.get(name);
  if (rows === undefined) reached.set(name, (rows = FORKS.filter((row) => includesFork(name, row.name))));
  return rows;
}

function eipsOf(name: string): readonly Eip[] {
  return forkRowsUpTo(name).flatMap(({ eips }) => eips ?? []);
}

/**
 * Returns the first fork in a genesis or rollup file that is not in `known`; `null` if all are. Without this check, the
 * blocks of that fork would be executed by the rules of the fork before it. `ends` matches the endings of keys that set
 * a fork's time or block.
 */
export function firstUnknownFork(fields: ConfigJsonReader, ends: RegExp, known: readonly string[]): UnknownFork | null {
  const starts = fields.names().flatMap((key): UnknownFork[] => {
    const start = ends.test(key) && !known.includes(key) ? fields.optionalNumber(key) : null;
    return start === null ? [] : [{ key, since: key.endsWith('Block') ? 0 : Number(start) }];
  });
  return starts.sort((a, b) => a.since - b.since)[0] ?? null;
}

/** Computes factor * e ** (numerator / denominator) as EIP-4844's `fake_exponential` does. */
function fakeExponential(factor: bigint, numerator: bigint, denominator: bigint): bigint {
  let output = 0n;
  let term = factor * denominator;
  for (let i = 1n; term > 0n; i++) {
    output += term;
    term = (term * numerator) / (denominator * i);
  }
  return output / denominator;
}
