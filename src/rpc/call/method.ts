// Types of a method, and of a row of the method table.
import type { Caller } from '../answer/response.js';
import type { Backing, Forward } from '../view/backing.js';
import type { CallResult } from '../answer/call-result.js';
import type { ReadView } from '../view/read-view.js';
import type { RpcArguments } from '../params/arguments.js';

/**
 * Runs one call. `args` knows how many parameters there are; `readView` must not be used after an await, because its
 * pin ends with the synchronous part. `parts`: what the methods of one file need.
 */
export type Run<Parts = unknown> = (args: RpcArguments, readView: ReadView, deps: Parts, caller: Caller) => Result;

/** The result of a method, or a request to the upstream node. */
export type Result = CallResult | Forward | Promise<CallResult>;

/** The upstream node, for methods that leave some calls to it; `null`: all state is stored here. */
export interface BackingPart {
  readonly backing: Backing | null;
}

/** A method as it is served. */
export interface Method {
  readonly name: string;
  /** A call with more parameters is refused, as in go-ethereum. */
  readonly paramsMax: number;
  readonly run: (args: RpcArguments, readView: ReadView, caller: Caller) => Result;
  /** Served only if the chain accepts transactions. */
  readonly needsSubmit?: true;
  /** Its first parameters are a transaction object and a block: plain ones are parsed directly from the body. */
  readonly readsCall?: true;
}

/** A row of the method table. */
export interface MethodRow<Parts> extends Pick<Method, 'name' | 'needsSubmit' | 'readsCall'> {
  /** Names of the parameters; a call with more is refused. */
  readonly params: readonly string[];
  /** One phrase on its result, for METHODS.md; empty if the name says it. */
  readonly says: string;
  readonly run: Run<Parts>;
  /** Served only on the dev chain; elsewhere the method does not exist. */
  readonly isDevOnly?: true;
}

/** A method bound to what it needs. */
export function methodOf<Parts>(row: MethodRow<Parts>, deps: Parts): Method {
  const { name, params, needsSubmit, readsCall } = row;
  return {
    name,
    paramsMax: params.length,
    run: (args, readView, caller) => row.run(args, readView, deps, caller),
    ...(needsSubmit === undefined ? {} : { needsSubmit }),
    ...(readsCall === undefined ? {} : { readsCall }),
  };
}
