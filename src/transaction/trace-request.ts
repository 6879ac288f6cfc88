// What is asked of a tracer, as plain data: what rpc/params reads, pool/codec carries and execution/trace obeys. Runs on main and
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
  | { readonly name: 'muxTracer'; readonly tracers: readonly TracerSpec[] };

/** Part of a job that is traced: its call, the last transaction of its replay, or all of them. */
export interface Trace {
  readonly of: 'call' | 'transaction' | 'block';
  readonly tracer: TracerSpec;
}
