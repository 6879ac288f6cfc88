// The help text: flags by topic, one a line. Pure.

/** A flag as the help shows it. */
export interface HelpRow {
  readonly topic: string;
  /** `--name VALUE`. */
  readonly usage: string;
  readonly doc: string;
}

const USAGE_WIDTH = 32;
/** Two spaces before the usage, one after it. */
const DOC_AT = USAGE_WIDTH + 3;
/** A narrower terminal wraps long lines by itself. */
const COLUMNS_MIN = 72;

/** The lines, with topics in order of first appearance; wrapped at `columns` if that is given. */
export function helpLines(rows: readonly HelpRow[], columns = Infinity): string[] {
  const topics = new Set(rows.map(({ topic }) => topic));
  return [...topics].flatMap((topic) => [
    `${topic}:`,
    ...rows.filter((row) => row.topic === topic).flatMap((row) => rowLines(row, columns)),
  ]);
}

function rowLines({ usage, doc }: HelpRow, columns: number): string[] {
  const width = columns < COLUMNS_MIN ? Infinity : columns - DOC_AT;
  const [first, ...rest] = broken(doc, width);
  return [`  ${usage.padEnd(USAGE_WIDTH)} ${first}`, ...rest.map((line) => ' '.repeat(DOC_AT) + line)];
}

/** Wraps the text at spaces into lines of at most `width`; longer words stay whole. */
function broken(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
