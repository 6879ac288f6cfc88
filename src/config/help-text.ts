// Builds the help text of the command line.
import { formatHelp } from '../cli/format-help.js';
import { flagKindOf, SETTING_NAMES, SETTINGS, type Setting, type SettingName } from './settings.table.js';

const USAGE = [
  'prestate [flags]                 serves; every flag also as PRESTATE_NAME',
  'prestate bench [flags]           loads endpoints, checks their answers, makes a report; see bench --help',
  'prestate ready [flags]           probes the program at --host and --port; exit code 0 when it is ready, else ' +
    '1 and why',
  'prestate --check-config [flags]  reports what is wrong with the configuration, or that nothing is',
  'prestate --version               version, commit, Node.js, system, addon, newest rules',
];

/** Returns the help text of all flags. `columns` is the terminal's width, if lines are to be wrapped. */
export function helpText(columns?: number): string {
  const rows = SETTING_NAMES.map((name) => {
    const setting: Setting = SETTINGS[name];
    const usage = `--${name} ${setting.value ?? ''}`;
    return { topic: setting.topic, usage, doc: `${setting.doc}${defaultTextOf(name)}` };
  });
  return [...USAGE, ...formatHelp(rows, columns)].join('\n');
}

/** Formats the default of a setting in parentheses; an empty string if it has none. */
export function defaultTextOf(name: SettingName): string {
  const fallback: unknown = SETTINGS[name].schema.safeParse(undefined).data;
  const values = (Array.isArray(fallback) ? fallback : [fallback ?? '']).join(',');
  return values === '' || flagKindOf(name) === 'switch' ? '' : ` (${values})`;
}
