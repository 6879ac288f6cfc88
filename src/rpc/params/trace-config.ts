// Reads the configuration of a tracer, as go-ethereum accepts it.

// The tracers are those that go-ethereum has in Go, except erc7562Tracer. See DECISIONS.md.
import type { TracerSpec } from '../../transaction/trace-request-types.js';
import type { RpcArguments } from './arguments.js';
import { FieldReader } from './field-reader.js';
import { lenientStruct, type JsonStruct } from './json-struct.js';

export interface TraceConfig {
  readonly tracer: TracerSpec;
  /** Timeout in milliseconds, reduced to the allowed maximum. */
  readonly timeoutMs: number;
  /** Error message if only a node supports a configured option; `null` if this program supports all of them. */
  readonly nodeOnly: string | null;
  readonly hasUnknown: boolean;
  /** The members of the configuration. */
  readonly fields: FieldReader;
}

const LOGGER = ['enableMemory', 'disableStack', 'disableStorage', 'enableReturnData', 'limit'];
const PASSED_OVER = ['reexec', 'disableMemory', 'disableReturnData', 'debug'];
const MEMBERS = ['tracer', 'tracerConfig', 'timeout', 'overrides', ...LOGGER, ...PASSED_OVER];
const CONFIG = lenientStruct('tracers.TraceConfig', MEMBERS);
const CALL_CONFIG = lenientStruct('tracers.TraceCallConfig', [
  ...MEMBERS,
  'stateOverrides',
  'blockOverrides',
  'txIndex',
]);
const TRACERS = new Set(['callTracer', 'flatCallTracer', 'prestateTracer', '4byteTracer', 'noopTracer', 'muxTracer']);
const CALL_MEMBERS = ['onlyTopCall', 'withLog'];
const FLAT_MEMBERS = ['convertParityErrors', 'includePrecompiles'];
const PRESTATE_MEMBERS = ['diffMode', 'disableCode', 'disableStorage', 'includeEmpty'];
const CALL_TRACER = lenientStruct('native.callTracerConfig', CALL_MEMBERS);
const FLAT_TRACER = lenientStruct('native.flatCallTracerConfig', FLAT_MEMBERS);
const PRESTATE_TRACER = lenientStruct('native.prestateTracerConfig', PRESTATE_MEMBERS);
const NOTHING = lenientStruct('native.tracerConfig', []);
/** Known member names in lower case, because Go's decoder is case-insensitive. */
const KNOWN = new Set(
  [...CALL_CONFIG.names.keys(), ...CALL_MEMBERS, ...FLAT_MEMBERS, ...PRESTATE_MEMBERS].map((name) =>
    name.toLowerCase(),
  ),
);
const OVERRIDES = /^((state|block)overrides?|txindex)$/i;

/**
 * Reads the trace configuration at `index`, if there is one. `ofCall`: the members that only debug_traceCall has are
 * allowed.
 */
export function readTraceConfig(args: RpcArguments, index: number, timeoutMsMax: number, ofCall = false): TraceConfig {
  const reader = fieldsOf(args, index, ofCall);
  const timeoutMs = Math.min(timeoutOf(args, reader.value('timeout'), index) ?? timeoutMsMax, timeoutMsMax);
  const tracer = tracerOf(args, reader, index);
  const name = reader.has('tracer') ? args.textOf(reader.value('tracer'), { index }) : null;
  const other = name === null ? null : otherTracer(name, reader.value('tracerConfig'));
  const why = reader.has('overrides') ? "forks of one's own (overrides) are not served" : other;
  const nodeOnly = why === null ? null : `invalid argument ${index}: ${why}`;
  return { tracer, timeoutMs, nodeOnly, hasUnknown: hasUnknown(args.value(index)), fields: reader };
}

function fieldsOf(args: RpcArguments, index: number, ofCall: boolean): FieldReader {
  const value = args.value(index) ?? {};
  const struct = ofCall ? CALL_CONFIG : CONFIG;
  const override = namesIn(value).find((name) => OVERRIDES.test(name) && !struct.names.has(name.toLowerCase()));
  if (override !== undefined) args.fail(`invalid argument ${index}: json: unknown field ${JSON.stringify(override)}`);
  return new FieldReader(args, value, struct, { index });
}

function namesIn(value: unknown): string[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
}

function memberOf(value: unknown, name: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[name];
}

