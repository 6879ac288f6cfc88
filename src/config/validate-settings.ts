// Checks settings: each one by its schema, then those that require or exclude each other.
import type { z } from 'zod';
import { didYouMean } from '../cli/did-you-mean.js';
import { parsePassthroughList } from '../rpc/call/passthrough-filter.js';
import type { Config } from './config.js';
import {
  EXCLUSIVE_SETTINGS,
  flagKindOf,
  SETTING_DEPENDENCIES,
  SETTING_NAMES,
  SETTINGS,
  type Setting,
  type SettingName,
} from './settings.table.js';

/** A valid configuration, or the errors in the settings, one line each. */
export type ValidationResult =
  | { readonly kind: 'run'; readonly config: Config }
  | { readonly kind: 'invalid'; readonly faults: readonly string[] };

/** The text of a setting, and where the operator has set it. */
export interface SettingWithSource {
  readonly text: string;
  readonly source: string;
}

/** Validates the texts of settings, which are keyed by flag name. `earlier` are the errors already found. */
export function validateSettings(
  settings: ReadonlyMap<SettingName, SettingWithSource>,
  earlier: readonly string[],
): ValidationResult {
  const config: Record<string, unknown> = {};
  const faults = [...earlier];
  for (const name of SETTING_NAMES) {
    const setting: Setting = SETTINGS[name];
    const parsed = setting.schema.safeParse(settings.get(name)?.text);
    if (parsed.success) config[name] = parsed.data;
    else faults.push(valueFault(setting, settings.get(name)!, parsed.error.issues[0]!));
  }
  faults.push(...relationFaults(settings), ...listFaults(settings, config));
  return faults.length > 0 ? { kind: 'invalid', faults } : { kind: 'run', config: config as Config };
}

function valueFault(
  { isSecret }: Setting,
  { text: value, source }: SettingWithSource,
  issue: z.core.$ZodIssue,
): string {
  const shown = isSecret === true ? source : `${source} ${value}`;
  if (issue.code !== 'invalid_value') return `${shown}: ${issue.message}`;
  const values = issue.values.map(String);
  return `${shown}: is none of ${values.join(', ')}${didYouMean(value, values)}`;
}

/** Lists settings that would have no effect because of other settings: ignoring them silently would hide a mistake. */
function relationFaults(settings: ReadonlyMap<SettingName, SettingWithSource>): readonly string[] {
  const faults: string[] = [];
  for (const [name, needed, values] of SETTING_DEPENDENCIES) {
    const source = sourceIfOn(settings, name);
    const others = [needed].flat();
    if (source === null || others.some((other) => isMet(settings, other, values))) continue;
    const wanted = others.flatMap((other) => values?.map((value) => `--${other} ${value}`) ?? `--${other}`);
    faults.push(`${source} needs ${wanted.join(' or ')}`);
  }
  for (const [name, others] of EXCLUSIVE_SETTINGS) {
    const source = sourceIfOn(settings, name);
    const clashing = others.filter((other) => source !== null && sourceIfOn(settings, other) !== null);
    faults.push(...clashing.map((other) => `${source} does not go with --${other}`));
  }
  return faults;
}

/** Reports a `--passthrough-methods` that lacks the submission method which `--count-own-sends` needs. */
function listFaults(
  settings: ReadonlyMap<SettingName, SettingWithSource>,
  config: Record<string, unknown>,
): readonly string[] {
  const list: unknown = config['passthrough-methods'];
  const source = sourceIfOn(settings, 'count-own-sends');
  if (source === null || !Array.isArray(list) || list.some(forwardsTransactions)) return [];
  return [`${source} needs eth_sendRawTransaction among --passthrough-methods`];
}

/** True if an entry of `--passthrough-methods` matches a method that submits a transaction. */
function forwardsTransactions(entry: string): boolean {
  return entry.includes('_sendRawTransaction') || parsePassthroughList([entry])('eth_sendRawTransaction');
}

/** Returns where a setting was set; `null` if it is absent, or a switch that is set to `false`. */
function sourceIfOn(settings: ReadonlyMap<SettingName, SettingWithSource>, name: SettingName): string | null {
  const setting = settings.get(name);
  return setting === undefined || (flagKindOf(name) === 'switch' && setting.text === 'false') ? null : setting.source;
}

/** True if the setting has one of these `values`, or is not set at all. Without `values`, true if the setting is on. */
function isMet(
  settings: ReadonlyMap<SettingName, SettingWithSource>,
  name: SettingName,
  values: readonly string[] | undefined,
): boolean {
  const text = settings.get(name)?.text;
  return values === undefined ? sourceIfOn(settings, name) !== null : text === undefined || values.includes(text);
}
