// Blocks recorded from go-ethereum with their diffs, call traces and access lists, as a node returns them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { createChainRules, type ChainRules } from '../../../src/evm/reference/fork-rules.js';
import type { BlockPlan } from '../../../src/execution/block/block-executor.js';
import { parseGenesis } from '../../../src/execution/block/genesis.js';
import { TransactionExecutor } from '../../../src/execution/block/transaction-executor.js';
import { accessListWrites } from '../../../src/feed/diffs/decode-verified-access-list.js';
import {
  blockChangesFromAccessList,
  blockChangesFromTrace,
} from '../../../src/feed/diffs/block-changes-from-reported-writes.js';
import { contractsCreatedInCalls, mayHideCreation } from '../../../src/feed/diffs/hidden-creations.js';
import { parsePrestateDiffs } from '../../../src/feed/diffs/prestate-diff.js';
import {
  prestateContradiction,
  blockWritesFromTraces,
  type TransactionDiff,
} from '../../../src/feed/diffs/transaction-diff.js';
import type { BlockWrites } from '../../../src/feed/diffs/block-writes.js';
import { fromHex } from '../../../src/lib/bytes/hex.js';
import { mergeStateChanges } from '../../../src/state/merge-state-changes.js';
import type { StateChanges } from '../../../src/state/state-diff.js';
import { EXECUTOR } from '../../support/engine.js';
import { jsonOf } from './access-list-forms.js';
import { sharedData } from '../../support/shared-data.js';
import { WholeState, type Alloc } from './whole-state.js';

type Json = Readonly<Record<string, string>>;

/** A block, and a node's responses about it. */
export interface RecordedBlock {
  readonly number: number;
  readonly block: Json & {
    readonly transactions: readonly { readonly hash: string; readonly from: string; readonly to: string | null }[];
    readonly withdrawals: readonly Json[];
  };
  readonly blockAccessList: string | null;
  /** One `{pre, post}` per transaction; absent: not recorded. */
  readonly diffs?: readonly unknown[];
  /** callTracer's result, one per transaction. */
  readonly calls?: readonly unknown[];
}

/** EIP-8282: from Amsterdam on, both are called without data at the end of a block. */
const BUILDER_QUEUES = ['0x0000bff46984e3725691fa540a8c7589300d8282', '0x000064d678505ad48f8ccb093bc65613800e8282'].map(
  fromHex,
);

export function linesOf(file: string): unknown[] {
  const text = gunzipSync(readFileSync(file)).toString();
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));
}

/** The whole state after block `number` of the recorded chain. */
export function stateAfter(number: number): WholeState {
  const states = linesOf(sharedData('geth-amsterdam/state.jsonl.gz')) as { block: number; accounts: Alloc }[];
  return WholeState.of(states.find(({ block }) => block === number)!.accounts);
}

/** The recorded chain's genesis file without Amsterdam. */
export function genesisBefore(genesis: string): string {
  const file = JSON.parse(genesis) as { config: { amsterdamTime?: number; blobSchedule: { amsterdam?: unknown } } };
  delete file.config.amsterdamTime;
  delete file.config.blobSchedule.amsterdam;
  return JSON.stringify(file);
}

/** The recorded chain's rules as known before Amsterdam. */
export function rulesBefore(genesis: string): ChainRules {
  return createChainRules(parseGenesis('genesis.json', genesisBefore(genesis)).chain);
}

export function hashesOf({ block }: RecordedBlock): Uint8Array[] {
  return block.transactions.map(({ hash }) => fromHex(hash));
}

/** Diffs as debug_traceBlockByHash returns them. */
export function tracesOf({ block, diffs = [] }: RecordedBlock): unknown[] {
  return diffs.map((result, at) => ({ txHash: block.transactions[at]!.hash, result }));
}

export function diffsOf(recorded: RecordedBlock): TransactionDiff[] {
  return parsePrestateDiffs(tracesOf(recorded), hashesOf(recorded));
}

/** Follows a chain by its traces, on a state that it advances. */
export class TraceFollower {
  readonly state: WholeState;
  private readonly executor: TransactionExecutor;

