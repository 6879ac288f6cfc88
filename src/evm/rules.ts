// Chain rules: which fork is active at a block, and what that means to an EVM. Runs on publisher and estimators.
// oxlint-disable no-underscore-dangle -- the names are @ethereumjs/common's
import { Common, type ChainConfig } from '@ethereumjs/common';
import { paramsEVM } from '@ethereumjs/evm';
import { toHex } from '../lib/hex.js';
import type { BlobSchedule, ChainDescription, ForkActivation } from './chain.js';
import { CRYPTO } from './crypto.js';

/** Blob gas of one blob (EIP-4844). */
export const GAS_PER_BLOB = 131_072n;
/** EIP-7825: largest gas limit of a transaction. */
export const TRANSACTION_GAS_MAX = 16_777_216n;

/** The rules of one fork of one chain. Objects are kept: the same fork always answers with the same object. */
export interface ForkRules {
  /** `@ethereumjs/common` hardfork name. */
  readonly fork: string;
  /** Pinned to the fork; never call `setHardfork` on it. `copy()` gives an independent one. */
  readonly common: Common;
  /** EIP-7825: largest gas limit of a transaction; `null` where there is none. */
  readonly transactionGasMax: bigint | null;
  /** EIP-7691, EIP-7892: blobs of one block. */
  readonly blobsMax: number;
  /** Wei per blob gas for a block with this excess (EIP-4844). */
  blobBaseFee(excessBlobGas: bigint): bigint;
  /** Excess blob gas of the block after one with these values (EIP-4844, EIP-7918). */
  nextExcessBlobGas(parentExcess: bigint, parentBlobGasUsed: bigint, parentBaseFee: bigint): bigint;
}

/** The rules of one chain, by block. */
export interface Rules {
  readonly chain: ChainDescription;
  /** Rules of the block with this number and timestamp (seconds). */
  at(number: number, timestamp: number): ForkRules;
}

/** Rules of `chain`. An unknown fork name or an empty list of forks is a configuration error and throws. */
export function createRules(chain: ChainDescription): Rules {
  if (chain.forks.length === 0) throw new Error('a chain needs at least one fork');
  const forks = new Map<string, ForkRules>();
  return {
    chain,
    at(number, timestamp) {
      const index = activeFork(chain.forks, number, timestamp);
      const name = chain.forks[index]!.name;
      let rules = forks.get(name);
      if (rules === undefined) forks.set(name, (rules = forkRules(chain, index)));
      return rules;
    },
  };
}

/** Forks in the order in which they build on one another; a chain that starts with a later one has all before it. */
const ORDER = [
  'chainstart',
  'homestead',
  'tangerineWhistle',
  'spuriousDragon',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'muirGlacier',
  'berlin',
  'london',
  'arrowGlacier',
  'grayGlacier',
  'paris',
  'mergeNetsplitBlock',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
  'bpo1',
  'bpo2',
  'bpo3',
  'bpo4',
  'bpo5',
];

/** Cancun's schedule, which EIP-4844 fixes; Prague's (EIP-7691). Used where a chain describes none. */
const CANCUN_BLOBS: BlobSchedule = { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 };
const PRAGUE_BLOBS: BlobSchedule = { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 };

function activeFork(forks: readonly ForkActivation[], number: number, timestamp: number): number {
  let active = 0;
  for (let i = 1; i < forks.length; i++) {
    const { block, timestamp: time } = forks[i]!;
    if (block === null ? time === null || timestamp < time : number < block) break;
    active = i;
  }
  return active;
}

