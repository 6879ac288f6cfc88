// Plans the blocks of a simulation in order, and fills gaps with empty blocks (go-ethereum's `sanitizeChain`). Pure.

// Headers of simulated blocks are only complete if the whole state is available. See DECISIONS.md.
import { LIMITS } from '../../limits/index.js';
import { failureOutcome, type CallsInBlock, type FailureOutcome } from '../../transaction/evm-job.js';

/** A requested block, with its number and timestamp. */
export interface PlannedBlock extends CallsInBlock {
  readonly number: number;
  /** Seconds since 1970. */
  readonly timestamp: bigint;
}

type BlockPosition = Pick<PlannedBlock, 'number' | 'timestamp'>;

/** Seconds between two blocks, if the request gives no time. */
const BLOCK_TIME = 12n;
const EMPTY: CallsInBlock = { stateOverride: [], blockOverride: null, calls: [] };

export function planBlocks(blocks: readonly CallsInBlock[], parent: BlockPosition): PlannedBlock[] | FailureOutcome {
  const planned: PlannedBlock[] = [];
  let last = parent;
  const add = (block: CallsInBlock, timestamp: bigint): void => {
    const next = { ...block, number: last.number + 1, timestamp };
    planned.push(next);
    last = next;
  };
  for (const block of blocks) {
    const number = block.blockOverride?.number ?? BigInt(last.number + 1);
    const fault = outOfOrder(number, last.number, parent.number);
    if (fault !== null) return fault;
    while (last.number + 1 < number) add(EMPTY, last.timestamp + BLOCK_TIME);
    const timestamp = block.blockOverride?.time ?? last.timestamp + BLOCK_TIME;
    if (timestamp <= last.timestamp) return late(timestamp, last.timestamp);
    add(block, timestamp);
  }
  return planned;
}

function outOfOrder(number: bigint, before: number, parent: number): FailureOutcome | null {
  if (number <= BigInt(before))
    return failureOutcome(`block numbers must be in order: ${number} <= ${before}`, 'blockNumberOrder');
  const count = number - BigInt(parent);
  return count > BigInt(LIMITS.simulatedBlocksMax) ? failureOutcome('too many blocks', 'tooManyBlocks') : null;
}

function late(timestamp: bigint, before: bigint): FailureOutcome {
  return failureOutcome(`block timestamps must be in order: ${timestamp} <= ${before}`, 'blockTimeOrder');
}
