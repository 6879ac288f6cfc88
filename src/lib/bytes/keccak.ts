// Keccak-256 in WebAssembly, 0.5 us for a short input where JavaScript takes 10: the kernel's implementation, compiled
// as a module of its own.

// Keccak is the kernel's implementation, compiled as a module of its own (`src/lib/bytes/keccak.ts`): 0.5 us for a
// short input where JavaScript takes 10. See DECISIONS.md.
import { readFileSync } from 'node:fs';
import { wasm } from './wasm.js';

interface KeccakExports {
  keccak256(out: number, input: number, length: number): void;
}

const PAGE_BYTES = 65_536;
/** The module's own constants and state are in the first page. */
const OUT = PAGE_BYTES;
const INPUT = OUT + 64;
const PAGES = 4;
const DIGEST_BYTES = 32;
/** Longer inputs are rare: their memory is freed afterwards. */
const BYTES_MAX = 1 << 24;

const MODULE = new wasm.Module(readFileSync(new URL('keccak.wasm', import.meta.url)));

/** One instance and its memory. */
class Hasher {
  readonly #run: KeccakExports;
  readonly #bytes: Uint8Array;

  constructor(pages: number) {
    const memory = new wasm.Memory({ initial: pages });
    this.#run = new wasm.Instance(MODULE, { env: { memory } }).exports as KeccakExports;
    this.#bytes = new Uint8Array(memory.buffer);
  }

  /** True if the memory has space for that many bytes. */
  has(length: number): boolean {
    return INPUT + length <= this.#bytes.length;
  }

  hash(input: Uint8Array): Uint8Array {
    this.#bytes.set(input, INPUT);
    this.#run.keccak256(OUT, INPUT, input.length);
    return this.#bytes.slice(OUT, OUT + DIGEST_BYTES);
  }
}

let hasher = new Hasher(PAGES);

/** The digest, 32 bytes, newly allocated. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  if (!hasher.has(bytes.length)) hasher = new Hasher(Math.ceil((INPUT + bytes.length) / PAGE_BYTES));
  const digest = hasher.hash(bytes);
  if (bytes.length > BYTES_MAX) hasher = new Hasher(PAGES);
  return digest;
}
