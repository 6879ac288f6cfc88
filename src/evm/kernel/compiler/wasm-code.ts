// Encodes one WebAssembly function, instruction by instruction. Source: WebAssembly Core Specification, "Binary Format:
// Instructions".
import { ByteSink } from './byte-sink.js';

/** Opcodes of instructions without immediates. */
export const WASM_OP = {
  return: 0x0f,
  end: 0x0b,
  i32Eqz: 0x45,
  i32Ne: 0x47,
  i32LtU: 0x49,
  i32GtU: 0x4b,
  i64Eqz: 0x50,
  i64Eq: 0x51,
  i64Ne: 0x52,
  i64LtS: 0x53,
  i64LtU: 0x54,
  i64GtU: 0x56,
  i64GeU: 0x5a,
  i32Add: 0x6a,
  i32Sub: 0x6b,
  i32And: 0x71,
  i32Or: 0x72,
  i32Shl: 0x74,
  i32ShrU: 0x76,
  i64Add: 0x7c,
  i64Sub: 0x7d,
  i64And: 0x83,
  i64Or: 0x84,
  i64Xor: 0x85,
  i64Shl: 0x86,
  i64ShrU: 0x88,
  i32WrapI64: 0xa7,
  i64ExtendI32U: 0xad,
} as const;

/** An instruction without immediates. */
export type WasmPlainOp = (typeof WASM_OP)[keyof typeof WASM_OP];

/** Value types. */
export const WASM_TYPE = { i32: 0x7f, i64: 0x7e, v128: 0x7b } as const;

type ValueType = (typeof WASM_TYPE)[keyof typeof WASM_TYPE];

const WITH = {
  if: 0x04,
  call: 0x10,
  returnCall: 0x12,
  returnCallIndirect: 0x13,
  localGet: 0x20,
  localSet: 0x21,
  i32Load: 0x28,
  i64Load: 0x29,
  i32Store: 0x36,
  i64Store: 0x37,
  i32Const: 0x41,
  i64Const: 0x42,
} as const;
const VECTOR = 0xfd;
const VECTOR_OP = { load: 0, store: 11, const: 12, shuffle: 13, splat: 18, extractLane: 29, replaceLane: 30 } as const;
const NO_RESULT = 0x40;
const FIRST_TYPE_AND_TABLE = [0, 0];
const LANES_TURNED = Array.from({ length: 16 }, (_, lane) => 15 - lane);
const LIMBS = new BigUint64Array(2);
const LIMB_BYTES = new Uint8Array(LIMBS.buffer);

/** Instructions and local variables of one function. */
export class WasmFunctionCode {
  readonly #sink = new ByteSink();
  readonly #parameters: number;
  #locals: ValueType[] = [];

  /** `parameters` is the number of parameters, which are the first local variables. */
  constructor(parameters: number) {
    this.#parameters = parameters;
  }

  get length(): number {
    return this.#sink.length;
  }

  /** Starts another function. */
  clear(): void {
    this.#sink.clear();
    this.#locals = [];
  }

  /** Appends the function's body to a code section. */
  writeTo(target: ByteSink): void {
    target.sized((body) => {
      body.unsigned(this.#locals.length);
      for (const type of this.#locals) body.bytes([1, type]);
      body.bytes(this.#sink.written);
      body.byte(WASM_OP.end);
    });
  }

  /** Pops a value into a new local variable, and returns its index. */
  kept(type: ValueType): number {
    const local = this.#parameters + this.#locals.push(type) - 1;
    this.set(local);
    return local;
  }

  op(op: WasmPlainOp): void {
    this.#sink.byte(op);
  }

  get(local: number): void {
    this.#with(WITH.localGet, local);
  }

  set(local: number): void {
    this.#with(WITH.localSet, local);
  }

  i32(value: number): void {
    this.#sink.byte(WITH.i32Const);
    this.#sink.signed(value);
  }

  /** Pushes a 64-bit constant. `value` is its unsigned value. */
  i64(value: bigint): void {
    this.#sink.byte(WITH.i64Const);
    this.#sink.signed64(value);
  }

  /** Pushes a vector of two limbs, the lower one first. */
  v128(low: bigint, high: bigint): void {
    this.#vector(VECTOR_OP.const);
    LIMBS[0] = low;
    LIMBS[1] = high;
    this.#sink.bytes(LIMB_BYTES);
  }

  loadI32(offset: number): void {
    this.#memory(WITH.i32Load, offset);
  }

  storeI32(offset: number): void {
    this.#memory(WITH.i32Store, offset);
  }

  loadI64(offset: number): void {
    this.#memory(WITH.i64Load, offset);
  }

  storeI64(offset: number): void {
    this.#memory(WITH.i64Store, offset);
  }

  loadV128(offset: number): void {
    this.#vector(VECTOR_OP.load);
    this.#at(offset);
  }

  storeV128(offset: number): void {
    this.#vector(VECTOR_OP.store);
    this.#at(offset);
  }

  /** Copies a 64-bit value to both halves of a vector. */
  splat(): void {
    this.#vector(VECTOR_OP.splat);
  }

  extractLane(lane: number): void {
    this.#vector(VECTOR_OP.extractLane);
    this.#sink.byte(lane);
  }

  replaceLane(lane: number): void {
    this.#vector(VECTOR_OP.replaceLane);
    this.#sink.byte(lane);
  }

  /** Pushes the 16 bytes of a variable in reverse order. */
  turned(local: number): void {
    this.get(local);
    this.get(local);
    this.#vector(VECTOR_OP.shuffle);
    this.#sink.bytes(LANES_TURNED);
  }

  /** Emits `then` for the case that the value on top of WebAssembly's stack is not 0. */
  if(then: () => void): void {
    this.#sink.byte(WITH.if);
    this.#sink.byte(NO_RESULT);
    then();
    this.op(WASM_OP.end);
  }

  call(index: number): void {
    this.#with(WITH.call, index);
  }

  /** Tail-calls a function. */
  returnCall(index: number): void {
    this.#with(WITH.returnCall, index);
  }

  /** Tail-calls a function of the table; it has the first function type. */
  returnCallIndirect(): void {
    this.#sink.byte(WITH.returnCallIndirect);
    this.#sink.bytes(FIRST_TYPE_AND_TABLE);
  }

  #with(opcode: number, index: number): void {
    this.#sink.byte(opcode);
    this.#sink.unsigned(index);
  }

  #vector(opcode: number): void {
    this.#with(VECTOR, opcode);
  }

  #memory(opcode: number, offset: number): void {
    this.#sink.byte(opcode);
    this.#at(offset);
  }

  /** Writes a memory offset without an alignment hint. */
  #at(offset: number): void {
    this.#sink.byte(0);
    this.#sink.unsigned(offset);
  }
}
