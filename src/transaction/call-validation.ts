// Treats an RPC call as a transaction: determines its fees, and checks everything that can make it invalid before code
// runs (go-ethereum's `ToMessage`, `preCheck` and `buyGas` for calls).
import type { ErrorName } from '../rpc-errors.js';
import type { BlockEnv } from '../state/state-diff.js';
import type { AccountState } from '../state/views/state-view.js';
import { checksumAddress } from './checksum-address.js';
import type { CallRequest } from './evm-job.js';
import type { ExecutionContext } from '../evm/evm-engine.js';
import {
  BLOB_HASH_VERSION,
  GAS_PER_BLOB,
  TRANSACTION_BLOBS_MAX,
  type TransactionRules,
} from '../chain/active-forks.js';
import { codeLimits, initcodeTooLargeMessage } from '../chain/code-limits.js';
import { intrinsicAndFloorGas, type IntrinsicAndFloorGas } from './intrinsic-gas.js';

/** Reads the accounts that validation needs. */
export interface AccountReader {
  /** The account's current state; `null` if it does not exist. */
  accountOf(address: Uint8Array): AccountState | null;
}

/** A call with its fees and prices determined, and everything else that does not depend on the gas limit. */
export interface PricedCall extends IntrinsicAndFloorGas {
  readonly call: CallRequest;
  readonly rules: TransactionRules;
  readonly context: ExecutionContext;
  /** True if fees are checked as in a block; otherwise a missing fee counts as 0. */
  readonly isValidated: boolean;
  /** Highest price in wei per gas that the call may pay; 0 if no fee was passed. */
  readonly feeCap: bigint;
  readonly tipCap: bigint;
  /** Wei per gas that the call actually pays. */
  readonly gasPrice: bigint;
  readonly blobFeeCap: bigint;
  /** Largest amount in wei that the call's blobs may cost. */
  readonly blobCostMax: bigint;
}

/**
 * Why a call cannot be executed with this gas limit. `intrinsic`: the limit is below the intrinsic gas, so a higher one
 * would help. The RPC method puts its own prefix before the text.
 */
export interface InvalidCall {
  readonly kind: 'intrinsic' | 'invalid';
  /**
   * Returns the text. It is made only when it is shown: the checksum of an address in it (EIP-55) costs a Keccak hash,
   * and the binary search for an estimate drops most failures.
   */
  readonly text: () => string;
  /** The error that eth_simulateV1 returns. */
  readonly error: ErrorName;
}

/**
 * How a call is checked: as a plain call, as a transaction of a simulated block, or of a simulated block with
 * validation.
 */
type CallMode = 'call' | 'simulated' | 'validated';

/**
 * Determines the fees and prices of a call. For the code of a plain call without a fee, BASEFEE is 0. In a simulated
 * block, BASEFEE is the block's base fee.
 */
export function createCallTransaction(
  call: CallRequest,
  rules: TransactionRules,
  context: ExecutionContext,
  mode: CallMode = 'call',
): PricedCall {
  const feeCap = call.gasPrice ?? call.maxFeePerGas ?? 0n;
  const tipCap = call.gasPrice ?? call.maxPriorityFeePerGas ?? 0n;
  const gasPrice = call.gasPrice ?? effectivePrice(feeCap, tipCap, context.env.baseFeePerGas);
  const blobFeeCap = call.maxFeePerBlobGas ?? 0n;
  const blobFeeGiven = call.maxFeePerBlobGas === null ? call.blobVersionedHashes === null : blobFeeCap > 0n;
  const { intrinsicGas, floorGas } = intrinsicAndFloorGas(call, rules.common);
  return {
    call,
    rules,
    // Members are listed one by one, because V8 takes ten times as long for a spread.
    context: {
      env: mode === 'call' && gasPrice === 0n ? withoutBaseFee(context.env) : context.env,
      blobBaseFee: mode !== 'call' || blobFeeGiven ? context.blobBaseFee : 0n,
      precompileMoves: context.precompileMoves,
      blockHash: context.blockHash,
      deadline: context.deadline,
      onBlockRead: context.onBlockRead,
    },
    isValidated: mode === 'validated',
    feeCap,
    tipCap,
    gasPrice,
    blobFeeCap,
    blobCostMax: blobFeeCap === 0n ? 0n : callBlobGas(call) * blobFeeCap,
    intrinsicGas,
    floorGas,
  };
}

/** Returns the first rule that the call violates with this gas limit, in go-ethereum's order, or null. */
export function firstViolatedCallRule(tx: PricedCall, gasLimit: bigint, accounts: AccountReader): InvalidCall | null {
  const fees = invalidFees(tx);
  if (fees !== null) return fees;
  const blobs = invalidBlobs(tx);
  if (blobs !== null) return invalid(blobs);
  const authorizations = invalidAuthorizations(tx);
  if (authorizations !== null) return invalid(authorizations);
  const { call, rules } = tx;
  const limits = codeLimits(rules.common);
  if (call.to === null && rules.common.isActivatedEIP(3860) && call.data.length > limits.initcode)
    return invalid(() => initcodeTooLargeMessage(call.data.length, limits), 'initcodeTooLarge');
  const funds = insufficientFunds(tx, gasLimit, accounts);
  return funds === null ? insufficientGas(tx, gasLimit) : invalid(funds, 'insufficientFunds');
}

