// Terminal colours. Runs on main.

/** Functions that wrap a text in a colour, or return it unchanged. */
export type Paint = Readonly<Record<keyof typeof CODES, (text: string) => string>>;

/** SGR codes (ECMA-48). */
const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;
const RESET = '\u001b[0m';

/** With escape sequences. */
export const COLOURED: Paint = paint((text, code) => `\u001b[${code}m${text}${RESET}`);
/** Without colours: for files, pipes and `NO_COLOR`. */
export const PLAIN: Paint = paint((text) => text);

function paint(draw: (text: string, code: number) => string): Paint {
  const entries = Object.entries(CODES).map(([name, code]) => [name, (text: string) => draw(text, code)]);
  return Object.fromEntries(entries) as Paint;
}
