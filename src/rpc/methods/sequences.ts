// Methods that run several calls, each on what those before it have left: eth_simulateV1 and eth_callMany. Runs on main.
import { encodeHeader, NO_UNCLES_HASH } from '../../chain/header.js';
import { rpcError, type RpcError } from '../../errors.js';
import { LIMITS } from '../../limits.js';
import type { BlockEnv } from '../../state/diff.js';
import {
  EMPTY_CALL,
  type CallBlock,
  type Job,
  type JobPosition,
  type Simulation,
} from '../../transaction/call-request.js';
import type { Arguments, BlockRef } from './arguments.js';
import { blockOverrideOf, callOf, readStateOverride, stateOverrideOf, withoutNonce } from './call-arguments.js';
import { submit } from './execution.js';
import { FieldReader } from './field-reader.js';
import type { Forward, MethodParts, Run } from './method.js';
import type { UpstreamPosition } from '../chain-blocks.js';
import type { LocalPosition, ReadView } from '../read-view.js';

/**
 * `[{blockStateCalls, traceTransfers?, validation?, returnFullTransactions?}, block?]`: the blocks that these calls would make
 * on top of it.
 */
export const simulateV1: Run = (args, readView, parts, asker) => {
  const options = simulationOf(args);
  const blocks = simulatedBlocks(args, parts.chain.chainId);
  const block = args.block(1);
  if (args.failure) return args.failure;
  if (blocks.length === 0) return rpcError('invalidParams', 'empty input');
  if (blocks.length > LIMITS.simulatedBlocksMax) return rpcError('tooManyBlocks');
  const position = readView.resolve(block);
  // The specification of this method has a code of its own for it.
  if ('error' in position) return position.error === 'blockNotFound' ? { ...position, error: 'execution' } : position;
  if (position.kind === 'upstream') return args.forward(1, position);
  const parent = parentOf(position, readView);
  if (parent !== null) {
    const job = sequenceJob('simulate', position, blocks, parts);
    return submit({ ...job, simulation: { ...options, ...parent } }, undefined, parts, asker);
  }
  const elsewhere = readView.blocks.upstream(position.block);
  return elsewhere === null ? rpcError('stateNotKept') : args.forward(1, elsewhere);
};

/**
 * `[bundles, {blockNumber?, transactionIndex?}?, stateOverride?, timeout?]`: what every call of every bundle returns. The time
 * is in milliseconds, at most that of any call.
 */
export const callMany: Run = (args, readView, parts, asker) => {
  const blocks = bundlesOf(args, parts.chain.chainId);
  const { block, isInside } = contextOf(args);
  const stateOverride = readStateOverride(args, 2);
  const timeoutMs = timeoutOf(args, parts.timeoutMs);
  if (args.failure) return args.failure;
  const position = readView.resolve(block);
  if ('error' in position) return position;
  if (position.kind === 'upstream') return forwardMany(args, position);
  if (isInside) return insideOf(position, args, readView);
  return submit(
    { ...sequenceJob('callMany', position, blocks, parts), stateOverride, timeoutMs },
    undefined,
    parts,
    asker,
  );
};

function sequenceJob(
  kind: 'simulate' | 'callMany',
  position: JobPosition,
  blocks: readonly CallBlock[],
  { gasCap, timeoutMs }: MethodParts,
): Job {
  const call = blocks.find(({ calls }) => calls.length > 0)?.calls[0] ?? EMPTY_CALL;
  return { kind, position, call, stateOverride: [], blockOverride: null, blocks, gasCap, timeoutMs };
}

// ---- eth_simulateV1 ----

function optionsOf(args: Arguments): FieldReader {
  return new FieldReader(args, args.object(args.required(0), 'ethapi.simOpts', { index: 0 }), 'simOpts', 0);
}

function simulationOf(args: Arguments): Omit<Simulation, 'parentHeader' | 'isPreConfirmed'> {
  const reader = optionsOf(args);
  return {
    traceTransfers: reader.flag('traceTransfers'),
    validation: reader.flag('validation'),
    returnFullTransactions: reader.flag('returnFullTransactions'),
  };
}

function simulatedBlocks(args: Arguments, chainId: bigint): CallBlock[] {
  return optionsOf(args)
    .items('blockStateCalls', '[]ethapi.simBlock')
    .map((item) => {
      const reader = new FieldReader(args, args.object(item, 'ethapi.simBlock', { index: 0 }), 'simBlock', 0);
      return {
        stateOverride: reader.has('stateOverrides') ? stateOverrideOf(args, reader.value('stateOverrides'), 0) : [],
        blockOverride: reader.has('blockOverrides')
          ? blockOverrideOf(args, reader.value('blockOverrides'), 0, true)
          : null,
        calls: reader.items('calls', '[]ethapi.TransactionArgs').map((call) => callOf(args, call, 0, chainId)),
      };
    });
}

