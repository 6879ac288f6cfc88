// What a method is. Runs on main.
import type { RpcError } from '../../errors.js';
import type { FillPurpose } from '../../feed/feed.js';
import type { Wants } from '../../state/recording-view.js';
import type { EstimatorPool } from '../../pool/pool.js';
import type { Asker } from '../answer.js';
import type { ChainEvents } from '../push/chain-events.js';
import type { Filters } from '../push/filters.js';
import type { Subscriptions } from '../push/subscriptions.js';
import type { Watches } from '../push/watches.js';
import type { ChainDescription } from '../../chain/spec.js';
import type { PreflightEstimates } from '../../execution/call/preflight-estimates.js';
import type { Arguments, BlockRef } from './arguments.js';
import type { Shares } from '../../clients/shares.js';
import type { TimeSlices } from '../../clients/slices.js';
import type { BlockTexts } from './block-texts.js';
import type { FeeRows } from './fee-rows.js';
import type { TipOracle } from './tip-oracle.js';
import type { ExecutedBlocks } from '../executed-blocks.js';
import type { ReadView } from '../read-view.js';
import type { Sending } from '../sending.js';

/** The JSON text of a long result as UTF-8, which may be lent. */
export class JsonBytes {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** The answer to one call: JSON text of the result, bytes that are answered as hex, or an error. */
export type CallResult = string | JsonBytes | Uint8Array | RpcError;

/** Whether a call has failed. */
export function isError(result: CallResult): result is RpcError {
  return typeof result !== 'string' && !(result instanceof Uint8Array) && !(result instanceof JsonBytes);
}

/** The text of a result. */
export function textOf(result: Exclude<CallResult, RpcError>): string {
  if (typeof result === 'string') return result;
  return Buffer.from(result instanceof JsonBytes ? result.bytes : result).toString();
}

/** The call is for the upstream node, with these parameters. */
export interface Forward {
  readonly forward: readonly unknown[];
  /** The block that is asked about, where an answer that the node does not know it is to be ours. */
  readonly block?: string;
  /** Where it is another one than was called. */
  readonly method?: string;
  /** JSON text that is made of the answer; the answer itself where it is not given. */
  readonly told?: (answer: Exclude<CallResult, RpcError>) => Promise<string>;
  /** Time for the answer, milliseconds; LIMITS.fillMsMax where it is not given. */
  readonly answerMsMax?: number;
}

/** State that is read from the upstream node, where there is one. */
export interface Backing {
  /**
   * Makes state held; answers why it could not be by `untilMs` of the monotonic clock. `purpose`: what it is for, where that
   * is a call.
   */
  fill(wants: Wants, untilMs: number, purpose?: FillPurpose): Promise<RpcError | null>;
  /** Any method; answered by `untilMs` of the monotonic clock. */
  request(method: string, params: readonly unknown[], untilMs: number): Promise<CallResult>;
  /** Counts the tables that began anew: versions of one mean nothing in another. */
  epoch(): number;
}

/** What methods need beside the read view. */
export interface MethodParts {
  readonly chain: ChainDescription;
  readonly clientVersion: string;
  readonly pool: Pick<EstimatorPool, 'submit'>;
  /** Estimates that take no worker. */
  readonly preflight: Pick<PreflightEstimates, 'answer'>;
  readonly executed: ExecutedBlocks;
  readonly events: ChainEvents;
  readonly subscriptions: Subscriptions;
  readonly watches: Watches;
  readonly filters: Filters;
  readonly blocks: BlockTexts;
  readonly feeRows: FeeRows;
  readonly tips: TipOracle;
  /** Main's time: work longer than a slice goes on in later turns of the event loop. */
  readonly slices: TimeSlices;
  /** Bytes that searches for logs hold while they wait. */
  readonly logMemory: Shares;
  readonly gasCap: bigint;
  readonly timeoutMs: number;
  readonly revertErrorCode: number;
  /** The block of a call that names none. */
  readonly defaultBlock: BlockRef;
  /** When receipt and place of a transaction are told. */
  readonly receipts: 'preconfirmed' | 'confirmed';
  /** `null`: everything is here. */
  readonly backing: Backing | null;
  /** `null` where the chain takes no transactions, or none through here. */
  readonly sending: Sending | null;
  /** A bug of ours: reported to the operator, answered as `internal error`. */
  readonly onFault: (method: string, fault: unknown) => void;
}

/**
 * Runs one call. `args` knows how many parameters there are; `readView` must not be used after an await, because its
 * pin ends with the synchronous part.
 */
export type Run = (
  args: Arguments,
  readView: ReadView,
  parts: MethodParts,
  asker: Asker,
) => CallResult | Forward | Promise<CallResult>;

/** One row of the method table. */
export interface Method {
  readonly name: string;
  /** More parameters than this are refused, as go-ethereum does. */
  readonly paramsMax: number;
  readonly run: Run;
  /** Served only where the chain takes transactions. */
  readonly needsSubmit?: true;
}
