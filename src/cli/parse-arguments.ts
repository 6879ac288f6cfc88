// Parses a command line into flag names and values. Pure.
import { didYouMean } from './did-you-mean.js';

/** Kind of a flag: one value, several values, or a switch without a value. A list flag may be repeated. */
export type FlagKind = 'value' | 'list' | 'switch';

/** The parsed command line, and the faults in it. */
interface CommandLine {
  /** Values by flag name: `true` for a switch that is on; values of a repeated list flag are joined by commas. */
  readonly texts: ReadonlyMap<string, string>;
  /** One line for each fault. */
  readonly faults: readonly string[];
}

/** A flag on the command line: one word, and the next word if that is its value. */
interface Flag {
  readonly name: string;
  /** The value after `=`, or the next word. */
  readonly text: string | undefined;
  readonly isInline: boolean;
}

/** Accepts `--name value`, `--name=value`, `--switch`, `--switch=false` and `-h`; everything else is a fault. */
export function parseArguments(argv: readonly string[], kinds: ReadonlyMap<string, FlagKind>): CommandLine {
  const texts = new Map<string, string>();
  const faults: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]!;
    if (!word.startsWith('-')) {
      faults.push(`unexpected argument ${word}`);
      continue;
    }
    const flag = readFlag(word, argv[i + 1]);
    const kind = kinds.get(flag.name);
    if (kind === undefined) faults.push(unknownFlag(word, kinds));
    else if (kind !== 'list' && texts.has(flag.name)) faults.push(`--${flag.name} is given twice`);
    else if (kind === 'switch') texts.set(flag.name, flag.isInline ? flag.text! : 'true');
    else if (flag.text === undefined) faults.push(`--${flag.name} needs a value`);
    else texts.set(flag.name, [texts.get(flag.name) ?? [], flag.text].flat().join(','));
    // The word after an unknown flag is most likely its value, so it is not reported as another fault.
    if (kind !== 'switch' && !flag.isInline && flag.text !== undefined) i++;
  }
  return { texts, faults };
}

function readFlag(word: string, next: string | undefined): Flag {
  if (word === '-h') return { name: 'help', text: undefined, isInline: false };
  const equals = word.indexOf('=');
  if (equals >= 0) return { name: nameOf(word.slice(0, equals)), text: word.slice(equals + 1), isInline: true };
  return { name: nameOf(word), text: next?.startsWith('--') === true ? undefined : next, isInline: false };
}

/** Returns the flag's name without the two leading dashes. */
function nameOf(word: string): string {
  return word.startsWith('--') ? word.slice(2) : word;
}

/** Formats the error for an unknown flag. It does not repeat the flag's value, which may be a secret. */
function unknownFlag(word: string, kinds: ReadonlyMap<string, FlagKind>): string {
  const flag = word.split('=', 1)[0]!;
  return `unknown flag ${flag}${didYouMean(flag.replace(/^-+/, ''), [...kinds.keys()], '--')}`;
}