/** The block that is built on; `null` where its header is not here. */
function parentOf(
  position: LocalPosition,
  { pinned, blocks }: ReadView,
): Pick<Simulation, 'parentHeader' | 'isPreConfirmed'> | null {
  const isPreConfirmed = position.kind === 'version' && position.version === pinned.version && pinned.isPreconfirmed();
  const parentHeader = isPreConfirmed ? openHeader(pinned.record.env) : blocks.header(position.block);
  return parentHeader === null ? null : { parentHeader, isPreConfirmed };
}

const ZERO_WORD = new Uint8Array(32);

/** What is known of the header of a pre-confirmed block, with zeros for the rest. */
function openHeader(env: BlockEnv): Uint8Array {
  return encodeHeader({
    parentHash: ZERO_WORD,
    unclesHash: NO_UNCLES_HASH,
    coinbase: env.coinbase,
    stateRoot: ZERO_WORD,
    transactionsRoot: ZERO_WORD,
    receiptsRoot: ZERO_WORD,
    logsBloom: new Uint8Array(256),
    difficulty: env.difficulty,
    number: env.number,
    gasLimit: env.gasLimit,
    gasUsed: 0n,
    timestamp: env.timestamp,
    extraData: new Uint8Array(0),
    mixHash: env.prevRandao,
    nonce: new Uint8Array(8),
    baseFeePerGas: env.baseFeePerGas,
    withdrawalsRoot: ZERO_WORD,
    blobGasUsed: 0n,
    excessBlobGas: env.excessBlobGas,
    parentBeaconBlockRoot: env.parentBeaconBlockRoot,
    requestsHash: null,
  });
}

// ---- eth_callMany ----

function bundlesOf(args: Arguments, chainId: bigint): CallBlock[] {
  return args.array(args.required(0), '[]ethapi.Bundle', { index: 0 }).map((item) => {
    const reader = new FieldReader(args, args.object(item, 'ethapi.Bundle', { index: 0 }), 'Bundle', 0);
    const calls = reader.items('transactions', '[]ethapi.TransactionArgs');
    return {
      stateOverride: [],
      blockOverride: reader.has('blockOverride') ? blockOverrideOf(args, reader.value('blockOverride'), 0) : null,
      calls: calls.map((call) => withoutNonce(callOf(args, call, 0, chainId))),
    };
  });
}

/** Where the calls begin: after all transactions of a block, or inside of it. */
interface Context {
  readonly block: BlockRef;
  readonly isInside: boolean;
}

function contextOf(args: Arguments): Context {
  const context = args.has(1) ? args.object(args.required(1), 'ethapi.StateContext', { index: 1 }) : {};
  const { transactionIndex = -1 } = context;
  const isInside = transactionIndex !== null && transactionIndex !== -1;
  return { block: args.blockOf(context['blockNumber'], 1), isInside };
}

/** State inside of a complete block is the upstream node's to know; nobody else makes it again. */
function insideOf({ block }: LocalPosition, args: Arguments, { blocks, pinned }: ReadView): Forward | RpcError {
  const elsewhere = block <= pinned.record.heads.latest ? blocks.upstream(block) : null;
  if (elsewhere !== null) return forwardMany(args, elsewhere);
  const where = 'calls begin after the whole block here';
  return rpcError('invalidParams', `invalid argument 1: transactionIndex other than -1 is not supported: ${where}`);
}

/** The same call for the upstream node, with the block named as it has to be there. */
function forwardMany(args: Arguments, { ref }: UpstreamPosition): Forward {
  const [bundles, context, ...others] = args.all;
  const params = [bundles, { ...(context as object | undefined), blockNumber: ref }, ...others];
  return { forward: params, block: typeof ref === 'string' ? ref : ref.blockHash };
}

function timeoutOf(args: Arguments, timeoutMsMax: number): number {
  if (!args.has(3)) return timeoutMsMax;
  const timeoutMs = args.required(3);
  if (typeof timeoutMs === 'number' && Number.isSafeInteger(timeoutMs) && timeoutMs > 0)
    return Math.min(timeoutMs, timeoutMsMax);
  args.fail('invalid argument 3: the time must be a number of milliseconds');
  return timeoutMsMax;
}
