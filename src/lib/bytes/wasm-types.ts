// The types of WebAssembly that are used here. Node.js's type definitions do not include them.

/** A compiled WebAssembly module, which may be passed to other threads. */
export type WasmModule = object;

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

export interface WasmTable {
  readonly length: number;
  grow(by: number): number;
  set(place: number, value: null): void;
}

interface WasmInterface {
  readonly Table: new (type: { readonly element: 'anyfunc'; readonly initial: number }) => WasmTable;
  readonly Memory: new (size: { readonly initial: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (module: WasmModule, imports: object) => { readonly exports: object };
}

/** The global WebAssembly object. */
export const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: WasmInterface };
