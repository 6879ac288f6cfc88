// Encodes a WebAssembly module that contains traces. Source: WebAssembly Core Specification, "Binary Format: Modules".
import { ByteSink } from './byte-sink.js';
import { KERNEL_FUNCTIONS } from './kernel-functions.js';
import { COMPILED_TRACE_PARAMETER_TYPES } from './jit-trace-writer.js';
import { WASM_TYPE } from './wasm-code.js';

const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const SECTION = { type: 1, import: 2, function: 3, element: 9, code: 10 } as const;
const KIND = { function: 0, table: 1, memory: 2 } as const;
const FUNCTION_TYPE = 0x60;
const FUNCREF = 0x70;
const I32_CONST = 0x41;
const END = 0x0b;
/** Module name of all imports. */
const MODULE = 'kernel';
/** Function types by their index. The first one is the type of the table's functions. */
const FUNCTION_TYPES = [
  { params: COMPILED_TRACE_PARAMETER_TYPES, results: [WASM_TYPE.i32] },
  { params: [WASM_TYPE.i32], results: [] },
  { params: [WASM_TYPE.i32, WASM_TYPE.i64, WASM_TYPE.i32, WASM_TYPE.i32], results: [WASM_TYPE.i64] },
  { params: [WASM_TYPE.i32, WASM_TYPE.i32, WASM_TYPE.i64, WASM_TYPE.i64], results: [WASM_TYPE.i64] },
];
const TYPE_OF = { trace: 0, plain: 1, paying: 2, extend: 3 } as const;

/**
 * Encodes a module of `count` traces, which writes them into the imported table, from `firstTableIndex` on. `functions`
 * has their encoded bodies.
 */
export function encodeJitModule(count: number, functions: Uint8Array, firstTableIndex: number): Uint8Array {
  const to = new ByteSink();
  to.bytes(HEADER);
  section(to, SECTION.type, writeTypes);
  section(to, SECTION.import, writeImports);
  section(to, SECTION.function, (body) => {
    body.unsigned(count);
    for (let i = 0; i < count; i++) body.unsigned(TYPE_OF.trace);
  });
  section(to, SECTION.element, (body) => {
    body.bytes([1, 0, I32_CONST]);
    body.signed(firstTableIndex);
    body.byte(END);
    body.unsigned(count);
    for (let i = 0; i < count; i++) body.unsigned(KERNEL_FUNCTIONS.length + i);
  });
  section(to, SECTION.code, (body) => {
    body.unsigned(count);
    body.bytes(functions);
  });
  return to.written;
}

function section(to: ByteSink, id: number, write: (body: ByteSink) => void): void {
  to.byte(id);
  to.sized(write);
}

function writeTypes(body: ByteSink): void {
  body.unsigned(FUNCTION_TYPES.length);
  for (const { params, results } of FUNCTION_TYPES)
    body.bytes([FUNCTION_TYPE, params.length, ...params, results.length, ...results]);
}

function writeImports(body: ByteSink): void {
  body.unsigned(2 + KERNEL_FUNCTIONS.length);
  writeImport(body, 'memory', [KIND.memory, 0, 1]);
  writeImport(body, 'table', [KIND.table, FUNCREF, 0, 0]);
  for (const { name, kind } of KERNEL_FUNCTIONS) writeImport(body, name, [KIND.function, TYPE_OF[kind]]);
}

function writeImport(body: ByteSink, name: string, description: readonly number[]): void {
  for (const text of [MODULE, name]) {
    body.unsigned(text.length);
    body.bytes(Buffer.from(text));
  }
  body.bytes(description);
}
