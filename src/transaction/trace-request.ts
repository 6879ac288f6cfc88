// Questions to a tracer, as plain data: rpc/params reads them, pool/codec carries them, execution/trace obeys. Runs on main and
// on the estimators.

/** A tracer and its settings, by go-ethereum's names. */
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
  | { readonly name: 'noopTracer' }
  | { readonly name: 'muxTracer'; readonly tracers: readonly TracerSpec[] }
  | {
      readonly name: 'structLogger';
      readonly enableMemory: boolean;
      readonly disableStack: boolean;
      readonly disableStorage: boolean;
      readonly enableReturnData: boolean;
      /** Characters of its steps after which no more are told; 0: as many as fit. */
      readonly limit: number;
    };

/** Part of a job that is traced: its call, the last transaction of its replay, or all of them. */
export interface Trace {
  readonly of: 'call' | 'transaction' | 'block';
  readonly tracer: TracerSpec;
}
