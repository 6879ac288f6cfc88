// Determines which OP-Stack fork is active at a block, and which Ethereum fork it includes. Needs no EVM.
import { FORKS, OP_FORKS_BY_LINEAGE, OP_FORK_NAMES, type OpFork } from '../forks.table.js';
import type { ChainDescription, ForkActivation, OpChain, OpForkTimes } from '../chain-description.js';

export { OP_FORK_NAMES, type OpFork } from '../forks.table.js';

/** The forks after Jovian. A chain has either the superchain's or Base's. */
const { superchain: SUPERCHAIN, base: BASE }: Readonly<Record<keyof typeof OP_FORKS_BY_LINEAGE, readonly OpFork[]>> =
  OP_FORKS_BY_LINEAGE;

export interface OpRules {
  readonly fork: OpFork;
  /** True if the rules of this fork apply: it is active, or a fork that builds on it is. */
  has(fork: OpFork): boolean;
}

/**
 * Returns the OP-Stack rules of a block with this timestamp (seconds); `null` before Ecotone, the table's first fork.
 */
export function opRulesAt(op: OpChain, timestamp: bigint | number): OpRules | null {
  const fork = OP_FORK_NAMES.findLast((name) => op[name] !== null && timestamp >= op[name]);
  if (fork === undefined) return null;
  const without = BASE.includes(fork) ? SUPERCHAIN : [];
  return { fork, has: (name) => !without.includes(name) && OP_FORK_NAMES.indexOf(name) <= OP_FORK_NAMES.indexOf(fork) };
}

/**
 * Description of an OP-Stack chain by fork times. A fork that is left out is not planned. Canyon is included because it
 * brings Shanghai, its only effect on execution.
 */
export interface OpChainOptions extends Partial<OpForkTimes>, Omit<OpChain, OpFork> {
  readonly chainId: bigint;
  readonly canyon: number;
}

/** Fork times of a chain for which no fork is planned. */
const NONE_PLANNED = Object.fromEntries(OP_FORK_NAMES.map((fork) => [fork, null])) as Record<OpFork, null>;

/**
 * Makes a chain description in which each OP-Stack fork activates the Ethereum fork that it includes, starting with
 * Bedrock (Paris). Throws if the forks are out of order.
 */
export function opChainDescription({ chainId, canyon, ...options }: OpChainOptions): ChainDescription {
  const op: OpChain = { ...NONE_PLANNED, ...options };
  checkOpForkOrder(op);
  const times = { canyon, ...op };
  const forks: ForkActivation[] = [{ name: 'paris', block: 0, timestamp: null }];
  for (const { name, op: brought = [] } of FORKS) {
    const by = brought.find((fork) => times[fork] !== null);
    if (by !== undefined) forks.push({ name, block: null, timestamp: times[by] });
  }
  return { chainId, forks, blobSchedule: {}, depositContract: null, transactionGasCap: true, op };
}

/**
 * Throws if a fork starts before one that it builds on. A fork without a time counts as starting together with the next
 * fork that has one.
 */
export function checkOpForkOrder(op: OpForkTimes): void {
  const isOn = (branch: readonly OpFork[]): boolean => branch.some((fork) => op[fork] !== null);
  if (isOn(SUPERCHAIN) && isOn(BASE))
    throw new Error(`forks from ${SUPERCHAIN[0]} on and those of Base (from ${BASE[0]} on) exclude one another`);
  const planned = OP_FORK_NAMES.filter((fork) => op[fork] !== null);
  for (const [i, fork] of planned.entries()) {
    const previous = planned[i - 1];
    if (previous !== undefined && op[fork]! < op[previous]!) throw new Error(`${fork} comes before ${previous}`);
  }
}
