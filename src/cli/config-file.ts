// Parses a configuration file: lines `name = value` with the names of flags, and comments that start with `#`. Pure.
import { didYouMean } from './did-you-mean.js';

interface FileSetting {
  readonly text: string;
  /** Number of the line in the file; the first line is 1. */
  readonly line: number;
}

/** The settings of a file by name, and the faults in it. */
interface ConfigFile {
  readonly settings: ReadonlyMap<string, FileSetting>;
  /** One line for each fault, with the line number in the file. */
  readonly faults: readonly string[];
}

/** Matches the comment of a line. A `#` inside a word, as in a URL, does not start one. */
const COMMENT = /(^|\s)#.*$/;
const LINE = /^([^\s=]+)\s*=\s*(.*)$/;
const QUOTED = /^(['"]).*\1$/;

/** Parses the text of a file. `names`: the known settings. */
export function parseConfigFile(text: string, names: readonly string[]): ConfigFile {
  const settings = new Map<string, FileSetting>();
  const faults: string[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const content = raw.replace(COMMENT, '').trim();
    if (content === '') continue;
    const line = index + 1;
    const [, name = '', value = ''] = LINE.exec(content) ?? [];
    const fault = name === '' ? 'is not name = value' : faultOf(name, value, names, settings);
    if (fault === null) settings.set(name, { text: value, line });
    else faults.push(`line ${line}: ${fault}`);
  }
  return { settings, faults };
}

function faultOf(
  name: string,
  text: string,
  names: readonly string[],
  before: ReadonlyMap<string, FileSetting>,
): string | null {
  if (!names.includes(name)) return `unknown name ${name}${didYouMean(name, names)}`;
  const first = before.get(name);
  if (first !== undefined) return `${name} stands in line ${first.line}, too`;
  return QUOTED.test(text) ? `the value of ${name} is written without quotes` : null;
}
