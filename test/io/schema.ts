// Schemas of typed clients, as strict as the strictest of them: each member must be present and of its type, null only
// where allowed, and no additional members are allowed.
import assert from 'node:assert/strict';

/** What is wrong with a value at a path; `null`: nothing. */
export type Schema = (value: unknown, at: string) => string | null;

type Shape = Readonly<Record<string, Schema>>;

/** Asserts that the value matches the schema; the message contains the path of a mismatch. */
export function assertOfSchema(value: unknown, schema: Schema, at: string): void {
  assert.equal(schema(value, at), null);
}

function textOf(pattern: RegExp, kind: string): Schema {
  return (value, at) =>
    typeof value === 'string' && pattern.test(value) ? null : `${at} is no ${kind}: ${shown(value)}`;
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 80);
}

/** Without leading zeros, and 64 bits where decoders have 64 bits. */
export const quantity = textOf(/^0x(0|[1-9a-f][0-9a-f]{0,15})$/, 'quantity of 64 bits');
export const large = textOf(/^0x(0|[1-9a-f][0-9a-f]{0,63})$/, 'quantity');
export const bytes = textOf(/^0x([0-9a-f]{2})*$/, 'bytes');
export const hash = textOf(/^0x[0-9a-f]{64}$/, 'hash');
export const address = textOf(/^0x[0-9a-f]{40}$/, 'address');
export const bloom = textOf(/^0x[0-9a-f]{512}$/, 'bloom');
export const eightBytes = textOf(/^0x[0-9a-f]{16}$/, 'nonce of a header');
export const decimal = textOf(/^(0|[1-9][0-9]*)$/, 'decimal number');
export const fraction = textOf(/^[0-9]+(\.[0-9]+)?$/, 'decimal fraction');
export const whole: Schema = (value, at) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? null : `${at} is no whole number: ${shown(value)}`;
export const text = textOf(/./s, 'text');
export const truth: Schema = (value, at) => (typeof value === 'boolean' ? null : `${at} is no truth: ${shown(value)}`);
export const nothing: Schema = (value, at) => (value === null ? null : `${at} must be null: ${shown(value)}`);
export const ratio: Schema = (value, at) =>
  typeof value === 'number' && value >= 0 && value <= 1 ? null : `${at} is no ratio: ${shown(value)}`;

/** Exactly this JSON value. */
export function only(expected: unknown): Schema {
  return (value, at) => (value === expected ? null : `${at} is not ${shown(expected)}: ${shown(value)}`);
}

/** The first schema that matches; if none does, the last one's fault. */
export function either(...schemas: readonly Schema[]): Schema {
  return (value, at) => {
    const faults = schemas.map((schema) => schema(value, at));
    return faults.includes(null) ? null : faults.at(-1)!;
  };
}

export const orNull = (schema: Schema): Schema => either(nothing, schema);

export function listOf(schema: Schema, most = Infinity): Schema {
  return (value, at) => {
    if (!Array.isArray(value)) return `${at} is no list: ${shown(value)}`;
    if (value.length > most) return `${at} has more than ${most} items`;
    return first(value.map((item, i) => schema(item, `${at}[${i}]`)));
  };
}

/** A list with one item for each schema, in order. */
export function itemsOf(schemas: readonly Schema[]): Schema {
  return (value, at) => {
    if (!Array.isArray(value) || value.length !== schemas.length) return `${at} has other items: ${shown(value)}`;
    return first(schemas.map((schema, i) => schema(value[i], `${at}[${i}]`)));
  };
}

/** An object with all members of `required`, and any of `optional`. */
export function objectOf(required: Shape, optional: Shape = {}): Schema {
  return (value, at) => {
    if (!isObject(value)) return `${at} is no object: ${shown(value)}`;
    const unknown = Object.keys(value).find((name) => !(name in required) && !(name in optional));
    if (unknown !== undefined) return `${at}.${unknown} must not be there`;
    const needed = Object.entries(required);
    const present = Object.entries(optional).filter(([name]) => name in value);
    return first([...needed, ...present].map(([name, schema]) => schema(value[name], `${at}.${name}`)));
  };
}

/** An object with arbitrary names and values of one schema. */
export function mapOf(name: Schema, schema: Schema): Schema {
  return (value, at) => {
    if (!isObject(value)) return `${at} is no object: ${shown(value)}`;
    return first(
      Object.entries(value).flatMap(([key, item]) => [name(key, `${at} ${key}`), schema(item, `${at}.${key}`)]),
    );
  };
}

/** Selects the schema by a member of the object, such as a transaction's type. */
export function byMember(member: string, schemas: ReadonlyMap<unknown, Schema>): Schema {
  return (value, at) => {
    const schema = isObject(value) ? schemas.get(value[member]) : undefined;
    return schema === undefined ? `${at}.${member} names no kind: ${shown(value)}` : schema(value, at);
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function first(faults: readonly (string | null)[]): string | null {
  return faults.find((fault) => fault !== null) ?? null;
}
