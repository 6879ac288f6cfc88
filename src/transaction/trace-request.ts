// Requests for traces, as plain data. rpc/params parses them, pool/codec encodes them, and execution/trace runs them.

/** A tracer and its settings, with go-ethereum's names. */
export type TracerSpec =
  | { readonly name: 'callTracer'; readonly onlyTopCall: boolean; readonly withLog: boolean }
  | {
      readonly name: 'prestateTracer';
      readonly diffMode: boolean;
      readonly disableCode: boolean;
      readonly disableStorage: boolean;
      readonly includeEmpty: boolean;
    }
  | { readonly name: '4byteTracer' }
  /** `convertParityErrors` uses Parity's error messages; `includePrecompiles` also lists calls of precompiles. */
  | { readonly name: 'flatCallTracer'; readonly convertParityErrors: boolean; readonly includePrecompiles: boolean }
  /** The trace types of Parity, which only methods of its namespace can request. */
  | { readonly name: 'parityTracer'; readonly trace: boolean; readonly stateDiff: boolean }
  | { readonly name: 'noopTracer' }
  | { readonly name: 'muxTracer'; readonly tracers: readonly TracerSpec[] }
  | {
      readonly name: 'structLogger';
      readonly enableMemory: boolean;
      readonly disableStack: boolean;
      readonly disableStorage: boolean;
      readonly enableReturnData: boolean;
      /** Characters of logged steps after which logging stops; 0 logs as many as fit the response. */
      readonly limit: number;
    };

/** Selects transactions by the calls that they make, at any depth. Addresses are hex; an empty list matches any. */
export interface CallFilter {
  readonly addresses: readonly string[];
  readonly selectors: readonly string[];
}

/**
 * Which part of a job is traced: its call, the last transaction of its replay, or all of them. Traces of consecutive
 * calls either are the result, as a list of lists, one list, or the trace of the only call; or they are added to the
 * calls' results.
 */
export interface JobTrace {
  readonly of: 'call' | 'transaction' | 'block' | 'bundles' | 'calls' | 'onlyCall' | 'results';
  readonly tracer: TracerSpec;
  /** For consecutive calls: a tracer for each, in order, instead of one for all. */
  readonly tracers?: readonly TracerSpec[];
  /** For a transaction or block: the replayed header is that of a complete block, so its hash is the block's. */
  readonly isComplete?: boolean;
  /** For a block: index of the first transaction that is traced; 0 if absent. */
  readonly first?: number;
  /** For a block: which transactions are shown; all if absent. */
  readonly filter?: CallFilter;
}
