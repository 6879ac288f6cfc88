// What a method is. Runs on main.
import type { RpcError } from '../errors.js';
import type { Asker, EstimatorPool } from '../pool/pool.js';
import type { ChainDescription } from '../evm/chain.js';
import type { Arguments } from './arguments.js';
import type { TipOracle } from './fee-methods.js';
import type { PendingBlock } from './pending-block.js';
import type { Session } from './session.js';

/** The answer to one call: JSON text of the result, or an error. */
export type CallResult = string | RpcError;

/** What methods need beside the session. */
export interface MethodParts {
  readonly chain: ChainDescription;
  readonly clientVersion: string;
  readonly pool: Pick<EstimatorPool, 'submit'>;
  readonly pending: PendingBlock;
  readonly tips: TipOracle;
  readonly gasCap: bigint;
  readonly timeoutMs: number;
  readonly revertErrorCode: number;
  /** Hands a raw transaction to the chain; `null` where the chain takes none. */
  readonly submit: ((raw: Uint8Array) => Promise<CallResult>) | null;
  /** A bug of ours: told to the operator, answered as `internal error`. */
  readonly onFault: (method: string, fault: unknown) => void;
}

/**
 * Runs one call. `args` knows how many parameters there are; `session` must not be used after an await, because its
 * pin ends with the synchronous part.
 */
export type Run = (
  args: Arguments,
  session: Session,
  parts: MethodParts,
  asker: Asker,
) => CallResult | Promise<CallResult>;

/** One row of the method table. */
export interface Method {
  readonly name: string;
  /** More parameters than this are refused, as go-ethereum does. */
  readonly paramsMax: number;
  readonly run: Run;
  /** Served only where the chain takes transactions. */
  readonly needsSubmit?: true;
}
