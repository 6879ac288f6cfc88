// The one schema of the configuration: flag, environment name, unit, default and doc of every setting. Runs on main,
// at start-up only.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { foreignRow } from './chain/foreign.js';
import { readArguments, type FlagKind } from './cli/arguments.js';
import { parseConfigFile } from './cli/config-file.js';
import { helpLines } from './cli/help.js';
import { suggestion } from './cli/suggestion.js';
import {
  DEV_FORKS,
  STREAM_FORMATS,
  type BusOptions,
  type DevChainOptions,
  type FeedOptions,
  type LiveOptions,
} from './feed/options.js';
import { LIMITS } from './limits/index.js';
import { STANDARD, faultOf, idleIn, passThrough } from './rpc/call/passthrough.js';

/** Topic of a setting: the help shows them by topic. */
type Topic = 'chain' | 'live chain' | 'replicas' | 'limits' | 'kernel' | 'operating';

/** A setting. Its schema takes the text of flag, environment or file. */
export interface Setting {
  readonly topic: Topic;
  /** Kind of the value, for the help text; absent for a switch, whose text is `true` or `false`. */
  readonly value?: string;
  /** There may be several values: by commas, or as a flag that is given several times. */
  readonly isList?: true;
  readonly doc: string;
  /** The value may carry a key, and is not shown. */
  readonly isSecret?: true;
  readonly schema: z.ZodType;
}

const text = z.string().min(1, 'is empty');

const bounded = (least: number, most: number) => {
  const bounds = `is not between ${least} and ${most}`;
  return z.number().min(least, bounds).max(most, bounds);
};

/** A whole number, as digits or as `30e6`. */
const integer = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+(e\d+)?$/i, 'is not a whole number')
    .transform(Number)
    .pipe(bounded(least, most));

/** A size in bytes: `5242880`, `5m`, `1.5g`, `30e6`. */
const bytes = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?(e\d+|[kmg])?$/i, 'is not a number of bytes, with k, m or g behind it')
    .transform((size) => {
      const unit = 'kmg'.indexOf(size.at(-1)!.toLowerCase()) + 1;
      return Math.floor(Number(unit === 0 ? size : size.slice(0, -1)) * 1024 ** unit);
    })
    .pipe(bounded(least, most));

const switched = z
  .enum(['true', 'false'])
  .default('false')
  .transform((given) => given === 'true');

const url = (...protocols: readonly string[]) => {
  return z
    .string()
    .refine((given) => isUrl(given, protocols), { message: `is not ${urlText(protocols)}` })
    .optional();
};

/** A comma may be a part of a URL: one between two stands before a protocol. */
const urls = (...protocols: readonly string[]) => {
  return z
    .string()
    .transform((list) => list.split(/,(?=[a-z]+:\/\/)/i))
    .refine((list) => list.every((given) => isUrl(given, protocols)), { message: `is not ${urlText(protocols)}` })
    .refine((list) => new Set(list).size === list.length, { message: 'has one of them twice' })
    .refine((list) => list.length <= LIMITS.feedsMax, { message: `is more than ${LIMITS.feedsMax}` })
    .default([]);
};

function isUrl(given: string, protocols: readonly string[]): boolean {
  return URL.canParse(given) && protocols.includes(new URL(given).protocol);
}

function urlText(protocols: readonly string[]): string {
  return `a ${protocols.map((protocol) => `${protocol}//`).join(' or ')} URL`;
}