  constructor(state: WholeState, rules: ChainRules) {
    this.state = state;
    this.executor = new TransactionExecutor(rules, state, EXECUTOR);
  }

  /** A block's writes, including unverified ones, and what contradicts the state. */
  writesOf(
    recorded: RecordedBlock,
    diffs: readonly TransactionDiff[],
  ): { writes: BlockWrites; mismatch: string | null } {
    const writes = blockWritesFromTraces(diffs);
    for (const [at, diff] of diffs.entries()) {
      const { from, to } = recorded.block.transactions[at]!;
      if (!mayHideCreation(diff, { from: fromHex(from), to: to === null ? null : fromHex(to) })) continue;
      for (const address of contractsCreatedInCalls(recorded.calls![at])) writes.suspect(address);
    }
    return { writes, mismatch: prestateContradiction(diffs, writes, this.state) };
  }

  /** Advances by one block. In `truth` the unverified accounts are as after the block. */
  async follow(recorded: RecordedBlock, writes: BlockWrites, truth: WholeState): Promise<StateChanges> {
    const isAmsterdam = recorded.block['blockAccessListHash'] !== undefined;
    const queues = isAmsterdam ? BUILDER_QUEUES : [];
    const deps = { executor: this.executor, view: this.state };
    const changes = await blockChangesFromTrace(planOf(recorded), writes, queues, deps);
    const all = mergeStateChanges([changes, truth.read(writes.unverified)]);
    this.state.apply(all);
    return all;
  }
}

/** Applies a block's access list, in either form, to a state. */
export function moveByList(state: WholeState, { block }: RecordedBlock, list: unknown): void {
  state.apply(blockChangesFromAccessList(accessListWrites(list, fromHex(block['blockAccessListHash']!)), state));
}

/**
 * Advances a state by the access lists of its next blocks and checks the root after each. For a block with recorded
 * diffs, these must lead to the same state. Returns how often an account was read again.
 */
export async function followAll(
  state: WholeState,
  blocks: readonly RecordedBlock[],
  rules: ChainRules,
): Promise<number> {
  let reread = 0;
  for (const recorded of blocks) {
    const { number, block, blockAccessList } = recorded;
    const parent = state.copy();
    const list = jsonOf(blockAccessList!);
    moveByList(state, recorded, number % 2 === 0 ? blockAccessList : list);
    // An error after one block is still there after later ones, and computing a root is slow.
    if (number % 4 === 0 || recorded === blocks.at(-1))
      assert.equal(await state.root(), block['stateRoot'], `block ${number} by its access list`);
    if (recorded.diffs === undefined) continue;
    const follower = new TraceFollower(parent, rules);
    const { writes, mismatch } = follower.writesOf(recorded, diffsOf(recorded));
    assert.equal(mismatch, null);
    await follower.follow(recorded, writes, state);
    assert.deepEqual(follower.state.differences(state), [], `block ${number} by diffs`);
    reread += writes.unverified.length;
  }
  return reread;
}

export function planOf({ block }: RecordedBlock): BlockPlan {
  const number = (name: string): bigint => BigInt(block[name]!);
  const bytes = (name: string): Uint8Array => fromHex(block[name]!);
  return {
    env: {
      number: Number(number('number')),
      timestamp: number('timestamp'),
      gasLimit: number('gasLimit'),
      baseFeePerGas: number('baseFeePerGas'),
      coinbase: bytes('miner'),
      prevRandao: bytes('mixHash'),
      difficulty: 0n,
      excessBlobGas: number('excessBlobGas'),
      parentBeaconBlockRoot: bytes('parentBeaconBlockRoot'),
      ...(block['slotNumber'] === undefined ? {} : { slotNumber: number('slotNumber') }),
    },
    parentHash: bytes('parentHash'),
    extraData: bytes('extraData'),
    withdrawals: block.withdrawals.map(({ index, validatorIndex, address, amount }) => ({
      index: BigInt(index!),
      validatorIndex: BigInt(validatorIndex!),
      address: fromHex(address!),
      amount: BigInt(amount!),
    })),
    work: null,
  };
}
