// BLAKE2F and MODEXP in WebAssembly: the kernel's arithmetic, compiled by itself. Runs on publisher and estimators where the
// addon does not serve.
import { readFileSync } from 'node:fs';
import { wasm, type WasmModule } from '../../../lib/wasm.js';
import { STATUS, type GeneralFunctions } from '../functions.js';

/** What the addon has of these. */
export type IntegerFunctions = Pick<GeneralFunctions, 'blake2f' | 'modexp'>;

/** assembly/precompile-functions.ts: parameters are places in memory, and lengths in bytes. */
interface Exports {
  compress(output: number, input: number): void;
  power(...placesAndLengths: number[]): void;
}

const PAGE_BYTES = 65_536;
/** The module's own constants and state lie in the first page. */
const ROOM = PAGE_BYTES;
/** Enough for numbers of 1024 bytes, EIP-7823's longest: longer ones are rare and get an instance of their own. */
const PAGES = 2;
const LIMB_BYTES = 8;
const BLAKE2F_OUTPUT_BYTES = 64;

/** Throws a RangeError where the system has no memory for it. */
export function createIntegers(): IntegerFunctions {
  const module = new wasm.Module(readFileSync(new URL('functions.wasm', import.meta.url)));
  const usual = new Instance(module, PAGES);
  return {
    blake2f(input, output) {
      usual.blake2f(input, output);
      return STATUS.done;
    },
    modexp(base, exponent, modulus, output) {
      const bytes = ROOM + roomFor(base, modulus) + base.length + exponent.length + 2 * modulus.length;
      const pages = Math.ceil(bytes / PAGE_BYTES);
      const instance = pages <= PAGES ? usual : new Instance(module, pages);
      instance.modexp(base, exponent, modulus, output);
      return STATUS.done;
    },
  };
}

/** An instance and its memory. */
class Instance {
  readonly #run: Exports;
  readonly #bytes: Uint8Array;

  constructor(module: WasmModule, pages: number) {
    const memory = new wasm.Memory({ initial: pages });
    this.#run = new wasm.Instance(module, { env: { memory } }).exports as Exports;
    this.#bytes = new Uint8Array(memory.buffer);
  }

  blake2f(input: Uint8Array, output: Uint8Array): void {
    this.#bytes.set(input, ROOM + BLAKE2F_OUTPUT_BYTES);
    this.#run.compress(ROOM, ROOM + BLAKE2F_OUTPUT_BYTES);
    output.set(this.#bytes.subarray(ROOM, ROOM + BLAKE2F_OUTPUT_BYTES));
  }

  modexp(base: Uint8Array, exponent: Uint8Array, modulus: Uint8Array, output: Uint8Array): void {
    let at = ROOM + roomFor(base, modulus);
    const placed: number[] = [];
    for (const number of [base, exponent, modulus]) {
      this.#bytes.set(number, at);
      placed.push(at, number.length);
      at += number.length;
    }
    this.#run.power(...placed, at, ROOM);
    output.set(this.#bytes.subarray(at, at + modulus.length));
  }
}

/** Bytes that `power` asks for beside its parameters. */
function roomFor(base: Uint8Array, modulus: Uint8Array): number {
  return LIMB_BYTES * (21 * limbs(modulus) + limbs(base) + 2);
}

function limbs({ length }: Uint8Array): number {
  return Math.ceil(length / LIMB_BYTES);
}
