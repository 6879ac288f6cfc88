// The configuration table: flag, unit, default and documentation of every setting, and which settings depend on or
// exclude each other.
import { z } from 'zod';
import type { FlagKind } from '../cli/parse-arguments.js';
import { parseNonEvmAddressPattern } from '../chain/non-evm-accounts.js';
import { DEV_FORKS, STREAM_FORMATS } from '../feed/chain-source-options.js';
import { LIMITS } from '../limits/index.js';
import {
  STANDARD_METHODS_ENTRY,
  passthroughEntryFault,
  findIneffectivePassthroughEntry,
} from '../rpc/call/passthrough-filter.js';
import {
  byteSizeSchema,
  decimalSchema,
  integerSchema,
  listSchema,
  switchSchema,
  nonEmptyTextSchema,
  urlSchema,
  urlListSchema,
} from './text-value-schemas.js';

type Topic = 'dev chain' | 'imported chain' | 'live chain' | 'replicas' | 'limits' | 'kernel' | 'operating';

/** One setting of the configuration. Its schema parses the text from the flag, environment variable or file. */
export interface Setting {
  readonly topic: Topic;
  /** Name of the value in the help text. A setting without it is a switch, whose text is `true` or `false`. */
  readonly value?: string;
  /** The setting takes several values, separated by commas or by repeating the flag. */
  readonly isList?: true;
  readonly doc: string;
  /** The value may contain a secret, so it is never printed. */
  readonly isSecret?: true;
  readonly schema: z.ZodType;
}

