// Finds constants in code: slots that it reads, and addresses. Most of what a contract depends on is a constant in its
// code: the slots of its reserves and of its implementation, and the addresses of its tokens, factory and router.
import { LIMITS } from '../../../limits/index.js';
import { latin1Key } from '../../../lib/bytes/latin1-key.js';
import { ADDRESS_BYTES, WORD_BYTES, toWord } from '../../../lib/bytes/big-endian.js';

/** Constants in one code. Each is listed once, in the order of the code; LIMITS bounds their number. */
export interface ConstantKeys {
  /** Slots that the code reads, 32 bytes each. */
  readonly slots: readonly Uint8Array[];
  /** Addresses that the code contains, 20 bytes each. */
  readonly addresses: readonly Uint8Array[];
}

const PUSH0 = 0x5f;
const PUSH32 = 0x7f;
const SLOAD = 0x54;
/**
 * Number of leading bytes by which an address is distinguished from a number or a mask: in an address they are neither
 * all 0x00 nor all 0xff.
 */
const ADDRESS_PREFIX_BYTES = 4;
/**
 * A constant counts as the slot of an SLOAD if one of this many instructions before it pushes the constant. Compilers
 * put a DUP or SWAP in between.
 */
const SLOAD_REACH = 3;

/** Scans code once from start to end. Data after the instructions is scanned, too, and may look like a constant. */
export function findConstantKeys(code: Uint8Array): ConstantKeys {
  const slots = new Map<string, Uint8Array>();
  const addresses = new Map<string, Uint8Array>();
  /** The words that the last instructions have pushed; `null` for an instruction that pushes no constant. */
  const pushed: (Uint8Array | null)[] = [];
  for (let at = 0; at < code.length; at++) {
    const instruction = code[at]!;
    const word = instruction < PUSH0 || instruction > PUSH32 ? null : wordAt(code, at + 1, instruction - PUSH0);
    if (instruction === SLOAD) addAll(slots, pushed, LIMITS.constantSlotsMax);
    if (word !== null && isAddress(word, instruction - PUSH0))
      addAll(addresses, [word.subarray(-ADDRESS_BYTES)], LIMITS.constantAddressesMax);
    pushed.push(word);
    if (pushed.length > SLOAD_REACH) pushed.shift();
    if (word !== null) at += instruction - PUSH0;
  }
  return { slots: [...slots.values()], addresses: [...addresses.values()] };
}

function wordAt(code: Uint8Array, at: number, bytes: number): Uint8Array {
  return toWord(code.subarray(at, at + bytes));
}

/**
 * Returns true if a pushed constant looks like an address. Compilers push an address with 20 bytes, or, if it is an
 * immutable that the constructor sets, with 32 bytes.
 */
function isAddress(word: Uint8Array, bytes: number): boolean {
  if (bytes !== ADDRESS_BYTES && bytes !== WORD_BYTES) return false;
  const start = WORD_BYTES - ADDRESS_BYTES;
  const first = word.subarray(start, start + ADDRESS_PREFIX_BYTES);
  return isAll(word.subarray(0, start), 0) && !isAll(first, 0) && !isAll(first, 0xff);
}

function isAll(bytes: Uint8Array, value: number): boolean {
  return bytes.every((byte) => byte === value);
}

function addAll(to: Map<string, Uint8Array>, words: readonly (Uint8Array | null)[], most: number): void {
  for (const word of words) if (word !== null && to.size < most) to.set(latin1Key(word), word);
}
