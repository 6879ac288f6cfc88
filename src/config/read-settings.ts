// Reads the configuration from the command line, environment and file, or from the options of an embedding program.
import { readFileSync } from 'node:fs';
import { parseArguments, type FlagKind } from '../cli/parse-arguments.js';
import { parseConfigFile } from '../cli/config-file.js';
import { didYouMean } from '../cli/did-you-mean.js';
import type { Config } from './config.js';
import { flagKindOf, SETTING_NAMES, type SettingName } from './settings.table.js';
import { validateSettings, type ValidationResult, type SettingWithSource } from './validate-settings.js';

/** Settings that only exist on the command line: an embedding program passes its own options and logger. */
type CommandLineName = 'config' | 'log-level' | 'log-format';

/** Converts the type of a flag's name to camel case. */
type OptionName<Flag extends string> = Flag extends `${infer Head}-${infer Rest}`
  ? `${Head}${Capitalize<OptionName<Rest>>}`
  : Flag;

/** Options of an engine that is embedded in another program: every flag in camel case. */
export type EngineSettings = {
  readonly [Flag in Exclude<SettingName, CommandLineName> as OptionName<Flag>]?: Exclude<Config[Flag], undefined>;
};

/**
 * What the command line asks for: to serve, or something else. `checked`: the configuration was only checked, and is
 * valid. `ready`: ask a running instance whether it is ready.
 */
type ParsedCommand =
  | ValidationResult
  | { readonly kind: 'help' | 'version' | 'checked' }
  | { readonly kind: 'ready'; readonly config: Config };

/** Subcommand that asks a running instance whether it is ready. It comes before any flags. */
const READY = 'ready';
/** Variables that Kubernetes adds to a container's environment for a service called prestate. */
const KUBERNETES_VARIABLE = /^PRESTATE_(SERVICE_|PORT_\d)/;

type Environment = Readonly<Record<string, string | undefined>>;

/** Switches that exist only on the command line, not in the environment or file. */
const SWITCHES = ['help', 'version', 'check-config'] as const;
const KINDS: ReadonlyMap<string, FlagKind> = new Map<string, FlagKind>([
  ...SETTING_NAMES.map((name) => [name, flagKindOf(name)] as const),
  ...SWITCHES.map((name) => [name, 'switch'] as const),
]);
const COMMAND_LINE_NAMES: ReadonlySet<string> = new Set<CommandLineName>(['config', 'log-level', 'log-format']);
/** Flag names by the names of the engine's options. */
export const SETTING_BY_ENGINE_OPTION: ReadonlyMap<string, SettingName> = new Map(
  SETTING_NAMES.filter((name) => !COMMAND_LINE_NAMES.has(name)).map((name) => [optionName(name), name]),
);

/** Returns the environment variable of a flag: `PRESTATE_DATA_DIR` for `data-dir`. */
function environmentVariableOf(flag: string): string {
  return `PRESTATE_${flag.replaceAll('-', '_').toUpperCase()}`;
}

/**
 * Reads the command line, the environment and the configuration file. A setting in an earlier one of the three takes
 * precedence. Never throws.
 */
export function readCommandAndConfig(argv: readonly string[], environment: Environment): ParsedCommand {
  const isReady = argv[0] === READY;
  const { texts, faults } = parseArguments(isReady ? argv.slice(1) : argv, KINDS);
  const valued = SWITCHES.find((name) => texts.has(name) && texts.get(name) !== 'true');
  if (valued !== undefined) return { kind: 'invalid', faults: [...faults, `--${valued} takes no value`] };
  for (const kind of ['help', 'version'] as const) if (texts.has(kind)) return { kind };
  const settings = new Map<SettingName, SettingWithSource>();
  const fileFaults = addFile(settings, texts.get('config') ?? environment[environmentVariableOf('config')]);
  for (const name of SETTING_NAMES) {
    const [flag, variable] = [texts.get(name), environment[environmentVariableOf(name)]];
    if (flag !== undefined) settings.set(name, { text: flag, source: `--${name}` });
    else if (variable !== undefined) settings.set(name, { text: variable, source: environmentVariableOf(name) });
  }
  const checked = validateSettings(settings, [...faults, ...unknownVariables(environment), ...fileFaults]);
  if (checked.kind === 'invalid') return checked;
  if (texts.has('check-config')) return { kind: 'checked' };
  return isReady ? { kind: 'ready', config: checked.config } : checked;
}

/** Lists environment variables that match no setting as errors, without their values, which may be secrets. */
function unknownVariables(environment: Environment): readonly string[] {
  const known = SETTING_NAMES.map(environmentVariableOf);
  return Object.keys(environment)
    .filter((name) => name.startsWith('PRESTATE_') && !known.includes(name) && !KUBERNETES_VARIABLE.test(name))
    .map((name) => `unknown variable ${name}${didYouMean(name, known)}`);
}

/**
 * Reads settings from an embedding program's options alone, not from flags or the environment. Each option is converted
 * to text and checked like a flag. Never throws.
 */
export function readSettingsFromEngineOptions(options: EngineSettings): ValidationResult {
  const settings = new Map<SettingName, SettingWithSource>();
  const faults: string[] = [];
  for (const [option, value] of Object.entries(options)) {
    const name = SETTING_BY_ENGINE_OPTION.get(option);
    if (name === undefined)
      faults.push(`unknown option ${option}${didYouMean(option, [...SETTING_BY_ENGINE_OPTION.keys()])}`);
    else if (value !== undefined) settings.set(name, { text: String(value), source: option });
  }
  return validateSettings(settings, faults);
}

function optionName(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Adds the settings of the configuration file to `given`, and returns the errors in the file. */
function addFile(given: Map<SettingName, SettingWithSource>, file: string | undefined): readonly string[] {
  if (file === undefined || file === '') return [];
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    return [`the configuration file ${file} cannot be read: ${(error as Error).message}`];
  }
  const names = SETTING_NAMES.filter((name) => name !== 'config');
  const { settings, faults } = parseConfigFile(content, names);
  for (const name of names) {
    const setting = settings.get(name);
    if (setting !== undefined) given.set(name, { text: setting.text, source: `${file} line ${setting.line}: ${name}` });
  }
  return faults.map((fault) => `${file} ${fault}`);
}
