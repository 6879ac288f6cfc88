// One instance of the kernel's WebAssembly module and its memory, with typed exports.

// The kernel is our own EVM. See DECISIONS.md.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { wasm, type WasmMemory, type WasmModule, type WasmTable } from '../../lib/bytes/wasm-types.js';
import type { Log } from '../../state/complete-block.js';
import * as LOG from './assembly/shared/log-fields.js';
import * as LAYOUT from './assembly/shared/memory-layout.js';
import { ADDRESS_BYTES, WORD_BYTES } from '../../lib/bytes/big-endian.js';

/**
 * Provides state to the kernel. Pointers are addresses in the kernel's memory. A negative result means that the value
 * is not known yet, and aborts the execution.
 */
export interface KernelHost {
  /**
   * Fills in balance, nonce and code hash of a table entry, which starts with the address. Returns base flags
   * (account-fields.ts).
   */
  account(entry: number): number;
  /** Writes the value of a slot, least significant limb first. Returns 1 if the value is only valid in this job. */
  storage(address: number, key: number, out: number): number;
  /** Writes the code with this hash, if it has at most `room` bytes. Returns its length, or -2 if it is longer. */
  code(hash: number, out: number, room: number): number;
  /** Writes the hash of a block as a word; zero if there is none. */
  blockHash(number: bigint, out: number): number;
  /** Returns `performance.now()`. */
  now(): number;
}

/**
 * Receives the call frames and logs of a message with FLAG_HOOKED; see assembly/host.ts. A negative result aborts the
 * execution.
 */
export interface KernelTracerHooks {
  entered(opcode: number, from: number, to: number, value: number, input: number, bytes: number, gas: bigint): number;
  left(how: number, reason: number, gas: bigint, output: number, bytes: number): number;
  logged(log: number): number;
  creates(address: number): number;
}

interface KernelExports {
  resetForExecution(): void;
  beginJob(): void;
  forgetAccountsAndSlots(): void;
  putBaseAccount(erased: number): number;
  putBaseSlot(): number;
  warmAccount(): number;
  warmStorage(): number;
  runMessage(): number;
  resumeAfterPrecompile(succeeded: number, gas: bigint, length: number): number;
  resumeAfterHotBlock(): number;
  setJitThreshold(runs: number): void;
  writtenMemoryBytes(): number;
  commitMessage(): void;
  accountsRead(): number;
  slotsRead(): number;
  setSalt(a: bigint, b: bigint, c: bigint, d: bigint, e: bigint): void;
}

type KernelLimit = 'INPUT_MAX' | 'BLOBS_MAX' | 'RETURN_DATA_MAX';

const PAGE_BYTES = 65_536;

let compiled: WasmModule | null = null;

/** Returns the built WebAssembly module. Each thread compiles it once. */
function kernelModule(): WasmModule {
  compiled ??= new wasm.Module(readFileSync(new URL('kernel.wasm', import.meta.url)));
  return compiled;
}

/** The kernel's functions, and views of its memory. Only one execution may use it at a time. */
export class Kernel {
  readonly run: KernelExports;
  /** Limits of the loaded module, by their names in memory-layout.ts. Kernels of tests have lower ones. */
  readonly limits: Readonly<Record<KernelLimit, number>>;
  /** The memory as bytes. Not a `Buffer`, whose `slice` would not copy. */
  readonly bytes: Uint8Array;
  readonly u32: Uint32Array;
  readonly u64: BigUint64Array;
  readonly i64: BigInt64Array;
  readonly f64: Float64Array;
  readonly memory: WasmMemory;
  /** WebAssembly table with the compiled traces (see compiler/). */
  readonly table: WasmTable;
  readonly #generation: { readonly value: number };

  constructor(host: KernelHost, hooks: KernelTracerHooks) {
    const memory = (this.memory = new wasm.Memory({ initial: LAST_PAGE }));
    const table = (this.table = new wasm.Table({ element: 'anyfunc', initial: 1 }));
    const imports = { env: { memory, table }, host: bound(host, hooks) };
    const { exports } = new wasm.Instance(kernelModule(), imports);
    this.run = exports as KernelExports;
    this.run.setSalt(oddNumber(), oddNumber(), oddNumber(), oddNumber(), oddNumber());
    const { codeGeneration, INPUT_MAX, BLOBS_MAX, RETURN_DATA_MAX } = exports as Readonly<
      Record<'codeGeneration' | KernelLimit, { readonly value: number }>
    >;
    this.#generation = codeGeneration;
    this.limits = { INPUT_MAX: INPUT_MAX.value, BLOBS_MAX: BLOBS_MAX.value, RETURN_DATA_MAX: RETURN_DATA_MAX.value };
    const { buffer } = memory;
    this.bytes = new Uint8Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.u64 = new BigUint64Array(buffer);
    this.i64 = new BigInt64Array(buffer);
    this.f64 = new Float64Array(buffer);
  }

