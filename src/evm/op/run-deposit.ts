// The execution of a deposit transaction: what sets it apart from any other. Runs on the publisher.
import type { Common } from '@ethereumjs/common';
import type { EVM, EVMResult } from '@ethereumjs/evm';
import { Address } from '@ethereumjs/util';
import { EMPTY_CODE_HASH } from '../../state/view.js';
import { floorGas, INITCODE_BYTES_MAX, intrinsicGas } from '../intrinsic-gas.js';
import type { OverlayState } from '../state-manager.js';
import type { Deposit } from './deposit.js';

/** What a deposit runs on. The caller keeps or undoes what is written to the state. */
export interface DepositParts {
  readonly evm: EVM;
  readonly block: NonNullable<Parameters<EVM['runCall']>[0]['block']>;
  readonly state: OverlayState;
  readonly common: Common;
}

export interface DepositResult {
  readonly status: 0 | 1;
  readonly gasUsed: bigint;
  /** The sender's before it was raised: the one that a created contract's address comes from. */
  readonly nonce: bigint;
  readonly logs: NonNullable<EVMResult['execResult']['logs']>;
}

/**
 * Mints, raises the nonce and runs the message without a price. Nothing makes a deposit invalid: one that cannot begin
 * has failed, and has used all its gas.
 */
export async function runDeposit(deposit: Deposit, parts: DepositParts): Promise<DepositResult> {
  const { from, mint, gasLimit } = deposit;
  const { state } = parts;
  const { nonce, balance, codeHash } = state.accountOf(from) ?? NO_ACCOUNT;
  state.setAccount(from, { nonce: nonce + 1n, balance: balance + mint, codeHash });
  const intrinsic = intrinsicGas(priced(deposit), parts.common);
  const floor = floorGas(deposit.data, parts.common);
  if (gasLimit < intrinsic || gasLimit < floor || !canBegin(deposit, balance + mint))
    return { status: 0, gasUsed: gasLimit, nonce, logs: [] };
  warm(deposit, parts);
  const { execResult } = await parts.evm.runCall(message(deposit, parts, gasLimit - intrinsic));
  await cleanUp(execResult, parts);
  const used = gasUsed(intrinsic + execResult.executionGasUsed, execResult.gasRefund ?? 0n);
  return {
    status: execResult.exceptionError === undefined ? 1 : 0,
    gasUsed: used < floor ? floor : used,
    nonce,
    logs: execResult.logs ?? [],
  };
}

const NO_ACCOUNT = { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH };
/** EIP-3529: at most a fifth of the gas is given back. */
const REFUND_QUOTIENT = 5n;

function priced({ to, data }: Deposit): Parameters<typeof intrinsicGas>[0] {
  return { to, data, accessList: null, authorizationList: null };
}

/** EIP-3860, and the value must be there. */
function canBegin({ to, value, data }: Deposit, balance: bigint): boolean {
  return value <= balance && (to !== null || data.length <= INITCODE_BYTES_MAX);
}

/** EIP-2929, 3651. */
function warm({ from, to }: Deposit, { evm, block }: DepositParts): void {
  for (const address of evm.precompiles.keys()) evm.journal.addAlwaysWarmAddress(address);
  for (const address of [from, to, block.header.coinbase.bytes])
    if (address !== null) evm.journal.addAlwaysWarmAddress(Buffer.from(address).toString('hex'));
}

function message(deposit: Deposit, { block }: DepositParts, gasLimit: bigint): Parameters<EVM['runCall']>[0] {
  const { from, to, value, data } = deposit;
  return {
    block,
    caller: new Address(from),
    ...(to === null ? {} : { to: new Address(to) }),
    value,
    data,
    gasPrice: 0n,
    gasLimit,
    skipNonceIncrement: true,
  };
}

/** EIP-6780: contracts that were made and destroyed; EIP-161: accounts that are empty. */
async function cleanUp(execResult: EVMResult['execResult'], { evm, state }: DepositParts): Promise<void> {
  for (const text of execResult.selfdestruct?.keys() ?? []) {
    if (!execResult.createdAddresses?.has(text)) continue;
    await evm.journal.deleteAccount(new Address(Buffer.from(text.slice(2), 'hex')));
  }
  await evm.journal.cleanup();
  state.beginTransaction();
}

function gasUsed(gas: bigint, refund: bigint): bigint {
  const refundMax = gas / REFUND_QUOTIENT;
  return gas - (refund < refundMax ? refund : refundMax);
}
