// Determines which fork is active at a block, and its rules for an EVM of @ethereumjs.
// oxlint-disable no-underscore-dangle -- the names are @ethereumjs/common's
import { Common, type ChainConfig } from '@ethereumjs/common';
import { paramsEVM, type CustomPrecompile } from '@ethereumjs/evm';
import { toHex } from '../../lib/bytes/hex.js';
import type { BlobSchedule, ChainDescription } from '../../chain/chain-description.js';
import { CUSTOM_CRYPTO } from '../ethereumjs-custom-crypto.js';
import {
  GAS_PER_BLOB,
  activeForkIndex,
  blobRules,
  blobScheduleOfFork,
  forkRowsUpTo,
  transactionGasCaps,
  type TransactionRules,
} from '../../chain/active-forks.js';
import { opRulesAt, type OpRules } from '../../chain/op/forks.js';
import { nonEvmAccountsOf } from '../../chain/non-evm-accounts.js';
import { opPrecompiles } from './op-precompiles.js';

/** Rules of one fork of one chain. There is one object for each fork. */
export interface ForkRules extends TransactionRules {
  /** Name of the fork in `FORK_NAMES` (chain/active-forks.ts), or `dao`. */
  readonly fork: string;
  /** `Common` of @ethereumjs, set to this fork. Never call `setHardfork` on it; `copy()` returns an independent one. */
  readonly common: Common;
  /** Additional rules of OP-Stack chains; `null` on other chains. */
  readonly op: OpRules | null;
  /** Precompiles that are added to the fork's, or replace them. */
  readonly precompiles: CustomPrecompile[];
}

/** Rules of one chain, by block. */
export interface ChainRules {
  readonly chain: ChainDescription;
  /** Returns the rules of the block with this number and timestamp (seconds; 64 bits need a bigint). */
  at(number: number, timestamp: bigint | number): ForkRules;
}

/**
 * Creates the rules of a chain. Throws if a fork's name is unknown or the list of forks is empty, which are
 * configuration errors. `made` has the rules of earlier descriptions of the same chain; rules of unchanged forks are
 * reused.
 */
export function createChainRules(chain: ChainDescription, made = new Map<string, ForkRules>()): ChainRules {
  if (chain.forks.length === 0) throw new Error('a chain needs at least one fork');
  const forks = new Map<string, ForkRules>();
  // Caches the last result: one block is queried again and again, and comparing times takes 0.3 us.
  let last: { readonly number: number; readonly timestamp: bigint | number; readonly rules: ForkRules } | null = null;
  return {
    chain,
    at(number, timestamp) {
      if (last?.number === number && last.timestamp === timestamp) return last.rules;
      const index = activeForkIndex(chain.forks, number, timestamp);
      const op = chain.op === null ? null : opRulesAt(chain.op, timestamp);
      const { name } = chain.forks[index]!;
      const key = op === null ? name : `${name} ${op.fork}`;
      let rules = forks.get(key);
      if (rules === undefined) forks.set(key, (rules = madeOnce(chain, index, op, made)));
      last = { number, timestamp, rules };
      return rules;
    },
  };
}

function madeOnce(chain: ChainDescription, index: number, op: OpRules | null, made: Map<string, ForkRules>): ForkRules {
  const { chainId, depositContract, transactionGasCap } = chain;
  const { name } = chain.forks[index]!;
  const deposits = depositContract === null ? null : toHex(depositContract);
  const blobs = blobScheduleOfFork(chain, index);
  const nonEvm = chain.foreign?.map(({ prefix, kind }) => `${kind} ${toHex(prefix)}`);
  const key = JSON.stringify([`${chainId}`, name, op?.fork, blobs, deposits, transactionGasCap, nonEvm]);
  let rules = made.get(key);
  if (rules === undefined) made.set(key, (rules = forkRules(chain, index, op)));
  return rules;
}

function forkRules(chain: ChainDescription, index: number, op: OpRules | null): ForkRules {
  const { name } = chain.forks[index]!;
  const blobs = blobScheduleOfFork(chain, index);
  const common = new ForkCommon(chainConfig(chain, name), name, blobs);
  return {
    fork: name,
    common,
    op,
    precompiles: op === null ? [] : opPrecompiles(op, common),
    nonEvm: nonEvmAccountsOf(chain),
    ...transactionGasCaps(chain, index),
    ...blobRules(chain, index),
  };
}

