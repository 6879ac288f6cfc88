// Formats the help text: one flag a line, grouped by topic. Pure.

interface HelpRow {
  readonly topic: string;
  /** The flag and its value as typed: `--name VALUE`. */
  readonly usage: string;
  readonly doc: string;
}

const USAGE_WIDTH = 32;
/** Column where the description of a flag starts: two spaces, the usage, one space. */
const DOC_AT = USAGE_WIDTH + 3;
/** Narrowest terminal for which lines are wrapped here. For a narrower one they are left to the terminal to wrap. */
const COLUMNS_MIN = 72;

/** Formats the lines of the help, topics in order of first appearance, wrapped at `columns` if that is passed. */
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

/** Wraps the text at spaces into lines of at most `width`. A word that is longer stays whole. */
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
