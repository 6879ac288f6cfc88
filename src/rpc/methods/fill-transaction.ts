// Methods that fill in the missing fields of a transaction: nonce, gas and fees at `pending`, all from one state
// version.
import { isForward, type MethodFunctionByName } from '../call/method-types.js';
import type { Caller } from '../answer/request-response-types.js';
import { isError, type RpcCallOutcome } from '../answer/call-result.js';
import { rpcError, type RpcError } from '../../rpc-errors.js';
import { decodeHeader } from '../../chain/block/header.js';
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import type { CallRequest } from '../../transaction/evm-job.js';
import { renderTransactionJson } from '../../transaction/render-transaction-json.js';
import { transactionBytesWithZeroSignature, type CompletedCall } from '../../transaction/unsigned-transaction.js';
import { RpcArguments } from '../params/arguments.js';
import { parseCallObject } from '../params/call-arguments.js';
import type { ForwardedCall } from '../view/upstream-node-access.js';
import type { ReadView } from '../view/pinned-read-view.js';
import type { AccountDeps } from './account.js';
import { executionMethods, type ExecutionDeps } from './call-and-estimate.js';
import { nextBlockFees } from './suggest-fees.js';

export interface FillTransactionDeps extends ExecutionDeps, AccountDeps {}

export const fillTransactionMethods = {
  /**
   * `[transaction]`: returns the transaction with all fields filled in, and its unsigned bytes. The request is
   * forwarded to the upstream node if data for it is missing in this process.
   */
  eth_fillTransaction: (args, readView, deps, caller) => {
    const show = (filled: CompletedCall | RpcError): RpcCallOutcome =>
      'error' in filled ? filled : JSON.stringify(shown(filled, deps.chain.chainId));
    const filled = fillInTransaction(args, readView, deps, caller);
    if (filled instanceof Promise) return filled.then(show);
    return 'forward' in filled ? filled : show(filled);
  },
} satisfies MethodFunctionByName<FillTransactionDeps>;

/** Fills in the transaction in the first parameter. `readView` is pinned to a state version. */
export function fillInTransaction(
  args: RpcArguments,
  readView: ReadView,
  deps: FillTransactionDeps,
  caller: Caller,
): CompletedCall | RpcError | ForwardedCall | Promise<CompletedCall | RpcError> {
  const request = args.required(0);
  const call = parseCallObject(args, request, 0, deps.chain.chainId);
  const forward: ForwardedCall = { forward: args.all };
  const fault = args.failure ?? faultOf(call);
  if (fault !== null) return fault;
  const priced = pricedIn(call, readView, deps);
  if (priced === null) return forward;
  const nonce = call.nonce ?? nonceOf(call.from, readView, deps);
  const settle = (gas: bigint): CompletedCall => ({ ...priced, nonce, gas });
  if (call.gas !== null) return settle(call.gas);
  const settled = (gas: RpcCallOutcome): CompletedCall | RpcError =>
    isError(gas) ? gas : settle(BigInt(JSON.parse(gas as string) as string));
  const gas = executionMethods.eth_estimateGas(new RpcArguments([args.all[0], 'pending']), readView, deps, caller);
  if (gas instanceof Promise) return gas.then(settled);
  return isForward(gas) ? forward : settled(gas);
}

/** Returns the error for a transaction that go-ethereum refuses, too; `null` if it is valid. */
function faultOf({ to, data, maxFeePerGas, maxPriorityFeePerGas }: CallRequest): RpcError | null {
  if (to === null && data.length === 0) return rpcError('execution', 'contract creation without any data provided');
  if (maxFeePerGas === null || maxPriorityFeePerGas === null || maxFeePerGas >= maxPriorityFeePerGas) return null;
  return rpcError('execution', `maxFeePerGas (${maxFeePerGas}) < maxPriorityFeePerGas (${maxPriorityFeePerGas})`);
}

/**
 * Sets the tip, and a fee cap that covers twice the current base fee. Returns `null` if the blocks from which the tip
 * is computed are not stored.
 */
function pricedIn(call: CallRequest, { blocks, pinned }: ReadView, deps: FillTransactionDeps): CallRequest | null {
  const { heads, env } = pinned.record;
  const blobs = call.blobVersionedHashes === null ? call : withBlobFee(call, heads.latest, blocks, deps);
  if (blobs === null || call.gasPrice !== null) return blobs;
  const tip = call.maxPriorityFeePerGas ?? deps.tips.suggest(blocks, heads.latest);
  if (tip === null) return null;
  const most = call.maxFeePerGas ?? tip + 2n * env.baseFeePerGas;
  return { ...blobs, maxFeePerGas: most, maxPriorityFeePerGas: tip < most ? tip : most };
}

function withBlobFee(
  call: CallRequest,
  latest: number,
  blocks: ReadView['blocks'],
  { chain }: FillTransactionDeps,
): CallRequest | null {
  const header = call.maxFeePerBlobGas === null ? blocks.header(latest) : null;
  if (call.maxFeePerBlobGas !== null) return call;
  return header === null
    ? null
    : { ...call, maxFeePerBlobGas: 2n * BigInt(nextBlockFees(decodeHeader(header), chain).blobBaseFee) };
}

/** Returns the account's next nonce at `pending`, as in eth_getTransactionCount. */
function nonceOf(from: Uint8Array, readView: ReadView, { ownSends }: FillTransactionDeps): bigint {
  const nonce = readView.pendingState().account(from)?.nonce ?? 0n;
  return ownSends?.next(from, nonce) ?? nonce;
}

/** Converts an unsigned transaction to the JSON object that go-ethereum returns. */
function shown(call: CompletedCall, chainId: bigint): object {
  const raw = transactionBytesWithZeroSignature(call, chainId);
  const { type, fields } = renderTransactionJson(raw);
  const { nonce, to, gas, gasPrice = null, maxPriorityFeePerGas = null, maxFeePerGas = null, value, input } = fields;
  const { accessList, maxFeePerBlobGas, blobVersionedHashes, authorizationList } = fields;
  return {
    raw: toHex(raw),
    tx: {
      type: toQuantity(type),
      ...(type === 0 ? {} : { chainId: fields['chainId'], accessList }),
      nonce,
      to,
      gas,
      gasPrice,
      maxPriorityFeePerGas,
      maxFeePerGas,
      ...(type === 3 ? { maxFeePerBlobGas, blobVersionedHashes } : {}),
      value,
      input,
      ...(type === 4 ? { authorizationList } : {}),
      v: '0x0',
      r: '0x0',
      s: '0x0',
      ...(type === 0 ? {} : { yParity: '0x0' }),
      hash: toHex(keccak256(raw)),
    },
  };
}
