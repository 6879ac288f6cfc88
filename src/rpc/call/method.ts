// A method, and a row of the table of methods. Runs on main.
import type { Asker } from '../answer/answer.js';
import type { Backing, Forward } from '../view/backing.js';
import type { CallResult } from '../answer/call-result.js';
import type { ReadView } from '../view/read-view.js';
import type { Arguments } from '../params/arguments.js';

/**
 * Runs one call. `args` knows how many parameters there are; `readView` must not be used after an await, because its
 * pin ends with the synchronous part. `parts`: those that the methods of one file need.
 */
export type Run<Parts = unknown> = (args: Arguments, readView: ReadView, parts: Parts, asker: Asker) => Result;

/** The end of a method, or that the upstream node is to be asked. */
export type Result = CallResult | Forward | Promise<CallResult>;

/** The upstream node, for methods that leave some calls to it; `null`: everything is here. */
export interface BackingPart {
  readonly backing: Backing | null;
}

/** A method as it is served. */
export interface Method {
  readonly name: string;
  /** More parameters than this are refused, as go-ethereum does. */
  readonly paramsMax: number;
  readonly run: (args: Arguments, readView: ReadView, asker: Asker) => Result;
  /** Served only where the chain takes transactions. */
  readonly needsSubmit?: true;
  /** Its first parameters are a transaction object and a block: plain ones are read straight from the body. */
  readonly readsCall?: true;
}

/** A row of the table of methods. */
export interface MethodRow<Parts> extends Pick<Method, 'name' | 'needsSubmit' | 'readsCall'> {
  /** Names of the parameters; more are refused. */
  readonly params: readonly string[];
  /** One phrase on its result, for the document of methods; '' where the name tells it. */
  readonly says: string;
  readonly run: Run<Parts>;
  /** Served on the dev chain alone; elsewhere there is no such method. */
  readonly isDevOnly?: true;
}

/** A method with the parts that it needs. */
export function methodOf<Parts>(row: MethodRow<Parts>, parts: Parts): Method {
  const { name, params, needsSubmit, readsCall } = row;
  return {
    name,
    paramsMax: params.length,
    run: (args, readView, asker) => row.run(args, readView, parts, asker),
    ...(needsSubmit === undefined ? {} : { needsSubmit }),
    ...(readsCall === undefined ? {} : { readsCall }),
  };
}