function forkRules(chain: ChainDescription, index: number): ForkRules {
  const { name } = chain.forks[index]!;
  const blobs = blobSchedule(chain, index);
  const common = new ForkCommon(chainConfig(chain, name), name, blobs);
  const fraction = BigInt(blobs.baseFeeUpdateFraction);
  const blobBaseFee = (excess: bigint): bigint => fakeExponential(1n, excess, fraction);
  const target = BigInt(blobs.target) * GAS_PER_BLOB;
  return {
    fork: name,
    common,
    transactionGasMax: chain.transactionGasCap && common.isActivatedEIP(7825) ? TRANSACTION_GAS_MAX : null,
    blobsMax: blobs.max,
    blobBaseFee,
    nextExcessBlobGas(parentExcess, parentUsed, parentBaseFee) {
      const sum = parentExcess + parentUsed;
      if (sum < target) return 0n;
      // EIP-7918: while blobs are cheaper than the execution that carries them, the excess only grows.
      if (common.isActivatedEIP(7918) && 8192n * parentBaseFee > GAS_PER_BLOB * blobBaseFee(parentExcess))
        return parentExcess + (parentUsed * BigInt(blobs.max - blobs.target)) / BigInt(blobs.max);
      return sum - target;
    },
  };
}

function blobSchedule(chain: ChainDescription, index: number): BlobSchedule {
  for (let i = index; i >= 0; i--) {
    const schedule = chain.blobSchedule[chain.forks[i]!.name];
    if (schedule !== undefined) return schedule;
  }
  return ORDER.indexOf(chain.forks[index]!.name) >= ORDER.indexOf('prague') ? PRAGUE_BLOBS : CANCUN_BLOBS;
}

function chainConfig(chain: ChainDescription, name: string): ChainConfig {
  const reached = name === 'dao' ? ORDER.indexOf('homestead') : ORDER.indexOf(name);
  if (reached < 0) throw new Error(`unknown fork: ${name}`);
  return {
    name: 'chain',
    chainId: chain.chainId.toString(),
    defaultHardfork: ORDER[reached]!,
    genesis: { gasLimit: 0, difficulty: 0, nonce: '0x0000000000000000', extraData: '0x' },
    hardforks: ORDER.slice(0, reached + 1).map((fork) => ({ name: fork, block: 0 })),
    bootstrapNodes: [],
    consensus: { type: 'pow', algorithm: 'ethash' },
    ...(chain.depositContract === null ? {} : { depositContractAddress: `0x${toHex(chain.depositContract).slice(2)}` }),
  };
}

/**
 * A Common pinned to one fork, with its questions answered from tables: `isActivatedEIP` searches a list and `param`
 * makes a BigInt at every opcode otherwise, 9-16 % of an execution. Price: it leans on two protected methods of the
 * exact version in package.json. Copies keep the blob schedule and get tables of their own.
 */
class ForkCommon extends Common {
  // No initial values: the parent's constructor fills these through the methods below, and an initialiser would
  // run after it and empty them again.
  declare private activeEips: Uint8Array | undefined;
  declare private values: Map<string, bigint> | undefined;
  declare private reached: Map<string, boolean> | undefined;
  declare private blobs: BlobSchedule | undefined;

  constructor(chain: ChainConfig, name: string, blobs: BlobSchedule) {
    super({ chain, customCrypto: CRYPTO, params: paramsEVM, hardfork: chain.defaultHardfork ?? name });
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

/** Numbers of EIPs are below 8192; a byte each answers in one load. */
function eipTable(eips: readonly number[]): Uint8Array {
  const table = new Uint8Array(8192);
  for (const eip of eips) table[eip] = 1;
  return table;
}

/** The names under which the libraries look for a schedule, before and after EIP-7892. */
function blobParams(blobs: BlobSchedule): Record<string, number> {
  return {
    target: blobs.target,
    max: blobs.max,
    targetBlobGasPerBlock: blobs.target * Number(GAS_PER_BLOB),
    maxBlobGasPerBlock: blobs.max * Number(GAS_PER_BLOB),
    blobGasPriceUpdateFraction: blobs.baseFeeUpdateFraction,
  };
}

/** EIP-4844's `fake_exponential`: factor * e ** (numerator / denominator). */
function fakeExponential(factor: bigint, numerator: bigint, denominator: bigint): bigint {
  let output = 0n;
  let term = factor * denominator;
  for (let i = 1n; term > 0n; i++) {
    output += term;
    term = (term * numerator) / (denominator * i);
  }
  return output / denominator;
}
