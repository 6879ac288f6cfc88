// Types of RPC methods and of the functions that implement them.
import type { MethodName, MethodRow } from '../../methods.table.js';
import type { Caller } from '../answer/request-response-types.js';
import type { BackingNode, ForwardedCall } from '../view/upstream-node-access.js';
import type { RpcCallOutcome } from '../answer/call-result.js';
import type { ReadView } from '../view/pinned-read-view.js';
import type { RpcArguments } from '../params/arguments.js';

/**
 * Runs one call. `args` are its parameters. `readView` must not be used after an await, because its state version is
 * pinned only during the synchronous part. `deps` is what the methods of one file need.
 */
export type MethodFunction<Deps = unknown> = (
  args: RpcArguments,
  readView: ReadView,
  deps: Deps,
  caller: Caller,
) => MethodResult;

/** What a method returns: a result, or a request to the upstream node. */
export type MethodResult = RpcCallOutcome | ForwardedCall | Promise<RpcCallOutcome>;

/** The upstream node, for methods that forward some calls to it; `null` if this process stores all state. */
export interface BackingNodeDeps {
  readonly backing: BackingNode | null;
}

/** The arrival of complete blocks on the main thread; see `ChainEvents.waitForBlock`. */
interface BlockArrivals {
  readonly waitForBlock: (number: number) => boolean | Promise<boolean>;
}

/** A method with its dependencies bound, ready to be called. */
export interface RpcMethod extends Pick<MethodRow, 'needsSubmit' | 'readsCall'> {
  readonly name: string;
  /** Maximum number of parameters. A call with more is refused, as in go-ethereum. */
  readonly paramsMax: number;
  readonly run: (args: RpcArguments, readView: ReadView, caller: Caller) => MethodResult;
  /**
   * Only of a method that reads blocks: a call waits for the newest complete block if that is visible in the state, but
   * has not arrived on the main thread yet.
   */
  readonly arrivals?: BlockArrivals;
}

/** Functions of methods by method name. `Deps` is what they need. */
export type MethodFunctionByName<Deps> = Readonly<Partial<Record<MethodName, MethodFunction<Deps>>>>;

/** True if a method has returned a request that is to be forwarded to the upstream node. */
export function isForward(result: MethodResult): result is ForwardedCall {
  return typeof result === 'object' && 'forward' in result;
}
