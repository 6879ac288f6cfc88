// The packed declaration of the engine's options: types without dependencies, each option with the doc of its flag.
// `npm pack` overwrites the compiler's with it.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { defaultTextOf } from '../src/config/help-text.js';
import { SETTING_BY_ENGINE_OPTION } from '../src/config/read-settings.js';
import { SETTINGS, type Setting, type SettingName } from '../src/config/settings.table.js';

const FILE = new URL('../src/engine-types.d.ts', import.meta.url);
const EXPORT = /^export type \{ EngineSettings \}.*$/m;

/** The compiler's declaration `made` with the options expanded: an interface for each topic. */
export function optionsDeclaration(made: string): string {
  const topics = [...new Set(Array.from(SETTING_BY_ENGINE_OPTION.values(), topicOf))];
  const parts = topics.map((topic) => {
    const options = [...SETTING_BY_ENGINE_OPTION].filter(([, flag]) => topicOf(flag) === topic);
    const members = options.flatMap(([option, flag]) => memberOf(option, flag));
    return [`/** Settings of the topic "${topic}". */`, `export interface ${interfaceOf(topic)} {`, ...members, '}'];
  });
  const whole = [
    '/** Every option is as its flag; each is described with its default. */',
    `export interface EngineSettings extends ${topics.map(interfaceOf).join(', ')} {}`,
  ];
  return made.replace(EXPORT, () => [...parts.flat(), ...whole].join('\n'));
}

function topicOf(flag: SettingName): string {
  return SETTINGS[flag].topic;
}

/** `live chain` is `LiveChainSettings`. */
function interfaceOf(topic: string): string {
  const words = topic.split(' ').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Settings`;
}

function memberOf(option: string, flag: SettingName): readonly string[] {
  const setting: Setting = SETTINGS[flag];
  const type = typeOf(setting);
  // A doc that starts with values keeps their case.
  const doc = type.startsWith("'") ? setting.doc : setting.doc.charAt(0).toUpperCase() + setting.doc.slice(1);
  return [`  /** ${doc}${defaultTextOf(flag)}. */`, `  readonly ${option}?: ${type};`];
}

/** The output type of a setting's schema. */
function typeOf({ value, isList, schema }: Setting): string {
  if (value === undefined) return 'boolean';
  if (isList === true) return 'readonly string[]';
  const shape = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  if (shape.enum !== undefined) return shape.enum.map((each) => `'${String(each)}'`).join(' | ');
  return shape.type === 'number' || typeof shape.default === 'number' ? 'number' : 'string';
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href)
  writeFileSync(FILE, optionsDeclaration(readFileSync(FILE, 'utf8')));
