// The one schema of the configuration: flag, environment name, unit, default and doc of every setting. Runs on main,
// at start-up only.
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { LIMITS } from './limits.js';
import { STANDARD, faultOf } from './rpc/passthrough.js';

/** A setting. `parse` takes the text of flag or environment; the flag wins. */
interface Setting {
  /** What the value is, for the help text; absent for a switch, whose text is `true` or `false`. */
  readonly value?: string;
  readonly doc: string;
  /** The value may carry a key, and is not shown. */
  readonly isSecret?: true;
  readonly schema: z.ZodType;
}

const integer = (least: number, most: number) =>
  z.string().regex(/^\d+$/, 'is not a whole number').transform(Number).pipe(z.number().min(least).max(most));

const url = (...protocols: readonly string[]) =>
  z
    .string()
    .refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
      message: `is not a ${protocols.map((protocol) => `${protocol}//`).join(' or ')} URL`,
    })
    .optional();

const SETTINGS = {
  host: {
    value: 'ADDRESS',
    doc: 'address to listen on',
    schema: z.string().min(1).default('127.0.0.1'),
  },
  port: { value: 'PORT', doc: 'port to listen on; 0 takes a free one', schema: integer(0, 65_535).default(8545) },
  'data-dir': {
    value: 'DIR',
    doc: 'folder of the archive, kept between runs; without it a temporary folder is used and removed',
    schema: z.string().min(1).optional(),
  },
  'dev-traffic': {
    value: 'TPS',
    doc: 'transactions per second that the dev chain makes by itself; 0 for none',
    schema: integer(0, 1000).default(5),
  },
  'dev-feed-port': {
    value: 'PORT',
    doc: "port on 127.0.0.1 of a WebSocket that tells the dev chain's increments as a Flashblocks server does; 0 takes a free one",
    schema: integer(0, 65_535).optional(),
  },
  genesis: {
    value: 'FILE',
    doc: 'geth-format genesis: serves this chain instead of the dev chain; with --upstream, or a rollup config: its forks',
    schema: z.string().min(1).optional(),
  },
  chain: { value: 'FILE', doc: 'RLP blocks to import on top of --genesis', schema: z.string().min(1).optional() },
  upstream: {
    value: 'URL',
    doc: 'HTTP address of a node: serves its chain instead of the dev chain',
    isSecret: true,
    schema: url('http:', 'https:'),
  },
  'upstream-ws': {
    value: 'URL',
    doc: 'WebSocket address of the same node, for new heads; without it they are polled',
    isSecret: true,
    schema: url('ws:', 'wss:'),
  },
  feed: {
    value: 'URL',
    doc: 'WebSocket address of a Flashblocks feed; without it pending equals latest on a live chain',
    isSecret: true,
    schema: url('ws:', 'wss:'),
  },
  rules: {
    value: 'KIND',
    doc: 'auto, ethereum or op-stack: the rules of the live chain; auto knows them by its id or asks the node',
    schema: z.enum(['auto', 'ethereum', 'op-stack']).default('auto'),
  },
  record: {
    value: 'FILE',
    doc: 'writes the heads and frames that arrive to this file, compressed, with their times of arrival',
    schema: z.string().min(1).optional(),
  },
  replay: {
    value: 'FILE',
    doc: 'takes heads and frames from this record instead of the network; state is still read from --upstream',
    schema: z.string().min(1).optional(),
  },
  speed: {
    value: 'X',
    doc: 'pace of --replay: 1 is that of the record, 10 ten times as fast, 0 as fast as it can be taken',
    schema: z
      .string()
      .regex(/^\d+(\.\d+)?$/, 'is not a number')
      .transform(Number)
      .default(1),
  },
  passthrough: {
    doc: 'sends methods that are not served here to the upstream node, as --passthrough-methods says',
    schema: z
      .enum(['true', 'false'])
      .default('false')
      .transform((text) => text === 'true'),
  },
  'passthrough-methods': {
    value: 'LIST',
    doc: 'methods that are sent, separated by commas, * at the end for any ending; standard: reads and eth_sendRawTransaction',
    schema: z
      .string()
      .transform((text) => text.split(',').filter((entry) => entry !== ''))
      .superRefine((list, context) => {
        const message = list.map(faultOf).find((fault) => fault !== null);
        if (message !== undefined) context.addIssue({ code: 'custom', message });
      })
      .default([STANDARD]),
  },
  'revert-error-code': {
    value: '-32000|3',
    doc: 'error code of a revert; 3 also puts the reason into the message, as go-ethereum does',
    schema: z.enum(['-32000', '3']).transform(Number).default(-32_000),
  },
  'gas-cap': {
    value: 'GAS',
    doc: 'most gas of one call or estimate',
    schema: integer(21_000, Number.MAX_SAFE_INTEGER).default(LIMITS.gasCapDefault),
  },
  'batch-max': {
    value: 'CALLS',
    doc: 'most calls in one batch',
    schema: integer(1, LIMITS.batchCallsMax).default(LIMITS.batchCallsMax),
  },
  'body-max': {
    value: 'BYTES',
    doc: 'largest request body',
    schema: integer(1024, LIMITS.bodyBytesMax).default(LIMITS.bodyBytesMax),
  },
  'estimate-timeout': {
    value: 'MS',
    doc: 'longest execution of one call or estimate, milliseconds',
    schema: integer(1, LIMITS.estimateMsMax).default(LIMITS.estimateMsMax),
  },
  workers: {
    value: 'N',
    doc: 'estimator threads; by default as many as there are cores',
    schema: integer(1, LIMITS.workersMax).optional(),
  },
  kernel: {
    value: 'MODE',
    doc: 'on, off or shadow: whether the kernel executes, or @ethereumjs/evm, or both, compared and answered by the latter',
    schema: z.enum(['on', 'off', 'shadow']).default('on'),
  },
  'kernel-check': {
    value: 'SHARE',
    doc: "share of the kernel's answers that idle estimators compare with those of @ethereumjs/evm, 0 to 1",
    schema: z
      .string()
      .regex(/^\d+(\.\d+)?$/, 'is not a number')
      .transform(Number)
      .pipe(z.number().max(1))
      .default(0.0005),
  },
  cors: {
    value: 'ORIGINS',
    doc: 'origins allowed by CORS, separated by commas, or *; none by default',
    schema: z
      .string()
      .transform((text) => text.split(',').filter((origin) => origin !== ''))
      .default([]),
  },
  'client-header': {
    value: 'NAME',
    doc: "header in which the operator's proxy names the client, e.g. x-real-ip; without it clients are told apart by address",
    schema: z
      .string()
      .regex(/^[A-Za-z0-9-]+$/, 'is not the name of a header')
      .optional(),
  },
  'log-level': {
    value: 'LEVEL',
    doc: 'trace, debug, info, warn, error or silent',
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  },
} as const satisfies Record<string, Setting>;