export const SETTINGS = {
  'dev-traffic': {
    topic: 'dev chain',
    value: 'TPS',
    doc: 'transactions per second that the dev chain makes by itself; 0 for none',
    schema: integerSchema(0, 1000).default(5),
  },
  'dev-fork': {
    topic: 'dev chain',
    value: 'FORK',
    doc: "osaka or amsterdam: the dev chain's rules from its first block on",
    schema: z.enum(DEV_FORKS).default('osaka'),
  },
  'dev-feed-port': {
    topic: 'dev chain',
    value: 'PORT',
    doc: "port on 127.0.0.1 of a WebSocket that reports the dev chain's increments as Flashblocks; 0 picks a free one",
    schema: integerSchema(0, 65_535).optional(),
  },
  'dev-tools': {
    topic: 'dev chain',
    doc:
      'the dev chain as development tools expect one: --revert-error-code 3, --default-block pending, --receipts ' +
      'confirmed',
    schema: switchSchema,
  },
  genesis: {
    topic: 'imported chain',
    value: 'FILE',
    doc:
      'geth-format genesis: serves this chain instead of the dev chain; with --upstream, or a rollup config: its ' +
      'forks',
    schema: nonEmptyTextSchema.optional(),
  },
  chain: {
    topic: 'imported chain',
    value: 'FILE',
    doc: 'RLP blocks to import on top of --genesis',
    schema: nonEmptyTextSchema.optional(),
  },
  upstream: {
    topic: 'live chain',
    value: 'URL',
    doc: 'HTTP address of a node: serves its chain instead of the dev chain',
    isSecret: true,
    schema: urlSchema('http:', 'https:'),
  },
  'upstream-ws': {
    topic: 'live chain',
    value: 'URL',
    doc: 'WebSocket address of the same node, for new heads; without it they are polled every 50 to 250 ms',
    isSecret: true,
    schema: urlSchema('ws:', 'wss:'),
  },
  feed: {
    topic: 'live chain',
    value: 'URL',
    isList: true,
    doc:
      'WebSocket address of a feed of pre-confirmations, or of several: whichever sends an increment first is ' +
      'used; without it pending equals latest on a live chain',
    isSecret: true,
    schema: urlListSchema('ws:', 'wss:'),
  },
  'feed-format': {
    topic: 'live chain',
    value: 'FORMAT',
    doc:
      `auto, ${STREAM_FORMATS.join(' or ')}: what the feed sends; auto recognizes RISE, which sends shreds, by its ` +
      'chain id',
    schema: z.enum(['auto', ...STREAM_FORMATS]).default('auto'),
  },
  rules: {
    topic: 'live chain',
    value: 'KIND',
    doc:
      'auto, ethereum or op-stack: the rules of the live chain; auto recognizes the chain by its id, or else ' +
      'reads them from the node',
    schema: z.enum(['auto', 'ethereum', 'op-stack']).default('auto'),
  },
  'follow-by': {
    topic: 'live chain',
    value: 'KIND',
    doc:
      'auto, execution or diffs: auto executes blocks, and applies diffs of the node to those that are ' +
      'unsupported or mismatch',
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
    doc:
      'accounts with non-EVM code, addresses separated by commas, * at the end for any ending, =0xef for those ' +
      'with that code: executions that call one are left to the node',
    schema: listSchema
      .superRefine((list, context) => {
        const wrong = list.find((entry) => parseNonEvmAddressPattern(entry) === null);
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
  record: {
    topic: 'live chain',
    value: 'FILE',
    doc: 'writes the heads and feed messages that arrive to this file, a line each, with their times of arrival',
    schema: nonEmptyTextSchema.optional(),
  },
  replay: {
    topic: 'live chain',
    value: 'FILE',
    doc:
      'reads heads and feed messages from this recording instead of the network; state is still read from ' +
      '--upstream',
    schema: nonEmptyTextSchema.optional(),
  },
  speed: {
    topic: 'live chain',
    value: 'X',
    doc: 'speed of --replay: 1 is that of the recording, 10 ten times as fast, 0 as fast as possible',
    schema: decimalSchema.default(1),
  },
  passthrough: {
    topic: 'live chain',
    doc: 'forwards methods that are not served here to the upstream node, as listed by --passthrough-methods',
    schema: switchSchema,
  },
  'passthrough-methods': {
    topic: 'live chain',
    value: 'LIST',
    isList: true,
    doc:
      'methods that are forwarded, separated by commas, * at the end for any ending; standard: reads and ' +
      'eth_sendRawTransaction',
    schema: listSchema
      .superRefine((list, context) => {
        const message =
          list.map(passthroughEntryFault).find((fault) => fault !== null) ?? findIneffectivePassthroughEntry(list);
        if (message !== null) context.addIssue({ code: 'custom', message });
      })
      .default([STANDARD_METHODS_ENTRY]),
  },
  'count-own-sends': {
    topic: 'live chain',
    doc:
      'counts what --passthrough has sent and the node has accepted towards the nonce at pending, until it is ' +
      'pre-confirmed or three blocks old',
    schema: switchSchema,
  },
  publish: {
    topic: 'replicas',
    value: 'URL',
    doc:
      'NATS server with JetStream to which this executor publishes every version; of several executors of a chain ' +
      'one leads',
    isSecret: true,
    schema: urlSchema('nats:', 'tls:'),
  },
  follow: {
    topic: 'replicas',
    value: 'URL',
    doc:
      'NATS server from which this replica reads every version: serves the chain that is published there, with ' +
      'its id after a slash if there are several',
    isSecret: true,
    schema: urlSchema('nats:', 'tls:'),
  },
  'nats-creds': {
    topic: 'replicas',
    value: 'FILE',
    doc: 'credentials file for the NATS server',
    isSecret: true,
    schema: nonEmptyTextSchema.optional(),
  },
  'nats-ca': {
    topic: 'replicas',
    value: 'FILE',
    doc: "authorities of the NATS server's certificate, PEM; by default those of the system",
    isSecret: true,
    schema: nonEmptyTextSchema.optional(),
  },
  'gas-cap': {
    topic: 'limits',
    value: 'GAS',
    doc: 'most gas of one call or estimate',
    schema: integerSchema(21_000, Number.MAX_SAFE_INTEGER).default(LIMITS.gasCapDefault),
  },
  'batch-max': {
    topic: 'limits',
    value: 'CALLS',
    doc: 'most calls in one batch',
    schema: integerSchema(1, LIMITS.batchCallsMax).default(LIMITS.batchCallsMax),
  },
  'body-max': {
    topic: 'limits',
    value: 'BYTES',
    doc: 'largest request body, e.g. 512k or 5m',
    schema: byteSizeSchema(1024, LIMITS.bodyBytesMax).default(LIMITS.bodyBytesMax),
  },
  'estimate-timeout': {
    topic: 'limits',
    value: 'MS',
    doc: 'longest execution of one call or estimate, milliseconds',
    schema: integerSchema(1, LIMITS.estimateMsMax).default(LIMITS.estimateMsMax),
  },
  'state-memory': {
    topic: 'limits',
    value: 'BYTES',
    doc: "memory of the shared table, e.g. 512m or 6g; by default a quarter of the machine's, 8g at the most",
    schema: byteSizeSchema(LIMITS.stateBytesMin, LIMITS.stateBytesMax).optional(),
  },
  workers: {
    topic: 'limits',
    value: 'N',
    doc: 'estimator threads; by default as many as there are cores',
    schema: integerSchema(1, LIMITS.workersMax).optional(),
  },
  kernel: {
    topic: 'kernel',
    value: 'MODE',
    doc:
      'on, interpreted or off: the kernel executes, does so without compiling code that runs often, or leaves it ' +
      'to @ethereumjs/evm',
    schema: z.enum(['on', 'interpreted', 'off']).default('on'),
  },
  'kernel-check': {
    topic: 'kernel',
    value: 'SHARE',
    doc: "share of the kernel's results that idle estimators compare with those of @ethereumjs/evm, 0 to 1",
    schema: decimalSchema.pipe(z.number().max(1, 'is more than 1')).default(0.0005),
  },
  'warm-up-calls': {
    topic: 'operating',
    value: 'N',
    doc:
      'calls of its own that the program runs after its start, so that clients find optimized code; not counted as ' +
      'calls, but as jobs and executions',
    schema: integerSchema(0, 1_000_000).default(LIMITS.warmUpCalls),
  },
  host: {
    topic: 'operating',
    value: 'ADDRESS',
    doc: 'address to listen on',
    schema: nonEmptyTextSchema.default('127.0.0.1'),
  },
  port: {
    topic: 'operating',
    value: 'PORT',
    doc: 'port to listen on; 0 picks a free one',
    schema: integerSchema(0, 65_535).default(8545),
  },
  ipc: {
    topic: 'operating',
    value: 'PATH',
    doc:
      'Unix socket for programs of the same user on this machine: bare JSON, as IPC clients send it, HTTP and ' +
      'WebSocket',
    schema: nonEmptyTextSchema.optional(),
  },
  'data-dir': {
    topic: 'operating',
    value: 'DIR',
    doc:
      'folder of the archive, or of the recent keys of a live chain, kept between runs; without it a temporary ' +
      'folder is used and removed',
    schema: nonEmptyTextSchema.optional(),
  },
  cors: {
    topic: 'operating',
    value: 'ORIGINS',
    isList: true,
    doc: 'origins allowed by CORS, separated by commas, or *; none by default',
    schema: listSchema.default([]),
  },
  'client-header': {
    topic: 'operating',
    value: 'NAME',
    doc:
      "header in which the operator's proxy names the client, e.g. x-real-ip; without it clients are " +
      'distinguished by address',
    schema: z
      .string()
      .regex(/^[A-Za-z0-9-]+$/, 'is not the name of a header')
      .optional(),
  },
  'estimate-mode': {
    topic: 'operating',
    value: 'MODE',
    doc:
      'same: an estimate leaves inner calls the gas that code states for them; least: the least that succeeds in ' +
      'any way',
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
    doc:
      'preconfirmed or confirmed: when a transaction has a receipt, and a block and index in what is returned for ' +
      'its hash',
    schema: z.enum(['preconfirmed', 'confirmed']).default('preconfirmed'),
  },
  'record-requests': {
    topic: 'operating',
    value: 'FILE',
    doc: 'writes the bodies of all requests with their times to this file, up to 1 GiB, for the bench to replay',
    schema: nonEmptyTextSchema.optional(),
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
    schema: nonEmptyTextSchema.optional(),
  },
} as const satisfies Record<string, Setting>;

/** Name of a setting; `--name` is its flag. */
export type SettingName = keyof typeof SETTINGS;

/**
 * Settings that have no effect unless another setting is set: `needed`, or any of its names if it is a list. With
 * `values`, the other setting must have one of these values.
 */
export const SETTING_DEPENDENCIES: readonly (readonly [
  name: SettingName,
  needed: SettingName | readonly SettingName[],
  values?: readonly string[],
])[] = [
  ['chain', 'genesis'],
  ['upstream-ws', 'upstream'],
  ['feed', 'upstream'],
  ['feed-format', ['feed', 'replay']],
  ['rules', 'upstream'],
  ['follow-by', 'upstream'],
  ['diff-sample', 'upstream'],
  ['foreign', 'upstream'],
  ['estimates', ['upstream', 'follow']],
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

/** Settings that exclude each other, because they contradict each other or one has no effect if the other is set. */
export const EXCLUSIVE_SETTINGS: readonly (readonly [name: SettingName, others: readonly SettingName[]])[] = [
  ['dev-traffic', ['genesis', 'upstream']],
  ['dev-fork', ['genesis', 'upstream', 'follow']],
  ['dev-feed-port', ['genesis', 'upstream']],
  ['chain', ['upstream']],
  ['dev-tools', ['genesis', 'upstream', 'follow', 'revert-error-code', 'default-block', 'receipts']],
  ['replay', ['feed', 'record', 'upstream-ws']],
  ['follow', ['publish', 'feed', 'upstream-ws', 'rules', 'record', 'replay', 'genesis', 'chain', 'data-dir']],
  ['follow', ['follow-by', 'diff-sample', 'foreign']],
  ['estimates', ['estimate-mode']],
  ['follow', ['dev-traffic', 'dev-feed-port']],
];

/** The settings in the order of the table. */
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** Returns whether the flag of a setting takes no value, one value or several. */
export function flagKindOf(name: SettingName): FlagKind {
  const { value, isList }: Setting = SETTINGS[name];
  if (value === undefined) return 'switch';
  return isList === true ? 'list' : 'value';
}