/** Every setting by the name of its flag. */
export const SETTINGS = {
  'dev-traffic': {
    topic: 'chain',
    value: 'TPS',
    doc: 'transactions per second that the dev chain makes by itself; 0 for none',
    schema: integer(0, 1000).default(5),
  },
  'dev-fork': {
    topic: 'chain',
    value: 'FORK',
    doc: "osaka or amsterdam: the dev chain's rules from its first block on",
    schema: z.enum(DEV_FORKS).default('osaka'),
  },
  'dev-feed-port': {
    topic: 'chain',
    value: 'PORT',
    doc: "port on 127.0.0.1 of a WebSocket that tells the dev chain's increments in --dev-feed-format; 0 takes a free one",
    schema: integer(0, 65_535).optional(),
  },
  'dev-feed-format': {
    topic: 'chain',
    value: 'FORMAT',
    doc: 'flashblocks or shreds: what is told at --dev-feed-port, as OP-Stack builders do or as RISE does to who subscribes',
    schema: z.enum(['flashblocks', 'shreds']).default('flashblocks'),
  },
  'dev-tools': {
    topic: 'chain',
    doc: 'the dev chain as development tools expect one: --revert-error-code 3, --default-block pending, --receipts confirmed',
    schema: switched,
  },
  genesis: {
    topic: 'chain',
    value: 'FILE',
    doc: 'geth-format genesis: serves this chain instead of the dev chain; with --upstream, or a rollup config: its forks',
    schema: text.optional(),
  },
  chain: { topic: 'chain', value: 'FILE', doc: 'RLP blocks to import on top of --genesis', schema: text.optional() },
  'data-dir': {
    topic: 'chain',
    value: 'DIR',
    doc: 'folder of the archive, or of what a live chain reads again, kept between runs; without it a temporary folder is used and removed',
    schema: text.optional(),
  },
  upstream: {
    topic: 'live chain',
    value: 'URL',
    doc: 'HTTP address of a node: serves its chain instead of the dev chain',
    isSecret: true,
    schema: url('http:', 'https:'),
  },
  'upstream-ws': {
    topic: 'live chain',
    value: 'URL',
    doc: 'WebSocket address of the same node, for new heads; without it they are polled every 50 to 250 ms',
    isSecret: true,
    schema: url('ws:', 'wss:'),
  },
  feed: {
    topic: 'live chain',
    value: 'URL',
    isList: true,
    doc: 'WebSocket address of a feed of pre-confirmations, or of several: the first that has a frame is taken; without it pending equals latest on a live chain',
    isSecret: true,
    schema: urls('ws:', 'wss:'),
  },
  'feed-format': {
    topic: 'live chain',
    value: 'FORMAT',
    doc: `auto, ${STREAM_FORMATS.join(' or ')}: what the feed tells; auto knows RISE by its id, which tells shreds`,
    schema: z.enum(['auto', ...STREAM_FORMATS]).default('auto'),
  },
  rules: {
    topic: 'live chain',
    value: 'KIND',
    doc: 'auto, ethereum or op-stack: the rules of the live chain; auto knows them by its id or asks the node',
    schema: z.enum(['auto', 'ethereum', 'op-stack']).default('auto'),
  },
  'follow-by': {
    topic: 'live chain',
    value: 'KIND',
    doc: 'auto, execution or diffs: auto executes blocks, and takes as diffs of the node what is not known or does not fit',
    schema: z.enum(['auto', 'execution', 'diffs']).default('auto'),
  },
  'diff-sample': {
    topic: 'live chain',
    value: 'PART',
    doc: 'part of what a diff or a shred changes that is read from the node and compared, 0 to 1',
    schema: z
      .string()
      .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'is not a number from 0 to 1')
      .transform(Number)
      .default(0.05),
  },
  foreign: {
    topic: 'live chain',
    value: 'LIST',
    isList: true,
    doc: "accounts whose code is not the EVM's, addresses separated by commas, * at the end for any ending, =0xef for those with that code: what calls one is asked of the node",
    schema: z
      .string()
      .transform((list) => list.split(',').filter((entry) => entry !== ''))
      .superRefine((list, context) => {
        const wrong = list.find((entry) => foreignRow(entry) === null);
        if (wrong !== undefined) context.addIssue({ code: 'custom', message: `has "${wrong}", which is no address` });
      })
      .default([]),
  },
  estimates: {
    topic: 'live chain',
    value: 'WHERE',
    doc: "local or node: who answers estimates and calls; node for a chain whose gas is not Ethereum's",
    schema: z.enum(['local', 'node']).default('local'),
  },
  warm: {
    topic: 'live chain',
    value: 'FILE',
    doc: 'file of the state to read from the node right after the start: lines of an address, an address and a slot, or a call in JSON',
    schema: text.optional(),
  },
  record: {
    topic: 'live chain',
    value: 'FILE',
    doc: 'writes the heads and frames that arrive to this file, compressed, with their times of arrival',
    schema: text.optional(),
  },
  replay: {
    topic: 'live chain',
    value: 'FILE',
    doc: 'takes heads and frames from this record instead of the network; state is still read from --upstream',
    schema: text.optional(),
  },
  speed: {
    topic: 'live chain',
    value: 'X',
    doc: 'pace of --replay: 1 is that of the record, 10 ten times as fast, 0 as fast as it can be taken',
    schema: z
      .string()
      .regex(/^\d+(\.\d+)?$/, 'is not a number')
      .transform(Number)
      .default(1),
  },
  passthrough: {
    topic: 'live chain',
    doc: 'sends methods that are not served here to the upstream node, as --passthrough-methods says',
    schema: switched,
  },
  'passthrough-methods': {
    topic: 'live chain',
    value: 'LIST',
    isList: true,
    doc: 'methods that are sent, separated by commas, * at the end for any ending; standard: reads and eth_sendRawTransaction',
    schema: z
      .string()
      .transform((list) => list.split(',').filter((entry) => entry !== ''))
      .superRefine((list, context) => {
        const message = list.map(faultOf).find((fault) => fault !== null) ?? idleIn(list);
        if (message !== null) context.addIssue({ code: 'custom', message });
      })
      .default([STANDARD]),
  },
  'count-own-sends': {
    topic: 'live chain',
    doc: 'counts what --passthrough has sent and the node has accepted towards the nonce at pending, until it is pre-confirmed or three blocks old',
    schema: switched,
  },
  publish: {
    topic: 'replicas',
    value: 'URL',
    doc: 'NATS server with JetStream to which this executor tells every version; of several executors of a chain one leads',
    isSecret: true,
    schema: url('nats:', 'tls:'),
  },
  follow: {
    topic: 'replicas',
    value: 'URL',
    doc: 'NATS server from which this replica takes every version: serves the chain that is published there, behind a slash its id where there are several',
    isSecret: true,
    schema: url('nats:', 'tls:'),
  },
  'nats-creds': {
    topic: 'replicas',
    value: 'FILE',
    doc: 'credentials file for the NATS server',
    isSecret: true,
    schema: text.optional(),
  },
  'nats-ca': {
    topic: 'replicas',
    value: 'FILE',
    doc: "authorities of the NATS server's certificate, PEM; by default those of the system",
    isSecret: true,
    schema: text.optional(),
  },
  'gas-cap': {
    topic: 'limits',
    value: 'GAS',
    doc: 'most gas of one call or estimate',
    schema: integer(21_000, Number.MAX_SAFE_INTEGER).default(LIMITS.gasCapDefault),
  },
  'batch-max': {
    topic: 'limits',
    value: 'CALLS',
    doc: 'most calls in one batch',
    schema: integer(1, LIMITS.batchCallsMax).default(LIMITS.batchCallsMax),
  },
  'body-max': {
    topic: 'limits',
    value: 'BYTES',
    doc: 'largest request body, e.g. 512k or 5m',
    schema: bytes(1024, LIMITS.bodyBytesMax).default(LIMITS.bodyBytesMax),
  },
  'estimate-timeout': {
    topic: 'limits',
    value: 'MS',
    doc: 'longest execution of one call or estimate, milliseconds',
    schema: integer(1, LIMITS.estimateMsMax).default(LIMITS.estimateMsMax),
  },
  'state-memory': {
    topic: 'limits',
    value: 'BYTES',
    doc: "memory of the shared table, e.g. 512m or 6g; by default a quarter of the machine's, 8g at the most",
    schema: bytes(LIMITS.stateBytesMin, LIMITS.stateBytesMax).optional(),
  },
  workers: {
    topic: 'limits',
    value: 'N',
    doc: 'estimator threads; by default as many as there are cores',
    schema: integer(1, LIMITS.workersMax).optional(),
  },
  kernel: {
    topic: 'kernel',
    value: 'MODE',
    doc: 'on, interpreted or off: the kernel executes, does so without compiling code that runs often, or leaves it to @ethereumjs/evm',
    schema: z.enum(['on', 'interpreted', 'off']).default('on'),
  },
  'kernel-check': {
    topic: 'kernel',
    value: 'SHARE',
    doc: "share of the kernel's answers that idle estimators compare with those of @ethereumjs/evm, 0 to 1",
    schema: z
      .string()
      .regex(/^\d+(\.\d+)?$/, 'is not a number')
      .transform(Number)
      .pipe(z.number().max(1, 'is more than 1'))
      .default(0.0005),
  },
  host: {
    topic: 'operating',
    value: 'ADDRESS',
    doc: 'address to listen on',
    schema: text.default('127.0.0.1'),
  },
  port: {
    topic: 'operating',
    value: 'PORT',
    doc: 'port to listen on; 0 takes a free one',
    schema: integer(0, 65_535).default(8545),
  },
  ipc: {
    topic: 'operating',
    value: 'PATH',
    doc: 'Unix socket for programs of the same user on this machine: bare JSON, as IPC clients send it, HTTP and WebSocket',
    schema: text.optional(),
  },
  cors: {
    topic: 'operating',
    value: 'ORIGINS',
    isList: true,
    doc: 'origins allowed by CORS, separated by commas, or *; none by default',
    schema: z
      .string()
      .transform((list) => list.split(',').filter((origin) => origin !== ''))
      .default([]),
  },
  'client-header': {
    topic: 'operating',
    value: 'NAME',
    doc: "header in which the operator's proxy names the client, e.g. x-real-ip; without it clients are told apart by address",
    schema: z
      .string()
      .regex(/^[A-Za-z0-9-]+$/, 'is not the name of a header')
      .optional(),
  },
  'estimate-mode': {
    topic: 'operating',
    value: 'MODE',
    doc: 'same: an estimate leaves inner calls the gas that code states for them; least: the least that succeeds in any way',
    schema: z.enum(['same', 'least']).default('same'),
  },
  'revert-error-code': {
    topic: 'operating',
    value: '-32000|3',
    doc: 'error code of a revert; 3 also puts the reason into the message, as go-ethereum does',
    schema: z.enum(['-32000', '3']).transform(Number).default(-32_000),
  },
  'default-block': {
    topic: 'operating',
    value: 'TAG',
    doc: 'latest or pending: the block of a call that names none',
    schema: z.enum(['latest', 'pending']).default('latest'),
  },
  receipts: {
    topic: 'operating',
    value: 'WHEN',
    doc: 'preconfirmed or confirmed: when a transaction has a receipt, and a place where it is asked for by hash',
    schema: z.enum(['preconfirmed', 'confirmed']).default('preconfirmed'),
  },
  'record-requests': {
    topic: 'operating',
    value: 'FILE',
    doc: 'writes the bodies of all requests with their times to this file, up to 1 GiB, for the bench to replay',
    schema: text.optional(),
  },
  'log-level': {
    topic: 'operating',
    value: 'LEVEL',
    doc: 'trace, debug, info, warn, error or silent',
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  },
  'log-format': {
    topic: 'operating',
    value: 'FORMAT',
    doc: 'pretty or json: lines for people or for programs; by default pretty at a terminal, else json',
    schema: z.enum(['pretty', 'json']).optional(),
  },
  config: {
    topic: 'operating',
    value: 'FILE',
    doc: 'file of lines name = value, the names of these flags; the environment wins over it, a flag over both',
    schema: text.optional(),
  },
} as const satisfies Record<string, Setting>;

