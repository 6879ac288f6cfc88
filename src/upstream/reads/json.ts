// Reads values from the upstream node's JSON, and validates each. Pure.
import { parseHex } from '../../lib/bytes/hex.js';
import { UpstreamError } from '../transport/error.js';
import { isObject } from '../transport/rpc-answer.js';

/** A JSON object whose members are not validated yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Prefix of the error message for a wrong response. */
export const ANSWERS_WRONGLY = 'the upstream node answers wrongly: ';

/** Throws UpstreamError; `reason` says what is wrong with the response. */
export function wrong(reason: string): never {
  throw new UpstreamError('malformed', ANSWERS_WRONGLY + reason);
}

/** `value` as an object; throws UpstreamError. `what` names it in the message. */
export function membersOf(value: unknown, what: string): JsonObject {
  return isObject(value) ? value : wrong(`${what} is no object`);
}

/** `value` as a list; throws UpstreamError. `what` names it in the message. */
export function listOf(value: unknown, what: string): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : wrong(`${what} is no list`);
}

const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/;

/** An unsigned integer of at most 256 bits as `0x` hex; leading zeros are accepted, as some nodes write them. */
export function quantityOf(value: unknown, what: string): bigint {
  return isQuantity(value) ? BigInt(value) : wrong(`${what} is no quantity`);
}

/** The hex digits of a quantity, without `0x`. */
export function digitsOf(value: unknown, what: string): string {
  return isQuantity(value) ? value.slice(2) : wrong(`${what} is no quantity`);
}

function isQuantity(value: unknown): value is string {
  return typeof value === 'string' && QUANTITY.test(value);
}

/** A quantity that fits a JavaScript number exactly. */
export function numberOf(value: unknown, what: string): number {
  const number = Number(quantityOf(value, what));
  return Number.isSafeInteger(number) ? number : wrong(`${what} is too large`);
}

/** Bytes as `0x` hex; exactly `length` of them, or any number if it is `null`. */
export function bytesOf(value: unknown, what: string, length: number | null): Uint8Array {
  if (typeof value !== 'string' || !value.startsWith('0x')) return wrong(`${what} is no hex`);
  if (length !== null && value.length !== 2 + 2 * length) return wrong(`${what} has not ${length} bytes`);
  return (value.length % 2 === 0 ? parseHex(value, 2) : null) ?? wrong(`${what} is no hex`);
}

const HEX = /^0x[0-9a-f]*$/i;

/** Whole bytes as a `0x` hex string; exactly `length` of them, or any number if it is omitted. */
export function hexOf(value: unknown, what: string, length?: number): string {
  if (typeof value !== 'string' || !HEX.test(value)) return wrong(`${what} is no hex`);
  if (length !== undefined && value.length !== 2 + 2 * length) return wrong(`${what} has not ${length} bytes`);
  return value.length % 2 === 0 ? value : wrong(`${what} is no hex`);
}

/** True if a value is absent: nodes write `null`, or omit it. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