/**
 * Caches the last environment whose base fee was set to 0, because an engine recognizes a block by the identity of its
 * environment object.
 */
let free: { readonly of: BlockEnv; readonly env: BlockEnv } | null = null;

function withoutBaseFee(env: BlockEnv): BlockEnv {
  if (free?.of !== env) free = { of: env, env: { ...env, baseFeePerGas: 0n } };
  return free.env;
}

const WORD_MAX = 2n ** 256n - 1n;

type Text = () => string;

function invalid(text: Text, error: ErrorName = 'invalidTransaction'): InvalidCall {
  return { kind: 'invalid', text, error };
}

function effectivePrice(feeCap: bigint, tipCap: bigint, baseFee: bigint): bigint {
  if (feeCap === 0n && tipCap === 0n) return 0n;
  return tipCap + baseFee < feeCap ? tipCap + baseFee : feeCap;
}

/** Gas of the call's blobs (EIP-4844). */
export function callBlobGas(call: CallRequest): bigint {
  return BigInt(call.blobVersionedHashes?.length ?? 0) * GAS_PER_BLOB;
}

function invalidFees({ call, rules, context, feeCap, tipCap, isValidated }: PricedCall): InvalidCall | null {
  if (!rules.common.isActivatedEIP(1559) || (feeCap === 0n && tipCap === 0n && !isValidated)) return null;
  const { baseFeePerGas } = context.env;
  const { from } = call;
  if (feeCap < tipCap)
    return invalid(
      () =>
        `max priority fee per gas higher than max fee per gas: address ${checksumAddress(from)}, ` +
        `maxPriorityFeePerGas: ${tipCap}, maxFeePerGas: ${feeCap}`,
      'invalidParams',
    );
  if (feeCap < baseFeePerGas)
    return invalid(
      () =>
        `max fee per gas less than block base fee: address ${checksumAddress(from)}, ` +
        `maxFeePerGas: ${feeCap}, baseFee: ${baseFeePerGas}`,
      'feeTooLow',
    );
  return null;
}

function invalidBlobs({ call, rules, context, blobFeeCap, isValidated }: PricedCall): Text | null {
  const hashes = call.blobVersionedHashes;
  if (hashes === null) return null;
  if (call.to === null) return () => 'blob transaction of type create';
  if (hashes.length === 0) return () => 'blob transaction missing blob hashes';
  if (rules.common.isActivatedEIP(7594) && hashes.length > TRANSACTION_BLOBS_MAX)
    return () => 'blob transaction has too many blobs';
  const wrong = hashes.findIndex((hash) => hash[0] !== BLOB_HASH_VERSION);
  if (wrong >= 0) return () => `blob ${wrong} has invalid hash version`;
  if ((blobFeeCap === 0n && !isValidated) || blobFeeCap >= context.blobBaseFee) return null;
  return () =>
    `max fee per blob gas less than block blob gas fee: address ${checksumAddress(call.from)} ` +
    `blobGasFeeCap: ${blobFeeCap}, blobBaseFee: ${context.blobBaseFee}`;
}

function invalidAuthorizations({ call }: PricedCall): Text | null {
  const { authorizationList: list, from, to } = call;
  if (list === null || (list.length > 0 && to !== null)) return null;
  const why = to === null ? 'cannot be used to create contract' : 'with empty auth list';
  return () => `EIP-7702 transaction ${why} (sender ${checksumAddress(from)})`;
}

function insufficientFunds(tx: PricedCall, gasLimit: bigint, accounts: AccountReader): Text | null {
  const { from, value } = tx.call;
  const want = (tx.feeCap === 0n ? value : gasLimit * tx.feeCap + value) + tx.blobCostMax;
  if (want === 0n) return null;
  const have = accounts.accountOf(from)?.balance ?? 0n;
  if (want <= have) return null;
  const why = 'insufficient funds for gas * price + value';
  return want > WORD_MAX
    ? () => `${why}: address ${checksumAddress(from)} required balance exceeds 256 bits`
    : () => `${why}: address ${checksumAddress(from)} have ${have} want ${want}`;
}

function insufficientGas(
  { rules, intrinsicGas: intrinsic, floorGas: floor }: PricedCall,
  gasLimit: bigint,
): InvalidCall | null {
  if (gasLimit < intrinsic)
    return {
      kind: 'intrinsic',
      text: () => `intrinsic gas too low: have ${gasLimit}, want ${intrinsic}`,
      error: 'intrinsicGas',
    };
  const { executionGasMax: max } = rules;
  const least = intrinsic > floor ? intrinsic : floor;
  if (max !== null && least > max) return invalid(() => `intrinsic gas too high (cap: ${max}, tx: ${least})`);
  if (gasLimit < floor)
    return invalid(() => `insufficient gas for floor data gas cost: have ${gasLimit}, want ${floor}`);
  return null;
}