  /** Increased whenever all codes are dropped, and with them what was compiled from them. */
  get generation(): number {
    return this.#generation.value;
  }

  u32At(at: number): number {
    return this.u32[at >>> 2]!;
  }

  u64At(at: number): bigint {
    return this.u64[at >>> 3]!;
  }

  i64At(at: number): bigint {
    return this.i64[at >>> 3]!;
  }

  f64At(at: number): number {
    return this.f64[at >>> 3]!;
  }

  /** Returns a list of `count` addresses of table entries, which starts at `at`. */
  entries(at: number, count: number): Uint32Array {
    return this.u32.subarray(at >>> 2, (at >>> 2) + count);
  }

  /** Reads the word at `at`, a multiple of 8: four limbs, least significant first. */
  word(at: number): bigint {
    const { u32, u64 } = this;
    const i = at >>> 3;
    const j = at >>> 2;
    // Most words fit in one limb. Combining all four limbs would allocate several bigints.
    if ((u32[j + 2]! | u32[j + 3]! | u32[j + 4]! | u32[j + 5]! | u32[j + 6]! | u32[j + 7]!) === 0) return u64[i]!;
    const high = u64[i + 2]! | (u64[i + 3]! << 64n);
    return u64[i]! | (u64[i + 1]! << 64n) | (high << 128n);
  }

  /** Writes a word at `at`. */
  setWord(at: number, value: bigint): void {
    const { u64 } = this;
    const i = at >>> 3;
    // Assigning to the typed array keeps the low 64 bits of the value.
    u64[i] = value;
    if (value < TWO_64) {
      u64[i + 1] = 0n;
      u64[i + 2] = 0n;
      u64[i + 3] = 0n;
      return;
    }
    u64[i + 1] = value >> 64n;
    u64[i + 2] = value >> 128n;
    u64[i + 3] = value >> 192n;
  }

  /** Writes a word that is given as at most 32 big-endian bytes. */
  setWordBytes(at: number, value: Uint8Array): void {
    const { bytes } = this;
    let to = at;
    for (let i = value.length - 1; i >= 0; i--) bytes[to++] = value[i]!;
    for (const end = at + 32; to < end; to++) bytes[to] = 0;
  }

  /** Copies a word into 32 big-endian bytes. */
  wordBytes(at: number): Uint8Array {
    const word = new Uint8Array(32);
    for (let i = 0; i < 32; i++) word[i] = this.bytes[at + 31 - i]!;
    return word;
  }

  /** Writes an address, and the four zero bytes after it. */
  setAddress(at: number, address: Uint8Array): void {
    const { bytes } = this;
    // A loop is twice as fast here as `set`.
    for (let i = 0; i < ADDRESS_BYTES; i++) bytes[at + i] = address[i]!;
    this.u32[(at + 20) >>> 2] = 0;
  }

  /** Returns a copy of the contract log at address `at`. */
  logAt(at: number): Log {
    const length = this.u32At(at + LOG.LENGTH);
    const topics: Uint8Array[] = [];
    const first = at + LOG.HEAD_BYTES;
    const data = first + this.u32At(at + LOG.TOPIC_COUNT) * WORD_BYTES;
    for (let topic = first; topic < data; topic += WORD_BYTES) topics.push(this.slice(topic, WORD_BYTES));
    const address = this.slice(this.u32At(at + LOG.ACCOUNT_ENTRY), ADDRESS_BYTES);
    return { address, topics, data: this.slice(data, length) };
  }

  slice(at: number, length: number): Uint8Array {
    return this.bytes.slice(at, at + length);
  }
}

function oddNumber(): bigint {
  return randomBytes(8).readBigUInt64LE() | 1n;
}

/** Wraps methods in functions, because the kernel calls its imports without `this`. */
function bound(host: KernelHost, hooks: KernelTracerHooks): KernelHost & KernelTracerHooks {
  return {
    account: (entry) => host.account(entry),
    storage: (address, key, out) => host.storage(address, key, out),
    code: (hash, out, room) => host.code(hash, out, room),
    blockHash: (number, out) => host.blockHash(number, out),
    now: () => host.now(),
    entered: (opcode, from, to, value, input, bytes, gas) => hooks.entered(opcode, from, to, value, input, bytes, gas),
    left: (how, reason, gas, output, bytes) => hooks.left(how, reason, gas, output, bytes),
    logged: (log) => hooks.logged(log),
    creates: (address) => hooks.creates(address),
  };
}

const TWO_64 = 1n << 64n;
/** Last page of the kernel's address space. A page takes no memory until it is written. */
const LAST_PAGE = LAYOUT.FRAME_MEMORY_END / PAGE_BYTES;
