// Parses and validates values in the upstream node's JSON. Pure.
import { parseHex } from '../../lib/bytes/hex.js';
import { UpstreamError } from '../transport/upstream-error.js';
import { isJsonObject } from '../transport/parse-rpc-response.js';

/** A JSON object whose members are not validated yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Start of the error message for an invalid response. */
export const WRONG_ANSWER_PREFIX = 'the upstream node answers wrongly: ';

/** Throws an UpstreamError; `reason` says what is wrong with the response. */
export function throwWrongAnswer(reason: string): never {
  throw new UpstreamError('malformed', WRONG_ANSWER_PREFIX + reason);
}

/** Returns `value` as an object, or throws UpstreamError; `what` names the value in its message. */
export function asJsonObject(value: unknown, what: string): JsonObject {
  return isJsonObject(value) ? value : throwWrongAnswer(`${what} is no object`);
}

/** Returns `value` as a list, or throws UpstreamError; `what` names the value in its message. */
export function asJsonArray(value: unknown, what: string): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : throwWrongAnswer(`${what} is no list`);
}

const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/;

/**
 * Parses an unsigned integer of at most 256 bits in `0x` hex. Leading zeros are accepted, because some nodes write
 * them.
 */
export function parseQuantity(value: unknown, what: string): bigint {
  return isQuantity(value) ? BigInt(value) : throwWrongAnswer(`${what} is no quantity`);
}

/** Returns the hex digits of a quantity, without `0x`. */
export function quantityDigits(value: unknown, what: string): string {
  return isQuantity(value) ? value.slice(2) : throwWrongAnswer(`${what} is no quantity`);
}

function isQuantity(value: unknown): value is string {
  return typeof value === 'string' && QUANTITY.test(value);
}

/** Parses a quantity that fits a JavaScript number exactly. */
export function parseSafeInteger(value: unknown, what: string): number {
  const number = Number(parseQuantity(value, what));
  return Number.isSafeInteger(number) ? number : throwWrongAnswer(`${what} is too large`);
}

/** Parses bytes in `0x` hex: exactly `length` bytes, or any number of bytes if `length` is `null`. */
export function parseBytes(value: unknown, what: string, length: number | null): Uint8Array {
  if (typeof value !== 'string' || !value.startsWith('0x')) return throwWrongAnswer(`${what} is no hex`);
  if (length !== null && value.length !== 2 + 2 * length) return throwWrongAnswer(`${what} has not ${length} bytes`);
  return (value.length % 2 === 0 ? parseHex(value, 2) : null) ?? throwWrongAnswer(`${what} is no hex`);
}

const HEX = /^0x[0-9a-f]*$/i;

/**
 * Checks a `0x` hex string of whole bytes and returns it: exactly `length` bytes, or any number if `length` is omitted.
 */
export function parseHexString(value: unknown, what: string, length?: number): string {
  if (typeof value !== 'string' || !HEX.test(value)) return throwWrongAnswer(`${what} is no hex`);
  if (length !== undefined && value.length !== 2 + 2 * length)
    return throwWrongAnswer(`${what} has not ${length} bytes`);
  return value.length % 2 === 0 ? value : throwWrongAnswer(`${what} is no hex`);
}

/** Returns true if a value is absent. Nodes write `null` for it or leave it out. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