type SettingName = keyof typeof SETTINGS;

/** Settings that do nothing without another one, or one of several, or without one of those values of it. */
const NEEDS: readonly (readonly [
  name: SettingName,
  needed: SettingName | readonly SettingName[],
  values?: readonly string[],
])[] = [
  ['chain', 'genesis'],
  ['upstream-ws', 'upstream'],
  ['feed', 'upstream'],
  ['feed-format', ['feed', 'replay']],
  ['dev-feed-format', 'dev-feed-port'],
  ['rules', 'upstream'],
  ['follow-by', 'upstream'],
  ['diff-sample', 'upstream'],
  ['foreign', 'upstream'],
  ['estimates', ['upstream', 'follow']],
  ['warm', 'upstream'],
  ['record', 'upstream'],
  ['replay', 'upstream'],
  ['passthrough', 'upstream'],
  ['passthrough-methods', 'passthrough'],
  ['count-own-sends', 'passthrough'],
  ['nats-creds', ['publish', 'follow']],
  ['nats-ca', ['publish', 'follow']],
  ['speed', 'replay'],
  ['kernel-check', 'kernel', ['on', 'interpreted']],
];

/** Settings that contradict each other, or of which one does nothing beside the other. */
const APART: readonly (readonly [name: SettingName, others: readonly SettingName[]])[] = [
  ['dev-traffic', ['genesis', 'upstream']],
  ['dev-fork', ['genesis', 'upstream', 'follow']],
  ['dev-feed-port', ['genesis', 'upstream']],
  ['chain', ['upstream']],
  ['dev-tools', ['genesis', 'upstream', 'follow', 'revert-error-code', 'default-block', 'receipts']],
  ['replay', ['feed', 'record', 'upstream-ws']],
  ['follow', ['publish', 'feed', 'upstream-ws', 'rules', 'warm', 'record', 'replay', 'genesis', 'chain', 'data-dir']],
  ['follow', ['follow-by', 'diff-sample', 'foreign']],
  ['estimates', ['estimate-mode']],
  ['follow', ['dev-traffic', 'dev-feed-port']],
];

