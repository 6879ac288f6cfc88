// Formats the help text: one flag a line, grouped by topic. Pure.

interface HelpRow {
  readonly topic: string;
  /** `--name VALUE`. */
  readonly usage: string;
  readonly doc: string;
}

const USAGE_WIDTH = 32;
/** Column of the description: there are two spaces before the usage and one after it. */
const DOC_AT = USAGE_WIDTH + 3;
/** Narrower terminals wrap long lines themselves. */
const COLUMNS_MIN = 72;

/** The lines of the help, topics in order of first appearance, wrapped at `columns` if that is passed. */
export function formatHelp(rows: readonly HelpRow[], columns = Infinity): string[] {
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
