// Trace requests as plain data. rpc/params parses them, pool/codec encodes them for worker threads, execution/trace
// runs them.

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
  /** `convertParityErrors`: error messages are Parity's. `includePrecompiles`: calls to precompiles are listed, too. */
  | { readonly name: 'flatCallTracer'; readonly convertParityErrors: boolean; readonly includePrecompiles: boolean }
  /** Parity's trace types. Only methods of the trace_ namespace can request them. */
  | { readonly name: 'parityTracer'; readonly trace: boolean; readonly stateDiff: boolean }
  | { readonly name: 'noopTracer' }
  | { readonly name: 'muxTracer'; readonly tracers: readonly TracerSpec[] }
  | {
      readonly name: 'structLogger';
      readonly enableMemory: boolean;
      readonly disableStack: boolean;
      readonly disableStorage: boolean;
      readonly enableReturnData: boolean;
      /** Number of characters of logged steps after which logging stops; 0 logs as many as fit into the response. */
      readonly limit: number;
    };

/**
 * Selects transactions by the calls that they make at any depth. Addresses are hex. An empty list matches everything.
 */
export interface AddressAndSelectorFilter {
  readonly addresses: readonly string[];
  readonly selectors: readonly string[];
}

/** What to trace, and the form of the result. */
export interface JobTrace {
  /**
   * `call`: the job's call. `transaction`: the last replayed transaction. `block`: all transactions of the replayed
   * block. The other values are for consecutive calls: `bundles` returns a list of traces per bundle, `calls` one list,
   * `onlyCall` the trace of the only call, and `results` the result of each call with its trace.
   */
  readonly of: 'call' | 'transaction' | 'block' | 'bundles' | 'calls' | 'onlyCall' | 'results';
  readonly tracer: TracerSpec;
  /** For consecutive calls: one tracer per call, in order, instead of one for all calls. */
  readonly tracers?: readonly TracerSpec[];
  /**
   * For a transaction or block: true if the replayed block is complete. The hash of the replayed header is then the
   * block's hash.
   */
  readonly isComplete?: boolean;
  /** For a block: index of the first transaction to trace; 0 if absent. */
  readonly first?: number;
  /** For a block: selects the transactions that are shown; all if absent. */
  readonly filter?: AddressAndSelectorFilter;
}
