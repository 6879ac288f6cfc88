// The words of a command line as names and texts. Pure. Runs on main, at start-up only.
import { suggestion } from './suggestion.js';

/** Kind of a flag: followed by a value, or not. A list may be given several times. */
export type FlagKind = 'value' | 'list' | 'switch';

/** A command line as it is read, and what is wrong with it. */
export interface Arguments {
  /** Texts by the name of the flag. A switch that is on has `true`, a list that is given several times all of them, by commas. */
  readonly texts: ReadonlyMap<string, string>;
  /** One line each. */
  readonly faults: readonly string[];
}

/** One word and the one behind it, as far as they belong together. */
interface Flag {
  readonly name: string;
  /** Text behind `=`, or in the next word. */
  readonly text: string | undefined;
  readonly isInline: boolean;
}

/** `--name value`, `--name=value`, `--switch`, `--switch=false`, `-h`; all else is a fault. */
export function readArguments(argv: readonly string[], kinds: ReadonlyMap<string, FlagKind>): Arguments {
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
    // The word behind an unknown flag is most likely its value, and no fault of its own.
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

/** A flag has two dashes. */
function nameOf(word: string): string {
  return word.startsWith('--') ? word.slice(2) : word;
}

/** The value is left out: it may be a key. */
function unknownFlag(word: string, kinds: ReadonlyMap<string, FlagKind>): string {
  const flag = word.split('=', 1)[0]!;
  return `unknown flag ${flag}${suggestion(flag.replace(/^-+/, ''), [...kinds.keys()], '--')}`;
}