type SettingName = keyof typeof SETTINGS;

/** The validated configuration, by flag name. */
export type Config = { readonly [Name in SettingName]: z.output<(typeof SETTINGS)[Name]['schema']> };

/** What the command line asks for. */
export type Command =
  | { readonly kind: 'run'; readonly config: Config }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version' }
  | { readonly kind: 'invalid'; readonly message: string };

/** The environment name of a flag: `--data-dir` is `PRESTATE_DATA_DIR`. */
export function environmentName(flag: string): string {
  return `PRESTATE_${flag.replaceAll('-', '_').toUpperCase()}`;
}

/** Reads the command line and the environment; a flag wins over the environment. Never throws. */
export function readCommand(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Command {
  const flags = readFlags(argv);
  if ('message' in flags) return { kind: 'invalid', message: flags.message };
  if (flags.values['help'] === true) return { kind: 'help', text: helpText() };
  if (flags.values['version'] === true) return { kind: 'version' };
  return validate(flags.values, environment);
}

type FlagValues = Readonly<Record<string, string | boolean | undefined>>;

function readFlags(argv: readonly string[]): { values: FlagValues } | { message: string } {
  const options = Object.fromEntries(
    Object.entries(SETTINGS).map(([name, setting]) => [name, { type: typeOf(setting) }]),
  );
  const switches = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } } as const;
  try {
    return { values: parseArgs({ args: [...argv], options: { ...options, ...switches }, strict: true }).values };
  } catch (error) {
    return { message: (error as Error).message.split('. ')[0]!.replace(/\s+/g, ' ') };
  }
}

function typeOf(setting: Setting): 'string' | 'boolean' {
  return setting.value === undefined ? 'boolean' : 'string';
}

function validate(flags: FlagValues, environment: Readonly<Record<string, string | undefined>>): Command {
  const config: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries<Setting>(SETTINGS)) {
    const source = flags[name] === undefined ? environmentName(name) : `--${name}`;
    const text = flags[name]?.toString() ?? environment[environmentName(name)];
    const parsed = setting.schema.safeParse(text);
    if (!parsed.success) {
      const given = setting.isSecret === true ? source : `${source} ${String(text)}`;
      return { kind: 'invalid', message: `${given}: ${parsed.error.issues[0]!.message}` };
    }
    config[name] = parsed.data;
  }
  return checkRelations(config as Config);
}

function checkRelations(config: Config): Command {
  if (config.chain !== undefined && config.genesis === undefined) {
    return { kind: 'invalid', message: '--chain needs --genesis' };
  }
  if (config.upstream !== undefined && config.chain !== undefined) {
    return { kind: 'invalid', message: '--chain and --upstream exclude one another' };
  }
  if (config.replay !== undefined && (config.feed !== undefined || config.record !== undefined)) {
    return { kind: 'invalid', message: '--replay excludes --feed and --record' };
  }
  for (const name of ['upstream-ws', 'feed', 'record', 'replay', 'passthrough'] as const) {
    if (config[name] !== undefined && config[name] !== false && config.upstream === undefined) {
      return { kind: 'invalid', message: `--${name} needs --upstream` };
    }
  }
  return { kind: 'run', config };
}

/** The flags as text, one a line; also the source of the README's table. */
export function helpText(): string {
  const lines = Object.entries(SETTINGS).map(([name, setting]) => {
    const fallback = String(setting.schema.safeParse(undefined).data ?? '');
    const shown = fallback === '' || typeOf(setting) === 'boolean' ? '' : ` (${fallback})`;
    return `  ${`--${name} ${valueOf(setting)}`.padEnd(32)} ${setting.doc}${shown}`;
  });
  return ['prestate [flags]; every flag also as PRESTATE_NAME', ...lines].join('\n');
}

function valueOf(setting: Setting): string {
  return setting.value ?? '';
}