/** The validated configuration, by flag name. */
export type Config = { readonly [Name in SettingName]: z.output<(typeof SETTINGS)[Name]['schema']> };

/** Settings that only a command line has: a program brings its options and its logger itself. */
type CommandLineName = 'config' | 'log-level' | 'log-format';

/** A flag's name in camel case. */
type OptionName<Flag extends string> = Flag extends `${infer Head}-${infer Rest}`
  ? `${Head}${Capitalize<OptionName<Rest>>}`
  : Flag;

/** Options of an engine inside another program: every flag in camel case. */
export type EngineSettings = {
  readonly [Flag in Exclude<SettingName, CommandLineName> as OptionName<Flag>]?: Exclude<Config[Flag], undefined>;
};

/** A configuration, or what is wrong with it. `faults`: one line each. */
export type Checked =
  | { readonly kind: 'run'; readonly config: Config }
  | { readonly kind: 'invalid'; readonly faults: readonly string[] };

/** Tasks of the command line beside serving: `checked`: the configuration is right; `ready`: ask a running program. */
export type Command =
  | Checked
  | { readonly kind: 'help' | 'version' | 'checked' }
  | { readonly kind: 'ready'; readonly config: Config };

/** The word before the flags that asks a running program whether it is ready. */
const READY = 'ready';
/** Switches that the command line alone has. */
const SWITCHES = ['help', 'version', 'check-config'] as const;
/** Names that Kubernetes puts into the environment of a container beside a service called prestate. */
const FOREIGN_VARIABLE = /^PRESTATE_(SERVICE_|PORT_\d)/;

