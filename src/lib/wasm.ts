// The part of WebAssembly's interface that is used here: the types of Node.js leave it to those of browsers. Runs on
// every thread.

/** A compiled module; may be handed to other threads. */
export type WasmModule = object;

interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

interface WasmInterface {
  readonly Memory: new (size: { readonly initial: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (module: WasmModule, imports: object) => { readonly exports: object };
}

/** The global WebAssembly object. */
export const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: WasmInterface };
