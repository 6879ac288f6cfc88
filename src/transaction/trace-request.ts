// Requests for traces, as plain data: rpc/params parses them, pool/codec encodes them, execution/trace runs them.

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
  /** `convertParityErrors`: errors in Parity's words; `includePrecompiles`: calls of precompiles are listed, too. */
  | { readonly name: 'flatCallTracer'; readonly convertParityErrors: boolean; readonly includePrecompiles: boolean }
  /** The trace types of Parity; requested by methods of its namespace only. */
  | { readonly name: 'parityTracer'; readonly trace: boolean; readonly stateDiff: boolean }
  | { readonly name: 'noopTracer' }
  | { readonly name: 'muxTracer'; readonly tracers: readonly TracerSpec[] }
  | {
      readonly name: 'structLogger';
      readonly enableMemory: boolean;
      readonly disableStack: boolean;
      readonly disableStorage: boolean;
      readonly enableReturnData: boolean;
      /** Characters of steps after which no more are logged; 0: as many as fit. */
      readonly limit: number;
    };

/** The calls by which transactions are selected, at any depth; as hex. An empty list: any. */
export interface CallFilter {
  readonly addresses: readonly string[];
  readonly selectors: readonly string[];
}

/**
 * What of a job is traced: its call, the last transaction of its replay, or all of them. Of consecutive calls: the
 * traces are the result, as lists in a list, one list, or the trace of the only call; or they are added to the results.
 */
export interface Trace {
  readonly of: 'call' | 'transaction' | 'block' | 'bundles' | 'calls' | 'onlyCall' | 'results';
  readonly tracer: TracerSpec;
  /** Of consecutive calls: a tracer for each, in order, instead of one for all. */
  readonly tracers?: readonly TracerSpec[];
  /** Of a transaction or block: the replayed header is that of a complete block, and its hash the block's. */
  readonly isComplete?: boolean;
  /** Of a block: index of the first transaction that is traced; absent: 0. */
  readonly first?: number;
  /** Of a block: the transactions that are shown; absent: all. */
  readonly filter?: CallFilter;
}
