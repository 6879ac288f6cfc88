// Terminal colours.
import { styleText } from 'node:util';

/** Colours of log lines and the banner. */
export type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Wraps a text in a colour, or returns it unchanged. */
export type Paint = (colour: Colour, text: string) => string;

/** Uses escape sequences even if stdout is not a terminal, because the caller has decided that. */
export const COLOURED: Paint = (colour, text) => styleText(colour, text, { validateStream: false });
/** Without colours: for files, pipes and `NO_COLOR`. */
export const PLAIN: Paint = (_, text) => text;
