// Formats one log entry as readable text: time, level, message, fields. Pure.
import type { TerminalColour, ColourPainter } from './terminal-colours.js';

/** Fields of a log entry that pino adds by itself, and `err`: they are not listed among the further fields. */
const OWN_FIELDS = new Set(['time', 'level', 'msg', 'pid', 'hostname', 'err']);
const MESSAGE_WIDTH = 28;

const LEVELS: Readonly<Record<number, readonly [label: string, colour: TerminalColour]>> = {
  10: ['TRACE', 'dim'],
  20: ['DEBUG', 'dim'],
  30: ['INFO ', 'green'],
  40: ['WARN ', 'yellow'],
  50: ['ERROR', 'red'],
};

interface Entry {
  readonly time: number;
  readonly level: number;
  readonly msg?: string;
  readonly err?: { readonly stack?: string; readonly message?: string };
  readonly [field: string]: unknown;
}

/** Formats a JSON line of pino. A stack trace adds further lines. */
export function formatLogLine(json: string, paint: ColourPainter): string {
  const entry = JSON.parse(json) as Entry;
  const [label, colour] = LEVELS[entry.level] ?? ['     ', 'dim'];
  const fields = Object.entries(entry).filter(([name]) => !OWN_FIELDS.has(name));
  const shown = fields.map(([name, value]) => `${paint('dim', `${name}=`)}${valueText(value)}`);
  const message = escaped(entry.msg ?? '');
  const head = `${paint('dim', timeText(entry.time))} ${paint(colour, label)} `;
  const line = head + [shown.length === 0 ? message : message.padEnd(MESSAGE_WIDTH), ...shown].join(' ');
  return entry.err === undefined ? line : `${line.trimEnd()}\n${stackText(entry.err)}`;
}

/** Formats a time in ms since 1970 as the time of day in the local time zone. */
function timeText(time: number): string {
  const date = new Date(time);
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => padded(part, 2));
  return `${clock.join(':')}.${padded(date.getMilliseconds(), 3)}`;
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}

/** Formats the value of a field as JSON; a string that is a single plain word gets no quotes. */
function valueText(value: unknown): string {
  return typeof value === 'string' && /^[!-~]+$/.test(value) ? value : escaped(JSON.stringify(value));
}

function stackText({ stack, message }: NonNullable<Entry['err']>): string {
  const lines = (stack ?? message ?? '').split('\n');
  return lines.map((line) => `    ${escaped(line.trim())}`).join('\n');
}

/** Escapes control characters: text from a client must not control the terminal. */
function escaped(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    return `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`;
  });
}