type Environment = Readonly<Record<string, string | undefined>>;

/** The text of a setting, and by what name the operator has given it. */
interface Given {
  readonly text: string;
  readonly source: string;
}

const NAMES = Object.keys(SETTINGS) as readonly SettingName[];
const KINDS: ReadonlyMap<string, FlagKind> = new Map<string, FlagKind>([
  ...NAMES.map((name) => [name, kindOf(SETTINGS[name])] as const),
  ...SWITCHES.map((name) => [name, 'switch'] as const),
]);
const COMMAND_LINE_NAMES: ReadonlySet<string> = new Set<CommandLineName>(['config', 'log-level', 'log-format']);
/** Flags by the names of options. */
export const OPTION_NAMES: ReadonlyMap<string, SettingName> = new Map(
  NAMES.filter((name) => !COMMAND_LINE_NAMES.has(name)).map((name) => [optionName(name), name]),
);

/** The environment name of a flag: `--data-dir` is `PRESTATE_DATA_DIR`. */
export function environmentName(flag: string): string {
  return `PRESTATE_${flag.replaceAll('-', '_').toUpperCase()}`;
}

/** Reads command line, environment and configuration file: the first that has a setting wins. Never throws. */
export function readCommand(argv: readonly string[], environment: Environment): Command {
  const isReady = argv[0] === READY;
  const { texts, faults } = readArguments(isReady ? argv.slice(1) : argv, KINDS);
  const valued = SWITCHES.find((name) => texts.has(name) && texts.get(name) !== 'true');
  if (valued !== undefined) return { kind: 'invalid', faults: [...faults, `--${valued} takes no value`] };
  for (const kind of ['help', 'version'] as const) if (texts.has(kind)) return { kind };
  const given = new Map<SettingName, Given>();
  const fileFaults = addFile(given, texts.get('config') ?? environment[environmentName('config')]);
  for (const name of NAMES) {
    const [flag, variable] = [texts.get(name), environment[environmentName(name)]];
    if (flag !== undefined) given.set(name, { text: flag, source: `--${name}` });
    else if (variable !== undefined) given.set(name, { text: variable, source: environmentName(name) });
  }
  const checked = validate(given, [...faults, ...unknownVariables(environment), ...fileFaults]);
  if (checked.kind === 'invalid') return checked;
  if (texts.has('check-config')) return { kind: 'checked' };
  return isReady ? { kind: 'ready', config: checked.config } : checked;
}

