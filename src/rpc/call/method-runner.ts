// Runs one call: finds its method, parses its parameters, and fetches missing state.
import { rpcError, type RpcError } from '../../rpc-errors.js';
import { indexOfByte } from '../../lib/bytes/index-of-byte.js';
import { LIMITS } from '../../limits/index.js';
import { OTHER_LABEL } from '../answer/request-latency.js';
import { RpcArguments } from '../params/arguments.js';
import type { BackingNodeDeps, RpcMethod } from './method-types.js';
import type { PassthroughFilter } from './passthrough-filter.js';
import type { RequestBodyInProgress } from './request-in-progress.js';
import { LongStringViews, parseParams } from '../params/parse-params-zero-copy.js';
import type { TransactionSubmitter } from './submit-transaction.js';
import { runWithStateFetch } from './run-with-state-fetch.js';
import type { ReadView } from '../view/pinned-read-view.js';
import { PLAIN_METHODS } from '../reads/native-plain-reads.js';
import type { BlockParam } from '../view/block-param-types.js';
import { type RpcCallOutcome, isError } from '../answer/call-result.js';

/** The operator's settings for calls, and the upstream node. */
export interface CallSettings extends BackingNodeDeps {
  readonly revertErrorCode: number;
  /** The block that a call without a block parameter uses. */
  readonly defaultBlock: BlockParam;
  /**
   * Called when a method throws, which is a bug. It is reported to the operator, and the client gets `internal error`.
   */
  readonly onFault: (method: string, fault: unknown) => void;
}

/** The methods, and what is needed to run their calls. */
export interface MethodRunnerDeps {
  readonly methods: readonly RpcMethod[];
  readonly terms: CallSettings;
  readonly readView: () => ReadView;
  /** Decides whether a method that this program does not implement is forwarded to the upstream node. */
  readonly passesOn: PassthroughFilter;
  /** Handles forwarded methods that submit a transaction; `null` if the chain accepts no transactions. */
  readonly sending: Pick<TransactionSubmitter, 'passOn'> | null;
}

/** Number of calls answered since the start, by method name; `other` counts calls of unknown methods. */
export type CallCounts = ReadonlyMap<string, number>;

const COMMA = 0x2c;

/** A method, its name in JSON, and how often it was called. */
interface ServedMethod {
  readonly method: RpcMethod;
  readonly json: Uint8Array;
  calls: number;
}

/** Runs the calls of any request, and counts them by method. It has no state of its own for a request. */
export class MethodRunner {
  readonly #deps: MethodRunnerDeps;
  /** Methods by their name as JSON, because a look-up takes a quarter of the time of parsing the name. */
  readonly #methods: ReadonlyMap<string, ServedMethod>;
  /** The method of the last call; the next call often has the same one. */
  #last: ServedMethod;
  /**
   * Counts of plain reads (reads that the addon answers without JavaScript), by index in PLAIN_METHODS, because the
   * look-up and store in a Map take 60 ns per call.
   */
  readonly #plainCounts = new Float64Array(PLAIN_METHODS.length);
  /** Number of calls of methods that this program does not implement. */
  #others = 0;

  constructor(deps: MethodRunnerDeps) {
    this.#deps = deps;
    const served = deps.methods.map((method) => ({ method, json: Buffer.from(JSON.stringify(method.name)), calls: 0 }));
    this.#methods = new Map(served.map((each) => [each.json.toString(), each]));
    this.#last = served[0]!;
  }

