// Renders a simulated block as JSON, in go-ethereum's form.
import { encodeHeader } from '../../chain/block/header.js';
import { renderHeader, renderWithdrawal, type JsonValue, type JsonRecord } from '../../chain/render-header-json.js';
import { renderTransactionJson } from '../../transaction/render-transaction-json.js';
import { revertMessage } from '../../evm/revert-reason.js';
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import type { Log } from '../../state/complete-block.js';
import type { SealedSimulatedBlock, SimulatedCall } from './simulated-block.js';

/** Error codes of go-ethereum for a failed call. */
const REVERTED = 3;
const VM_ERROR = -32015;

interface CallPosition {
  readonly block: SealedSimulatedBlock;
  readonly index: number;
}

/** Returns the JSON of a block with its calls' results. `full`: with whole transactions instead of their hashes. */
export function renderSimulatedBlock(block: SealedSimulatedBlock, full: boolean): string {
  const { header, hash, sizeBytes, calls, withdrawals } = block;
  // Also counts the logs of failed frames, as go-ethereum does.
  let logIndex = 0;
  return JSON.stringify({
    ...renderHeader(encodeHeader(header)),
    hash: toHex(hash),
    size: toQuantity(sizeBytes),
    transactions: calls.map((call, index) => (full ? renderTransaction(call, { block, index }) : toHex(call.hash))),
    uncles: [],
    ...(withdrawals === null ? {} : { withdrawals: withdrawals.map(renderWithdrawal) }),
    calls: calls.map((call, index) => {
      const first = logIndex;
      logIndex += call.run.numbering?.made ?? 0;
      return renderCall(call, { block, index }, first);
    }),
  });
}

function renderTransaction({ raw, hash, from, gasPrice }: SimulatedCall, position: CallPosition): JsonRecord {
  const { type, fields } = renderTransactionJson(raw);
  return {
    ...positionMembers(position),
    hash: toHex(hash),
    from: toHex(from),
    type: toQuantity(type),
    gasPrice: toQuantity(gasPrice),
    ...fields,
    ...(type === 0 ? {} : { v: fields['yParity']! }),
  };
}

function positionMembers({ block: { hash, header }, index }: CallPosition): JsonRecord {
  return {
    blockHash: toHex(hash),
    blockNumber: toQuantity(header.number),
    blockTimestamp: toQuantity(header.timestamp),
    transactionIndex: toQuantity(index),
  };
}

function renderCall(call: SimulatedCall, position: CallPosition, firstLog: number): JsonValue {
  const { run, gasUsed, maxGasUsed } = call;
  const succeeded = run.status === 'success';
  return {
    returnData: succeeded ? toHex(run.returnData) : '0x',
    logs: run.logs.map((log, i) => renderLog(log, call, position, firstLog + (run.numbering?.places[i] ?? i))),
    gasUsed: toQuantity(gasUsed),
    maxUsedGas: toQuantity(maxGasUsed),
    status: succeeded ? '0x1' : '0x0',
    ...(succeeded ? {} : { error: renderError(call) }),
  };
}

function renderLog(
  { address, topics, data }: Log,
  { hash }: SimulatedCall,
  position: CallPosition,
  logIndex: number,
): JsonValue {
  return {
    ...positionMembers(position),
    transactionHash: toHex(hash),
    address: toHex(address),
    topics: topics.map(toHex),
    data: toHex(data),
    logIndex: toQuantity(logIndex),
    removed: false,
  };
}

function renderError({ run }: SimulatedCall): JsonValue {
  if (run.status === 'halt') return { message: run.error!.text, code: VM_ERROR };
  return { message: revertMessage(run.returnData), code: REVERTED, data: toHex(run.returnData) };
}
