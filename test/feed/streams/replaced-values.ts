// JSON messages in which some values are replaced by others, most of them invalid.
import * as fc from 'fast-check';

const strange = fc.oneof(
  fc.constantFrom(null, undefined, '0x', '0x0', '0xzz', '', -1, 1e300, 0.5, true, [], {}, `0x${'f'.repeat(70)}`),
  fc.jsonValue(),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
);

/** One of the messages, as text, with up to three values replaced. */
export function replacedValues(messages: readonly unknown[]): fc.Arbitrary<Buffer> {
  const replacements = fc.array(fc.record({ at: fc.nat(), by: strange }), { minLength: 1, maxLength: 3 });
  return fc.tuple(fc.constantFrom(...messages), replacements).map(([message, all]) => {
    let value = message;
    for (const { at, by } of all) {
      const places = paths(value);
      value = replaced(value, places[at % places.length]!, by);
    }
    return Buffer.from(JSON.stringify(value) ?? '');
  });
}

/** Paths to every value of a JSON object. */
function paths(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, inner]) => paths(inner, [...path, name]))];
}

function replaced(value: unknown, path: readonly string[], by: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return by;
  const copy = Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) };
  Object.assign(copy, { [name]: replaced((value as Record<string, unknown>)[name], rest, by) });
  return copy;
}
