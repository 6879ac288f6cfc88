// The configuration of a trace, as go-ethereum takes it. Runs on main.

// Decision (2026-11, two cores): Tracers are those that go-ethereum has in Go. Those in JavaScript, which clients send along, would
// run code of strangers beside the state; they are refused by a text that says so. Members that older nodes had, and that ask for
// nothing here (`reexec`, `disableMemory`, `disableReturnData`, `debug`), are passed over; a chain configuration of one's own
// (`overrides`) is refused.
import type { TracerSpec } from '../../transaction/trace-request.js';
import type { Arguments } from './arguments.js';
import { FieldReader } from './field-reader.js';
import { membersOf, structOf, type Struct } from './struct.js';

/** A trace's configuration. */
export interface TraceConfig {
  readonly tracer: TracerSpec;
  /** Milliseconds; at most those that are allowed. */
  readonly timeoutMs: number;
}

const LOGGER = ['enableMemory', 'disableStack', 'disableStorage', 'enableReturnData', 'limit'];
const PASSED_OVER = ['reexec', 'disableMemory', 'disableReturnData', 'debug'];
const MEMBERS = ['tracer', 'tracerConfig', 'timeout', 'overrides', ...LOGGER, ...PASSED_OVER];
const CONFIG = structOf('tracers.TraceConfig', MEMBERS);
const CALL_CONFIG = structOf('tracers.TraceCallConfig', [...MEMBERS, 'stateOverrides', 'blockOverrides', 'txIndex']);
const CALL_TRACER = structOf('native.callTracerConfig', ['onlyTopCall', 'withLog']);
const PRESTATE_TRACER = structOf('native.prestateTracerConfig', [
  'diffMode',
  'disableCode',
  'disableStorage',
  'includeEmpty',
]);
const NOTHING = structOf('native.tracerConfig', []);
const TRACERS = structOf('native.muxTracerConfig', [
  'callTracer',
  'prestateTracer',
  '4byteTracer',
  'noopTracer',
  'muxTracer',
]);

/** Reads the configuration at `index`, which may be missing; `ofCall`: with what a call has besides. */
export function traceConfigOf(args: Arguments, index: number, timeoutMsMax: number, ofCall = false): TraceConfig {
  const reader = traceReader(args, index, ofCall);
  if (reader.has('overrides')) args.fail(`invalid argument ${index}: forks of one's own (overrides) are not served`);
  const timeoutMs = Math.min(timeoutOf(args, reader.value('timeout'), index) ?? timeoutMsMax, timeoutMsMax);
  return { tracer: tracerOf(args, reader, index), timeoutMs };
}

/** The members of the configuration. */
export function traceReader(args: Arguments, index: number, ofCall: boolean): FieldReader {
  const value = args.has(index) ? args.required(index) : {};
  return new FieldReader(args, value, ofCall ? CALL_CONFIG : CONFIG, { index });
}

function tracerOf(args: Arguments, reader: FieldReader, index: number): TracerSpec {
  if (!reader.has('tracer')) return loggerOf(reader);
  const name = args.textOf(reader.value('tracer'), { index, field: 'TraceConfig.tracer' });
  return namedTracer(args, { name, config: reader.value('tracerConfig'), index });
}

interface NamedTracer {
  readonly name: string;
  readonly config: unknown;
  readonly index: number;
}

function namedTracer(args: Arguments, named: NamedTracer): TracerSpec {
  const read = (struct: Struct): FieldReader => configReader(args, named, struct);
  switch (named.name) {
    case 'callTracer': {
      const reader = read(CALL_TRACER);
      return { name: 'callTracer', onlyTopCall: reader.flag('onlyTopCall'), withLog: reader.flag('withLog') };
    }
    case 'prestateTracer':
      return prestateTracerOf(args, read(PRESTATE_TRACER), named.index);
    case '4byteTracer':
    case 'noopTracer':
      read(NOTHING);
      return { name: named.name };
    case 'muxTracer':
      return { name: 'muxTracer', tracers: tracersOf(args, named) };
    default:
      args.fail(`invalid argument ${named.index}: ${unknownTracer(named.name)}`);
      return { name: 'noopTracer' };
  }
}

function configReader(args: Arguments, { name, config, index }: NamedTracer, struct: Struct): FieldReader {
  return new FieldReader(args, config ?? {}, struct, { index, field: `${name}Config` });
}

function prestateTracerOf(args: Arguments, reader: FieldReader, index: number): TracerSpec {
  const [diffMode, includeEmpty] = [reader.flag('diffMode'), reader.flag('includeEmpty')];
  if (diffMode && includeEmpty) args.fail(`invalid argument ${index}: cannot use diffMode with includeEmpty`);
  const [disableCode, disableStorage] = [reader.flag('disableCode'), reader.flag('disableStorage')];
  return { name: 'prestateTracer', diffMode, disableCode, disableStorage, includeEmpty };
}

/** The tracers of one that has several, each by its name. */
function tracersOf(args: Arguments, { name, config, index }: NamedTracer): TracerSpec[] {
  const members = membersOf(args, config ?? {}, TRACERS, { index, field: `${name}Config` });
  return Object.entries(members).map(([one, own]) => namedTracer(args, { name: one, config: own, index }));
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

function unknownTracer(name: string): string {
  const known = 'callTracer, prestateTracer, 4byteTracer, noopTracer, muxTracer';
  const shown = JSON.stringify(name.slice(0, SHOWN_CHARACTERS));
  return `no tracer is called ${shown}; there are ${known}, and none in JavaScript`;
}

const SHOWN_CHARACTERS = 40;

/** A time as Go writes it: `5s`, `1.5s`, `300ms`, `1m30s`. */
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

function timeoutOf(args: Arguments, value: unknown, index: number): number | null {
  if (value === undefined || value === null) return null;
  const text = args.textOf(value, { index, field: 'TraceConfig.timeout' });
  if (DURATION.test(text)) {
    const parts = [...text.matchAll(PART)].map(([, count, unit]) => Number(count) * UNIT_MS[unit!]!);
    return parts.reduce((sum, part) => sum + part, 0);
  }
  args.fail(`invalid argument ${index}: time: invalid duration ${JSON.stringify(text.slice(0, SHOWN_CHARACTERS))}`);
  return null;
}