/** A misspelt variable would do nothing; its value may be a key and is not shown. */
function unknownVariables(environment: Environment): readonly string[] {
  const known = NAMES.map(environmentName);
  return Object.keys(environment)
    .filter((name) => name.startsWith('PRESTATE_') && !known.includes(name) && !FOREIGN_VARIABLE.test(name))
    .map((name) => `unknown variable ${name}${suggestion(name, known)}`);
}

/** Reads the options of a program, and nothing else: each is judged by its text, as a flag is. Never throws. */
export function readOptions(options: EngineSettings): Checked {
  const given = new Map<SettingName, Given>();
  const faults: string[] = [];
  for (const [option, value] of Object.entries(options)) {
    const name = OPTION_NAMES.get(option);
    if (name === undefined) faults.push(`unknown option ${option}${suggestion(option, [...OPTION_NAMES.keys()])}`);
    else if (value !== undefined) given.set(name, { text: String(value), source: option });
  }
  return validate(given, faults);
}

function optionName(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Adds what stands in the file. Answers what is wrong with it. */
function addFile(given: Map<SettingName, Given>, file: string | undefined): readonly string[] {
  if (file === undefined || file === '') return [];
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    return [`the configuration file ${file} cannot be read: ${(error as Error).message}`];
  }
  const names = NAMES.filter((name) => name !== 'config');
  const { settings, faults } = parseConfigFile(content, names);
  for (const name of names) {
    const setting = settings.get(name);
    if (setting !== undefined) given.set(name, { text: setting.text, source: `${file} line ${setting.line}: ${name}` });
  }
  return faults.map((fault) => `${file} ${fault}`);
}

