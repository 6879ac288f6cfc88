// The OpenRPC document: every recorded conversation, our own and the execution API's, conforms to its schemas.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { METHODS, PARAMETERS_BY_NAME } from '../../../src/methods.table.js';
import { createOpenRpcDocument } from '../../../src/rpc/methods/discover.js';
import { TYPE_SCHEMAS, typeSchema, type JsonSchema } from '../../../src/rpc/methods/type-schemas.table.js';
import { ownConversations, readConversation, type Exchange } from '../../io/conversation.js';
import { sharedData, withoutData } from '../../support/shared-data.js';

const THEIRS = 'execution-apis/tests';

/** Why a value does not match a schema; `null` if it does. */
function faultOf(value: unknown, schema: JsonSchema): string | null {
  const {
    $ref,
    anyOf,
    type,
    pattern,
    items,
    properties = {},
    required = [],
    additionalProperties,
  } = schema as Keywords;
  if ($ref !== undefined) return faultOf(value, TYPE_SCHEMAS[$ref.split('/').at(-1) as keyof typeof TYPE_SCHEMAS]);
  if (anyOf !== undefined) return anyOf.some((one) => faultOf(value, one) === null) ? null : `none of ${anyOf.length}`;
  if (schema['enum'] !== undefined) return (schema['enum'] as unknown[]).includes(value) ? null : 'another word';
  if (type === undefined) return null;
  if (type === 'array') return Array.isArray(value) ? firstOf(value.map((item) => faultOf(item, items!))) : 'no list';
  if (type === 'null') return value === null ? null : 'not null';
  if (type !== 'object') {
    if (typeof value !== type) return `no ${type}`;
    return pattern === undefined || new RegExp(pattern).test(String(value))
      ? null
      : `${String(value)} is not ${pattern}`;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'no object';
  const missing = required.find((name) => !(name in value));
  if (missing !== undefined) return `${missing} is missing`;
  const faults = Object.entries(value).map(([name, member]) => {
    const own = properties[name] ?? additionalProperties;
    const fault = own === undefined ? null : faultOf(member, own);
    return fault === null ? null : `${name}: ${fault}`;
  });
  return firstOf(faults);
}

interface Keywords {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly type?: string;
  readonly pattern?: string;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema;
}

function firstOf(faults: readonly (string | null)[]): string | null {
  return faults.find((fault) => fault !== null) ?? null;
}

/** Each call of a body with its response. */
function callsOf({ request, answer }: Exchange): { method: string; params: unknown; result?: unknown }[] {
  try {
    const [requests, responses] = [JSON.parse(request), JSON.parse(answer)].map((body: unknown) =>
      Array.isArray(body) ? (body as unknown[]) : [body],
    ) as [{ id: unknown; method: string; params: unknown }[], { id: unknown; result?: unknown }[]];
    return responses
      .filter(({ result }) => result !== undefined)
      .map((one) => ({ ...requests.find(({ id }) => id === one.id)!, ...one }));
  } catch {
    return [];
  }
}

/** Number of calls, all of which must conform to the document. */
function checked(exchanges: readonly Exchange[]): number {
  const calls = exchanges.flatMap(callsOf).filter(({ method }) => METHODS.has(method));
  for (const { method, params, result } of calls) {
    const { result: type, params: names } = METHODS.get(method)!;
    const at = `${method} ${JSON.stringify(params ?? []).slice(0, 200)}`;
    assert.equal(faultOf(result, typeSchema(type)), null, at);
    const given = (params ?? []) as readonly unknown[];
    assert.ok(given.length >= names.filter((name) => !name.endsWith('?')).length, `${at} leaves out what is required`);
    assert.ok(given.length <= names.length, at);
  }
  return calls.length;
}

test('results of all conversations are of the types that the document names', () => {
  const count = ownConversations().reduce((sum, { conversation }) => sum + checked(conversation.exchanges), 0);
  assert.ok(count > 200, String(count));
});

test('results of the execution API conversations match their types, too', { skip: withoutData(THEIRS) }, () => {
  const folder = sharedData(THEIRS);
  const names = readdirSync(folder).filter((name) => METHODS.has(name));
  const files = names.flatMap((name) => readdirSync(join(folder, name)).map((file) => join(folder, name, file)));
  const count = files
    .filter((file) => file.endsWith('.io'))
    .reduce((sum, file) => sum + checked(readConversation(file).exchanges), 0);
  assert.ok(count > 120, String(count));
});

test('a value of another type does not match the schema', () => {
  const log = { address: '0x' };
  assert.equal(faultOf([], typeSchema('log[]')), null);
  assert.match(faultOf([log], typeSchema('log[]'))!, /blockHash is missing/);
  assert.match(faultOf('0x01', typeSchema('quantity'))!, /is not/);
  assert.equal(faultOf(null, typeSchema('quantity')), 'no string');
  assert.equal(faultOf(null, typeSchema('quantity?')), null);
  assert.equal(faultOf('soon', typeSchema('blockRef')), 'none of 4');
});

test('every reference of the document leads to a schema, and every schema is referred to', () => {
  const document = JSON.stringify(createOpenRpcDocument([...METHODS.values()], '1.2.3'));
  const named = [...document.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name!);
  assert.deepEqual([...new Set(named)].toSorted(), Object.keys(TYPE_SCHEMAS).toSorted());
});

test('the document has each method with each parameter', () => {
  const { info, methods } = createOpenRpcDocument([...METHODS.values()], '1.2.3');
  assert.deepEqual(info, { title: 'prestate', version: '1.2.3' });
  assert.deepEqual(
    methods.map(({ name }) => name),
    [...METHODS.keys()],
  );
  const { name, params, result } = methods.find((method) => method['name'] === 'eth_getBalance')!;
  const quantity = { $ref: '#/components/schemas/quantity' };
  const address = { $ref: '#/components/schemas/address' };
  const block = { anyOf: [{ $ref: '#/components/schemas/blockRef' }, { type: 'null' }] };
  assert.deepEqual(
    [name, params, result],
    [
      'eth_getBalance',
      [
        { name: 'address', description: PARAMETERS_BY_NAME.address.description, required: true, schema: address },
        { name: 'block', description: PARAMETERS_BY_NAME.block.description, required: false, schema: block },
      ],
      { name: 'quantity', schema: quantity },
    ],
  );
});