  /** Number of calls so far by method. Methods that this program does not implement count as `other`. */
  get counts(): CallCounts {
    const counts = new Map<string, number>(PLAIN_METHODS.map((name, i) => [name, this.#plainCounts[i]!]));
    for (const { method, calls } of this.#methods.values())
      if (calls > 0) counts.set(method.name, (counts.get(method.name) ?? 0) + calls);
    if (this.#others > 0) counts.set(OTHER_LABEL, this.#others);
    return counts;
  }

  /** Returns the method name of the call in `row`; `other` if this program does not implement the method. */
  nameOf(request: RequestBodyInProgress, row: number): string {
    return (request.isInvalid(row) ? null : this.#served(request.method(row)))?.method.name ?? OTHER_LABEL;
  }

  /** Adds `counts`, which are plain reads by method, to the totals, and returns the sum of `counts`. */
  countPlain(counts: ArrayLike<number>): number {
    let sum = 0;
    for (let method = 0; method < counts.length; method++) {
      this.#plainCounts[method]! += counts[method]!;
      sum += counts[method]!;
    }
    return sum;
  }

  /** Runs the call in `row` and returns its result. If the result is a promise, the promise never rejects. */
  run(request: RequestBodyInProgress, row: number, readView: ReadView): RpcCallOutcome | Promise<RpcCallOutcome> {
    if (request.isFull) return rpcError('responseTooLarge');
    if (request.isInvalid(row)) return rpcError('invalidRequest');
    const method = this.#methodOf(request, row);
    if ('error' in method) return method;
    const args = argumentsOf(request, row, method, this.#deps.terms.defaultBlock);
    if (args.failure) return args.failure;
    if (method.needsSubmit === true) request.isPassedOn = true;
    try {
      const { terms, readView: current } = this.#deps;
      const result = runWithStateFetch({ method, args, caller: request.caller }, readView, terms, current);
      if (result instanceof Promise) return this.#watched(result, method, request);
      if (isError(result) && result.error === 'overload') request.overloads++;
      return result;
    } catch (fault) {
      return this.#fault(method, fault);
    }
  }

  /**
   * Handles the result of an asynchronous call. It must not reference the parameters, because every minor garbage
   * collection would copy those of all calls in flight.
   */
  #watched(
    result: Promise<RpcCallOutcome>,
    method: RpcMethod,
    request: RequestBodyInProgress,
  ): Promise<RpcCallOutcome> {
    return result.then(
      (settled) => {
        if (isError(settled) && settled.error === 'stateReset') request.wasReset = true;
        return settled;
      },
      (fault: unknown) => this.#fault(method, fault),
    );
  }

  #fault(method: RpcMethod, fault: unknown): RpcError {
    this.#deps.readView().takeMissingKeys();
    this.#deps.terms.onFault(method.name, fault);
    return rpcError('internal');
  }

  #methodOf(request: RequestBodyInProgress, row: number): RpcMethod | RpcError {
    if (!request.isMethod(row, this.#last.json)) {
      const text = request.method(row);
      const served = this.#served(text);
      if (served === null) return this.#unserved(JSON.parse(text) as string, request);
      this.#last = served;
    }
    this.#last.calls++;
    return this.#last.method;
  }

  /** Finds a method by its name as JSON, which may contain escapes. */
  #served(json: string): ServedMethod | null {
    return this.#methods.get(json) ?? this.#methods.get(JSON.stringify(JSON.parse(json))) ?? null;
  }

  #unserved(name: string, request: RequestBodyInProgress): RpcMethod | RpcError {
    this.#others++;
    if (!this.#deps.passesOn(name))
      return rpcError('methodNotFound', `the method ${name} does not exist/is not available`);
    request.isPassedOn = true;
    return passedOn(name, this.#deps.sending);
  }
}

function argumentsOf(
  request: RequestBodyInProgress,
  row: number,
  method: RpcMethod,
  defaultBlock: BlockParam,
): RpcArguments {
  const plain = method.readsCall === true ? request.plainParams(row) : null;
  if (plain !== null) return new RpcArguments(plain, LongStringViews.none, defaultBlock);
  const params = request.params(row);
  if (hasTooManyValues(params)) {
    const args = new RpcArguments([]);
    args.fail(`too many values in params (max ${LIMITS.paramsValuesMax})`);
    return args;
  }
  const { values, long } = parseParams(params);
  const args = new RpcArguments(Array.isArray(values) ? values : [], long, defaultBlock);
  if (values !== null && !Array.isArray(values)) args.fail('non-array args');
  return args.most(method.paramsMax);
}

/**
 * True if there are more values than the limit, estimated by counting commas. A text with fewer bytes than the limit
 * need not be searched.
 */
function hasTooManyValues(params: Uint8Array): boolean {
  if (params.length <= LIMITS.paramsValuesMax) return false;
  let commas = 0;
  for (let at = indexOfByte(params, COMMA); at >= 0; at = indexOfByte(params, COMMA, at + 1)) {
    if (++commas >= LIMITS.paramsValuesMax) return true;
  }
  return false;
}

/** Creates the method for a call that is forwarded, because only the upstream node has the method. */
function passedOn(name: string, sending: MethodRunnerDeps['sending']): RpcMethod {
  const run: RpcMethod['run'] = (args, _readView, { client }) => {
    const params = args.all;
    return sending?.passOn(name, params, client) ?? { forward: params, answerMsMax: LIMITS.passedOnMsMax };
  };
  return { name, paramsMax: Infinity, run };
}