/**
 * True if the trace configuration, or a tracer's configuration inside it, has a member that this program does not know.
 */
function hasUnknown(config: unknown): boolean {
  return namesIn(config).some((name) => {
    const isTracer = TRACERS.has(name);
    if (!isTracer && !KNOWN.has(name.toLowerCase())) return true;
    return (isTracer || name === 'tracerConfig') && hasUnknown(memberOf(config, name));
  });
}

/** Returns why this program does not have a tracer, or one inside a muxTracer; `null` if it has it. */
function otherTracer(name: string, config: unknown): string | null {
  if (!TRACERS.has(name)) {
    const shown = JSON.stringify(name.slice(0, SHOWN_CHARACTERS));
    return `no tracer is called ${shown}; there are ${[...TRACERS].join(', ')}, and none in JavaScript`;
  }
  if (name !== 'muxTracer') return null;
  const others = namesIn(config).map((one) => otherTracer(one, memberOf(config, one)));
  return others.find((why) => why !== null) ?? null;
}

function tracerOf(args: RpcArguments, reader: FieldReader, index: number): TracerSpec {
  if (!reader.has('tracer')) return loggerOf(reader);
  const name = args.textOf(reader.value('tracer'), { index, field: 'TraceConfig.tracer' });
  return namedTracer(args, name, reader.value('tracerConfig'), index);
}

function namedTracer(args: RpcArguments, name: string, config: unknown, index: number): TracerSpec {
  const path = { index, field: `${name}Config` };
  const read = (struct: JsonStruct): FieldReader => new FieldReader(args, config ?? {}, struct, path);
  switch (name) {
    case 'callTracer': {
      const reader = read(CALL_TRACER);
      return { name: 'callTracer', onlyTopCall: reader.flag('onlyTopCall'), withLog: reader.flag('withLog') };
    }
    case 'flatCallTracer': {
      const reader = read(FLAT_TRACER);
      const convertParityErrors = reader.flag('convertParityErrors');
      return { name: 'flatCallTracer', convertParityErrors, includePrecompiles: reader.flag('includePrecompiles') };
    }
    case 'prestateTracer':
      return prestateTracerOf(args, read(PRESTATE_TRACER), index);
    case '4byteTracer':
    case 'noopTracer':
      read(NOTHING);
      return { name };
    case 'muxTracer': {
      const members = Object.entries(args.object(config ?? {}, 'native.muxTracerConfig', path));
      return { name, tracers: members.map(([one, own]) => namedTracer(args, one, own, index)) };
    }
    default:
      // A placeholder that never runs, because `nodeOnly` is set.
      return { name: 'noopTracer' };
  }
}

function prestateTracerOf(args: RpcArguments, reader: FieldReader, index: number): TracerSpec {
  const [diffMode, includeEmpty] = [reader.flag('diffMode'), reader.flag('includeEmpty')];
  if (diffMode && includeEmpty) args.fail(`invalid argument ${index}: cannot use diffMode with includeEmpty`);
  const [disableCode, disableStorage] = [reader.flag('disableCode'), reader.flag('disableStorage')];
  return { name: 'prestateTracer', diffMode, disableCode, disableStorage, includeEmpty };
}

function loggerOf(reader: FieldReader): TracerSpec {
  return {
    name: 'structLogger',
    enableMemory: reader.flag('enableMemory'),
    disableStack: reader.flag('disableStack'),
    disableStorage: reader.flag('disableStorage'),
    enableReturnData: reader.flag('enableReturnData'),
    limit: reader.count('limit'),
  };
}

const SHOWN_CHARACTERS = 40;

/** Matches a duration in Go's syntax: `5s`, `1.5s`, `300ms`, `1m30s`. */
const DURATION = /^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/;
const PART = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g;
const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

function timeoutOf(args: RpcArguments, value: unknown, index: number): number | null {
  if (value === undefined || value === null) return null;
  const text = args.textOf(value, { index, field: 'TraceConfig.timeout' });
  if (DURATION.test(text)) {
    const terms = [...text.matchAll(PART)].map(([, count, unit]) => Number(count) * UNIT_MS[unit!]!);
    return terms.reduce((sum, part) => sum + part, 0);
  }
  args.fail(`invalid argument ${index}: time: invalid duration ${JSON.stringify(text.slice(0, SHOWN_CHARACTERS))}`);
  return null;
}
