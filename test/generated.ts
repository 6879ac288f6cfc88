// Generates the parts of documents that are derived from the program's tables. `npm run documents` writes them;
// documents.test.ts compares them.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { ERRORS } from '../src/rpc-errors.js';
import { METHODS, PARAMETERS_BY_NAME, type MethodRow, type ParameterName } from '../src/methods.table.js';
import { ownConversations, type Conversation } from './io/conversation.js';

/** Empty results are only shown if there is no other. */
const EMPTY = new Set(['null', 'false', '[]', '"0x"']);
const LONG = 1e6;
const ERRORS_SHOWN = 5;
const WORDS_OF_KIND = 4;
const ERROR_LENGTH_MAX = 120;
const METHODS_DOCUMENT = new URL('../../src/rpc/METHODS.md', import.meta.url);

/** The methods document, generated from the current tables and conversations. */
export function methodsDocument(): string {
  const methods = [...METHODS.values()].map(({ name, params, description = '' }) => {
    return `| [\`${name}\`](#${anchorOf(name)}) | ${params.map((param) => param.replace('?', '')).join(', ')} | ${description} |`;
  });
  const errors = Object.values(ERRORS)
    .toSorted((a, b) => b.code - a.code)
    .map(({ code, message, when, remedy }) => `| ${code} | ${message} | ${when} | ${remedy} |`);
  const text = readFileSync(METHODS_DOCUMENT, 'utf8');
  const withMethods = filled(text, 'methods', ['| method | parameters | |', '| --- | --- | --- |', ...methods]);
  const spoken = exchangesByMethod();
  const reference = [...METHODS.values()].flatMap((row) => referenceOf(row, spoken.get(row.name) ?? []));
  const withReference = filled(withMethods, 'reference', ['', ...reference]);
  return filled(withReference, 'errors', [
    '| code | text | when | what to do |',
    '| --- | --- | --- | --- |',
    ...errors,
  ]);
}

/** A heading's anchor, as GitHub generates it. */
function anchorOf(name: string): string {
  return name.toLowerCase().replace('.', '');
}

/** The reference section of one method. */
function referenceOf(row: MethodRow, spoken: readonly Spoken[]): string[] {
  const { name, params, result, description } = row;
  const example = exampleOf(spoken);
  const errors = errorsOf(spoken);
  return [
    `### ${name}`,
    '',
    ...(description === undefined ? [] : [`${description}.`, '']),
    ...params.map(parameterLine),
    `- returns ${typeText(result)}`,
    ...pendingLine(row),
    ...(errors.length === 0 ? [] : [`- errors, among others: ${errors.join(', ')}`]),
    '',
    ...(example === undefined ? [] : ['```json', example.request, example.answer, ...example.notifications, '```', '']),
  ];
}

function parameterLine(param: MethodRow['params'][number]): string {
  const { type, description } = PARAMETERS_BY_NAME[param.replace('?', '') as ParameterName];
  return `- \`${param.replace('?', '')}\`${param.endsWith('?') ? ', optional' : ''}: ${typeText(type)}: ${description}`;
}

function typeText(type: string): string {
  const list = type.endsWith('?') ? `${type.slice(0, -1)}\` or \`null` : type;
  return `\`${list}\``;
}

/** An optional block selects a state, any other one the block itself. */
function pendingLine({ params, completeOnly }: MethodRow): readonly string[] {
  if (params.includes('block?')) return ['- `pending` is the state behind the newest increment'];
  if (completeOnly === true) return ['- `pending` is refused: its block is not complete'];
  if (params.includes('block')) return ['- `pending` is the block that is being built, as far as it is pre-confirmed'];
  return [];
}

/** A call and its response, as written in a conversation that a test runs. */
interface Spoken {
  readonly request: string;
  readonly answer: string;
  /** The first notification of a subscription that the call created. */
  readonly notifications: readonly string[];
  readonly error: { readonly code: number; readonly message: string } | undefined;
  readonly isEmpty: boolean;
}

/** Calls outside of batches, by method. */
function exchangesByMethod(): ReadonlyMap<string, readonly Spoken[]> {
  const spoken = new Map<string, Spoken[]>();
  for (const { conversation } of ownConversations()) {
    for (const { request, answer } of conversation.exchanges) {
      const method = /^\{"jsonrpc":"2\.0","id":\w+,"method":"([\w.]+)"/.exec(request)?.[1];
      if (method === undefined || !answer.startsWith('{')) continue;
      const { result, error } = JSON.parse(answer) as { readonly result?: unknown; readonly error?: Spoken['error'] };
      const id = `"subscription":${JSON.stringify(result)}`;
      const notifications = notificationsOf(conversation).filter((text) => text.includes(id));
      const one = {
        request,
        answer,
        notifications: notifications.slice(0, 1),
        error,
        isEmpty: EMPTY.has(JSON.stringify(result)),
      };
      spoken.set(method, [...(spoken.get(method) ?? []), one]);
    }
  }
  return spoken;
}

function notificationsOf({ exchanges }: Conversation): readonly string[] {
  return exchanges.filter(({ request }) => request === '').map(({ answer }) => answer);
}

/** The shortest exchange with a result. */
function exampleOf(spoken: readonly Spoken[]): Spoken | undefined {
  const lengthOf = ({ request, answer, isEmpty }: Spoken): number =>
    request.length + answer.length + (isEmpty ? LONG : 0);
  return spoken.filter(({ error }) => error === undefined).toSorted((a, b) => lengthOf(a) - lengthOf(b))[0];
}

/** One error of each of the first few kinds: messages that start alike are the same kind. */
function errorsOf(spoken: readonly Spoken[]): readonly string[] {
  const texts = spoken.flatMap(({ error }) => (error === undefined ? [] : [`${error.code} ${error.message}`]));
  const kinds = new Map(texts.filter((text) => text.length < ERROR_LENGTH_MAX).map((text) => [kindOf(text), text]));
  return [...kinds.values()].slice(0, ERRORS_SHOWN).map((text) => `\`${text}\``);
}

function kindOf(text: string): string {
  return text
    .replace(/ argument \d+/, '')
    .split(' ')
    .slice(0, WORDS_OF_KIND)
    .join(' ');
}

/** The text with these lines between the markers of that name. */
function filled(text: string, name: string, lines: readonly string[]): string {
  const mark = `<!-- ${name} -->\n`;
  const start = text.indexOf(mark) + mark.length;
  return `${text.slice(0, start)}${lines.join('\n')}\n${text.slice(text.indexOf('<!-- end -->', start))}`;
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href) writeFileSync(METHODS_DOCUMENT, methodsDocument());
