// Plans the blocks of a simulation in order, and fills gaps with empty blocks (go-ethereum's `sanitizeChain`). Pure.

// Headers of simulated blocks are only complete if the whole state is available. See DECISIONS.md.
import type { ErrorName } from '../../rpc-errors.js';
import { LIMITS } from '../../limits/index.js';
import type { CallsInBlock } from '../../transaction/evm-job.js';

/** A requested block, with its number and timestamp. */
export interface PlannedBlock extends CallsInBlock {
  readonly number: number;
  /** Seconds since 1970. */
  readonly timestamp: bigint;
}

/** Why the requested blocks are impossible. */
export interface PlanError {
  readonly error: ErrorName;
  readonly message: string;
}

type BlockPosition = Pick<PlannedBlock, 'number' | 'timestamp'>;

/** Seconds between two blocks, if the request gives no time. */
const BLOCK_TIME = 12n;
const EMPTY: CallsInBlock = { stateOverride: [], blockOverride: null, calls: [] };

export function planBlocks(blocks: readonly CallsInBlock[], parent: BlockPosition): PlannedBlock[] | PlanError {
  const planned: PlannedBlock[] = [];
  for (const block of blocks) {
    const number = block.blockOverride?.number ?? BigInt((planned.at(-1) ?? parent).number + 1);
    const fault = outOfOrder(number, (planned.at(-1) ?? parent).number, parent.number);
    if (fault !== null) return fault;
    fillGap(planned, parent, Number(number));
    const before = planned.at(-1) ?? parent;
    const timestamp = block.blockOverride?.time ?? before.timestamp + BLOCK_TIME;
    if (timestamp <= before.timestamp) return late(timestamp, before.timestamp);
    planned.push({ ...block, number: Number(number), timestamp });
  }
  return planned;
}

function outOfOrder(number: bigint, before: number, parent: number): PlanError | null {
  if (number <= BigInt(before))
    return { error: 'blockNumberOrder', message: `block numbers must be in order: ${number} <= ${before}` };
  const count = number - BigInt(parent);
  return count > BigInt(LIMITS.simulatedBlocksMax) ? { error: 'tooManyBlocks', message: 'too many blocks' } : null;
}

function late(timestamp: bigint, before: bigint): PlanError {
  return { error: 'blockTimeOrder', message: `block timestamps must be in order: ${timestamp} <= ${before}` };
}

/** Adds empty blocks up to block `number - 1`. */
function fillGap(planned: PlannedBlock[], parent: BlockPosition, number: number): void {
  for (let last = planned.at(-1) ?? parent; last.number < number - 1; last = planned.at(-1)!)
    planned.push({ ...EMPTY, number: last.number + 1, timestamp: last.timestamp + BLOCK_TIME });
}
