// rpc.discover: returns the method table as an OpenRPC document.
import { PARAMETERS_BY_NAME, type MethodRow, type ParameterName } from '../../methods.table.js';
import { TYPE_SCHEMAS, typeSchema, type JsonSchema } from './type-schemas.table.js';

interface OpenRpcDocument {
  readonly openrpc: string;
  readonly info: JsonSchema;
  readonly methods: readonly JsonSchema[];
  readonly components: { readonly schemas: typeof TYPE_SCHEMAS };
}

/** Creates the OpenRPC document for these methods. */
export function createOpenRpcDocument(rows: readonly MethodRow[], version: string): OpenRpcDocument {
  return {
    openrpc: '1.3.2',
    info: { title: 'prestate', version },
    methods: rows.map(methodShown),
    components: { schemas: TYPE_SCHEMAS },
  };
}

function methodShown({ name, params, result, description }: MethodRow): JsonSchema {
  return {
    name,
    ...(description !== undefined && { summary: description }),
    paramStructure: 'by-position',
    params: params.map(parameterShown),
    result: { name: result, schema: typeSchema(result) },
  };
}

function parameterShown(param: MethodRow['params'][number]): JsonSchema {
  const name = param.replace('?', '') as ParameterName;
  const { type, description } = PARAMETERS_BY_NAME[name];
  const isOptional = param.endsWith('?');
  return { name, description, required: !isOptional, schema: typeSchema(isOptional ? `${type}?` : type) };
}
