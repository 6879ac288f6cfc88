// Blocks of made-up OP Stack chains: a chain at a fork, deposits from fields, signed transactions, an execution.
import type { ChainDescription } from '../../../src/chain/chain-description.js';
import { BlockExecutor } from '../../../src/execution/block/block-executor.js';
import type { StateChanges } from '../../../src/state/state-diff.js';
import { TransactionExecutor } from '../../../src/execution/block/transaction-executor.js';
import { OP_FORKS_BY_LINEAGE } from '../../../src/chain/forks.table.js';
import { OP_FORK_NAMES, opChainDescription, type OpFork } from '../../../src/chain/op/forks.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { PrivateKeySigner } from '../../../src/transaction/ethereumjs-transaction.js';
import { encodeRlp } from '../../../src/lib/bytes/encode-rlp.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import { blockEnv } from '../../support/jobs.js';
import { bytes, type MemoryView } from '../../support/memory-view.js';
import { EXECUTOR } from '../../support/engine.js';

/** True if the fork belongs to that branch. */
export function isOn(branch: keyof typeof OP_FORKS_BY_LINEAGE, fork: OpFork): boolean {
  return (OP_FORKS_BY_LINEAGE[branch] as readonly OpFork[]).includes(fork);
}

/** A chain on which every fork up to `fork` is active from genesis. */
export function opChainAt(fork: OpFork): ChainDescription {
  const isReached = (name: OpFork): boolean =>
    OP_FORK_NAMES.indexOf(name) <= OP_FORK_NAMES.indexOf(fork) && !(isOn('base', fork) && isOn('superchain', name));
  const times = Object.fromEntries(OP_FORK_NAMES.map((name) => [name, isReached(name) ? 0 : null]));
  return opChainDescription({
    chainId: 901n,
    canyon: 0,
    ...(times as Record<OpFork, number | null>),
    elasticity: 6,
    denominator: 250,
  });
}

export const KEY = new Uint8Array(32).fill(7);
/** Address of KEY. */
export const SENDER = '0x4a62316623ad457f02cdc5d997ded67a383ec569';
export const COINBASE = `0x${'cb'.repeat(20)}`;

export interface DepositFields {
  readonly from: string;
  readonly to?: string;
  readonly mint?: bigint;
  readonly value?: bigint;
  readonly gas?: bigint;
  readonly isSystem?: boolean;
  /** Hex or bytes. */
  readonly data?: string | Uint8Array;
}

export function depositBytes(fields: DepositFields): Uint8Array {
  const { from, to, mint = 0n, value = 0n, gas = 1_000_000n, isSystem = false, data = '' } = fields;
  const recipient = to === undefined ? '' : bytes(to, 20);
  const message = [recipient, mint, value, gas, isSystem ? 1 : 0, bytes(data, 0)];
  return encodeRlp([new Uint8Array(32).fill(0x5c), bytes(from, 20), ...message], 0x7e);
}

/** A signed EIP-1559 transaction of SENDER. */
export function signedBytes(
  chain: ChainDescription,
  fields: { to: string; nonce?: bigint; gasLimit?: bigint; value?: bigint; data?: Uint8Array },
): Uint8Array {
  const { to, nonce = 0n, gasLimit = 100_000n, value = 0n, data = new Uint8Array(0) } = fields;
  const fees = { tipCap: 2n, feeCap: 10n };
  const unsigned = { nonce, ...fees, gasLimit, to: bytes(to, 20), value, data };
  return new PrivateKeySigner(KEY).sign(unsigned, createChainRules(chain).at(1, 0)).serialize();
}

/** L1Block's storage, with prices that make its fields distinguishable. */
export function l1BlockStorage(operator: {
  scalar: bigint;
  constant: bigint;
  footprint?: bigint;
}): Record<string, bigint> {
  return {
    '01': 9n,
    '03': (2000n << 96n) | (900_000n << 64n) | 77n,
    '07': 1n,
    '08': ((operator.footprint ?? 0n) << 96n) | (operator.scalar << 64n) | operator.constant,
  };
}

/** An open block on `view`. */
export async function openBlock(chain: ChainDescription, view: MemoryView): Promise<BlockExecutor> {
  const plan = {
    env: blockEnv({ coinbase: bytes(COINBASE, 20) }),
    parentHash: new Uint8Array(32),
    extraData: new Uint8Array(0),
    withdrawals: [],
    work: null,
  };
  return BlockExecutor.open(plan, {
    executor: new TransactionExecutor(createChainRules(chain), view, EXECUTOR),
    view,
    trie: null,
  });
}

/** Balances after `changes`, by address. */
export function balancesOf(changes: StateChanges): ReadonlyMap<string, bigint> {
  return new Map(changes.accounts.map(({ address, account }) => [toHex(address), account?.balance ?? 0n]));
}

/** The word that `changes` writes to a slot, or `null` if it does not. */
export function wordOf(changes: StateChanges, address: string, slot: bigint): Uint8Array | null {
  const key = toHex(toBytes(slot, 32));
  const found = changes.slots.find((each) => toHex(each.address) === address && toHex(each.slot) === key);
  return found?.value ?? null;
}