function chainConfig(chain: ChainDescription, name: string): ChainConfig {
  // Leaves out forks that only change blob parameters (EIP-7892), because blob schedules are set separately.
  const reached = forkRowsUpTo(name).filter(({ isOfBlobs }) => isOfBlobs !== true);
  const newest = reached.at(-1);
  if (newest === undefined) throw new Error(`unknown fork: ${name}`);
  return {
    name: 'chain',
    chainId: chain.chainId.toString(),
    defaultHardfork: newest.name,
    genesis: { gasLimit: 0, difficulty: 0, nonce: '0x0000000000000000', extraData: '0x' },
    hardforks: reached.map((fork) => ({ name: fork.name, block: 0 })),
    bootstrapNodes: [],
    consensus: { type: 'pow', algorithm: 'ethash' },
    ...(chain.depositContract === null ? {} : { depositContractAddress: `0x${toHex(chain.depositContract).slice(2)}` }),
  };
}

/**
 * A `Common` that is set to one fork and answers from tables. The original searches a list in `isActivatedEIP` and
 * makes a BigInt in `param` at each instruction, which takes 9 to 16 % of an execution. The price: this class depends
 * on two protected methods of the exact version in package.json. Copies keep the blob schedule and get their own
 * tables.
 */
class ForkCommon extends Common {
  // Not `#` fields: these do not exist yet while the parent's constructor runs, and `copy()` would not copy them. No
  // initial values: the parent's constructor fills these fields through the methods below, and initialisers would empty
  // them again afterwards.
  declare private activeEips: Uint8Array | undefined;
  declare private values: Map<string, bigint> | undefined;
  declare private reached: Map<string, boolean> | undefined;
  declare private blobs: BlobSchedule | undefined;

  constructor(chain: ChainConfig, name: string, blobs: BlobSchedule) {
    super({ chain, customCrypto: CUSTOM_CRYPTO, params: paramsEVM, hardfork: chain.defaultHardfork ?? name });
    this.blobs = blobs;
    this._buildParamsCache();
  }

  override isActivatedEIP(eip: number): boolean {
    this.activeEips ??= eipTable(this._activatedEIPsCache);
    return this.activeEips[eip] === 1;
  }

  override param(name: string): bigint {
    this.values ??= new Map();
    let value = this.values.get(name);
    if (value === undefined) this.values.set(name, (value = super.param(name)));
    return value;
  }

  override gteHardfork(name: string): boolean {
    this.reached ??= new Map();
    let reached = this.reached.get(name);
    if (reached === undefined) this.reached.set(name, (reached = super.gteHardfork(name)));
    return reached;
  }

  override copy(): Common {
    const copy = super.copy();
    if (copy instanceof ForkCommon) copy.forget();
    return copy;
  }

  override setHardfork(hardfork: string): void {
    this.forget();
    super.setHardfork(hardfork);
    this.forget();
  }

  protected override _buildParamsCache(): void {
    super._buildParamsCache();
    if (this.blobs !== undefined) this._mergeWithParamsCache(blobParams(this.blobs));
    this.values = undefined;
  }

  protected override _buildActivatedEIPsCache(): void {
    this.forget();
    super._buildActivatedEIPsCache();
    this.forget();
  }

  private forget(): void {
    this.activeEips = undefined;
    this.values = undefined;
    this.reached = undefined;
  }
}

/**
 * EIP that is treated as inactive, because @ethereumjs would refuse transactions that some chains accept. We check
 * `transactionGasMax` ourselves.
 */
const TRANSACTION_GAS_EIP = 7825;

/** Makes a table with one byte for each EIP below 16,384, so that one array access tells whether an EIP is active. */
function eipTable(eips: readonly number[]): Uint8Array {
  const table = new Uint8Array(16_384);
  for (const eip of eips) table[eip] = 1;
  table[TRANSACTION_GAS_EIP] = 0;
  return table;
}

/** Returns the blob schedule under the names that @ethereumjs looks for, before and after EIP-7892. */
function blobParams(blobs: BlobSchedule): Record<string, number> {
  return {
    target: blobs.target,
    max: blobs.max,
    targetBlobGasPerBlock: blobs.target * Number(GAS_PER_BLOB),
    maxBlobGasPerBlock: blobs.max * Number(GAS_PER_BLOB),
    blobGasPriceUpdateFraction: blobs.baseFeeUpdateFraction,
  };
}
