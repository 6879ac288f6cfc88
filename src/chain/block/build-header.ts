// Builds a block's header from its environment and its execution results, with the fields that its fork has. Used for
// complete blocks, for pre-confirmed blocks (as far as they are known), and for simulated blocks.
import type { BlockEnv } from '../../state/state-diff.js';
import type { ActiveForks } from '../active-forks.js';
import { EMPTY_UNCLES_HASH, type Header } from './header.js';

export interface HeaderFieldsBesideEnv extends Pick<
  Header,
  'parentHash' | 'extraData' | 'stateRoot' | 'transactionsRoot' | 'receiptsRoot' | 'logsBloom' | 'gasUsed'
> {
  /** Proof-of-work fields; absent from the merge on. */
  readonly work?: Pick<Header, 'unclesHash' | 'mixHash' | 'nonce'>;
  /** This field and those after it are only used if the block's fork has them. */
  readonly withdrawalsRoot: Uint8Array;
  /** Blob gas used; on the OP Stack from Jovian on, the block's data footprint. */
  readonly blobGasUsed: bigint;
  readonly requestsHash: Uint8Array;
  readonly blockAccessListHash: Uint8Array;
}

export function buildHeader(env: BlockEnv, forks: ActiveForks, deps: HeaderFieldsBesideEnv): Header {
  const { work, withdrawalsRoot, blobGasUsed, requestsHash, blockAccessListHash, ...roots } = deps;
  const hasBlobs = forks.isActivatedEIP(4844);
  return {
    ...roots,
    unclesHash: work?.unclesHash ?? EMPTY_UNCLES_HASH,
    coinbase: env.coinbase,
    difficulty: env.difficulty,
    number: env.number,
    gasLimit: env.gasLimit,
    timestamp: env.timestamp,
    mixHash: work?.mixHash ?? env.prevRandao,
    nonce: work?.nonce ?? new Uint8Array(8),
    baseFeePerGas: forks.isActivatedEIP(1559) ? env.baseFeePerGas : null,
    withdrawalsRoot: forks.isActivatedEIP(4895) ? withdrawalsRoot : null,
    blobGasUsed: hasBlobs ? blobGasUsed : null,
    excessBlobGas: hasBlobs ? env.excessBlobGas : null,
    parentBeaconBlockRoot: forks.isActivatedEIP(4788) ? env.parentBeaconBlockRoot : null,
    requestsHash: forks.isActivatedEIP(7685) ? requestsHash : null,
    ...(forks.isActivatedEIP(7928) ? { blockAccessListHash } : {}),
    ...(forks.isActivatedEIP(7843) ? { slotNumber: env.slotNumber ?? 0n } : {}),
  };
}
