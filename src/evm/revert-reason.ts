// Decodes the reason in revert data, if it has Solidity's form.
import { toHex } from '../lib/bytes/hex.js';
import { toBigInt } from '../lib/bytes/big-endian.js';

/** Selector of `Error(string)`. */
const ERROR_SELECTOR = '0x08c379a0';
/** Selector of `Panic(uint256)`. */
const PANIC_SELECTOR = '0x4e487b71';

/** Texts of Solidity's panic codes, as go-ethereum has them. */
const PANIC_REASONS: Readonly<Record<number, string>> = {
  0x00: 'generic panic',
  0x01: 'assert(false)',
  0x11: 'arithmetic underflow or overflow',
  0x12: 'division or modulo by zero',
  0x21: 'enum overflow',
  0x22: 'invalid encoded storage byte array accessed',
  0x31: 'out-of-bounds array access; popping on an empty array',
  0x32: 'out-of-bounds access of an array or bytesN',
  0x41: 'out of memory',
  0x51: 'uninitialized function',
};

/** Returns the error message of a revert, with the reason if the revert data has one. */
export function revertMessage(data: Uint8Array): string {
  const reason = revertReason(data);
  return reason === null ? 'execution reverted' : `execution reverted: ${reason}`;
}

/** Returns the reason in revert data of `Error(string)` or `Panic(uint256)`; `null` for any other data. */
export function revertReason(data: Uint8Array): string | null {
  if (data.length < 4) return null;
  const selector = toHex(data.subarray(0, 4));
  if (selector === ERROR_SELECTOR) return errorText(data.subarray(4));
  return selector === PANIC_SELECTOR ? panicText(data.subarray(4)) : null;
}

function errorText(body: Uint8Array): string | null {
  const offset = word(body, 0);
  if (offset === null) return null;
  const length = word(body, offset);
  if (length === null || offset + 32 + length > body.length) return null;
  return Buffer.from(body.subarray(offset + 32, offset + 32 + length)).toString('utf8');
}

function panicText(body: Uint8Array): string | null {
  if (body.length < 32) return null;
  const code = toBigInt(body.subarray(0, 32));
  return PANIC_REASONS[Number(code)] ?? `unknown panic code: 0x${code.toString(16)}`;
}

/** Reads a 32-byte word that must be an offset or length within `body`; returns null if it is not. */
function word(body: Uint8Array, at: number): number | null {
  if (at + 32 > body.length) return null;
  const value = toBigInt(body.subarray(at, at + 32));
  return value > BigInt(body.length) ? null : Number(value);
}