function validate(given: ReadonlyMap<SettingName, Given>, earlier: readonly string[]): Checked {
  const config: Record<string, unknown> = {};
  const faults = [...earlier];
  for (const name of NAMES) {
    const setting: Setting = SETTINGS[name];
    const parsed = setting.schema.safeParse(given.get(name)?.text);
    if (parsed.success) config[name] = parsed.data;
    else faults.push(valueFault(setting, given.get(name)!, parsed.error.issues[0]!));
  }
  faults.push(...relationFaults(given), ...listFaults(given, config));
  return faults.length > 0 ? { kind: 'invalid', faults } : { kind: 'run', config: config as Config };
}

function valueFault({ isSecret }: Setting, { text: value, source }: Given, issue: z.core.$ZodIssue): string {
  const shown = isSecret === true ? source : `${source} ${value}`;
  if (issue.code !== 'invalid_value') return `${shown}: ${issue.message}`;
  const values = issue.values.map(String);
  return `${shown}: is none of ${values.join(', ')}${suggestion(value, values)}`;
}

/** Settings that were given and would do nothing: silence would hide a mistake. */
function relationFaults(given: ReadonlyMap<SettingName, Given>): readonly string[] {
  const lacking = NEEDS.filter(([name, needed, values = [undefined]]) => {
    const isMetBy = (other: SettingName): boolean => values.some((value) => isMet(given, other, value));
    return isOn(given, name) && ![needed].flat().some(isMetBy);
  });
  const clashing = APART.flatMap(([name, others]) => {
    return others.filter((other) => isOn(given, name) && isOn(given, other)).map((other) => [name, other] as const);
  });
  return [
    ...lacking.map(([name, needed, values]) => {
      const others = [needed].flat().flatMap((other) => values?.map((value) => `--${other} ${value}`) ?? `--${other}`);
      return `${given.get(name)!.source} needs ${others.join(' or ')}`;
    }),
    ...clashing.map(([name, other]) => `${given.get(name)!.source} does not go with --${other}`),
  ];
}

/** A list that leaves out what another setting is about. */
function listFaults(given: ReadonlyMap<SettingName, Given>, config: Record<string, unknown>): readonly string[] {
  const list: unknown = config['passthrough-methods'];
  if (!isOn(given, 'count-own-sends') || !Array.isArray(list) || list.some(handsIn)) return [];
  const { source } = given.get('count-own-sends')!;
  return [`${source} needs eth_sendRawTransaction among --passthrough-methods`];
}

/** True if an entry of such a list stands for a method that hands in a transaction. */
function handsIn(entry: string): boolean {
  return entry.includes('_sendRawTransaction') || passThrough([entry])('eth_sendRawTransaction');
}

/** Given, and not a switch that is off. */
function isOn(given: ReadonlyMap<SettingName, Given>, name: SettingName): boolean {
  const setting = given.get(name);
  return setting !== undefined && !(KINDS.get(name) === 'switch' && setting.text === 'false');
}

/** `value`: what the other one must be; it is so by default, too. */
function isMet(given: ReadonlyMap<SettingName, Given>, name: SettingName, value: string | undefined): boolean {
  return value === undefined ? isOn(given, name) : (given.get(name)?.text ?? value) === value;
}

function kindOf({ value, isList }: Setting): FlagKind {
  if (value === undefined) return 'switch';
  return isList === true ? 'list' : 'value';
}

const USAGE = [
  'prestate [flags]                 serves; every flag also as PRESTATE_NAME',
  'prestate bench [flags]           loads endpoints, checks their answers, makes a report; bench --help tells more',
  'prestate ready [flags]           asks the program at --host and --port; exit code 0 when it is ready, else 1 and why',
  'prestate --check-config [flags]  tells what is wrong with the configuration, or that nothing is',
  'prestate --version               version, commit, Node.js, system, addon, newest rules',
];

/** The flags as text. `columns`: of the terminal, where lines are to be broken. */
export function helpText(columns?: number): string {
  const rows = NAMES.map((name) => {
    const setting: Setting = SETTINGS[name];
    const usage = `--${name} ${setting.value ?? ''}`;
    return { topic: setting.topic, usage, doc: `${setting.doc}${defaultOf(setting)}` };
  });
  return [...USAGE, ...helpLines(rows, columns)].join('\n');
}

/** Default of a setting in parentheses; nothing where it has none. */
export function defaultOf(setting: Setting): string {
  const fallback: unknown = setting.schema.safeParse(undefined).data;
  const values = (Array.isArray(fallback) ? fallback : [fallback ?? '']).join(',');
  return values === '' || kindOf(setting) === 'switch' ? '' : ` (${values})`;
}

/** True if blocks and old state come from elsewhere: there is no archive then. */
export function isBacked({ upstream, follow }: Config): boolean {
  return upstream !== undefined || follow !== undefined;
}

/** The bus on which versions are told to replicas; `null`: nowhere. */
export function publishOptions(config: Config): BusOptions | null {
  return config.publish === undefined ? null : busOptions(config, config.publish);
}

function busOptions(config: Config, address: string): BusOptions {
  return { url: address, credsFile: config['nats-creds'] ?? null, caFile: config['nats-ca'] ?? null };
}

/** True if nothing but the dev chain is configured. */
export function isDevChain(config: Config): boolean {
  return feedOptions(config).kind === 'dev';
}

/** Forms of answers where clients differ in what they expect. */
export interface Conventions {
  /** Error code of a revert. */
  readonly revertErrorCode: number;
  /** The block of a call that names none. */
  readonly defaultBlock: { readonly kind: 'latest' | 'pending' };
  /** When receipt and place of a transaction are told. */
  readonly receipts: 'preconfirmed' | 'confirmed';
}

/** The conventions that are configured: each by itself, or all as development tools expect them. */
export function conventions(config: Config): Conventions {
  if (config['dev-tools']) return { revertErrorCode: 3, defaultBlock: { kind: 'pending' }, receipts: 'confirmed' };
  const { 'revert-error-code': revertErrorCode, 'default-block': kind, receipts } = config;
  return { revertErrorCode, defaultBlock: { kind }, receipts };
}

/** Options that the feed is started with. */
export function feedOptions(config: Config): FeedOptions {
  const { genesis, chain, upstream, follow } = config;
  if (follow !== undefined) {
    return { kind: 'replica', bus: busOptions(config, follow), upstreamUrl: upstream ?? null };
  }
  if (upstream !== undefined) return liveOptions(config, upstream);
  if (genesis !== undefined) return { kind: 'import', genesisFile: genesis, chainFile: chain ?? null };
  return devOptions(config);
}

function devOptions(config: Config): DevChainOptions {
  const feedPort = config['dev-feed-port'];
  const followers = feedPort === undefined ? {} : { feedPort, feedFormat: config['dev-feed-format'] };
  return { kind: 'dev', trafficTps: config['dev-traffic'], fork: config['dev-fork'], ...followers };
}

function liveOptions(config: Config, upstreamUrl: string): LiveOptions {
  return {
    kind: 'live',
    upstreamUrl,
    upstreamWsUrl: config['upstream-ws'] ?? null,
    feedUrls: config.feed,
    feedFormat: config['feed-format'],
    rules: config.rules,
    followBy: config['follow-by'],
    diffSample: config['diff-sample'],
    foreign: config.foreign,
    genesisFile: config.genesis ?? null,
    keysDir: config['data-dir'] ?? null,
    warmFile: config.warm ?? null,
    recordFile: config.record ?? null,
    replay: config.replay === undefined ? null : { file: config.replay, speed: config.speed },
  };
}
