// Terminal colours.
import { styleText } from 'node:util';

export type TerminalColour = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Wraps a text in a colour, or returns it unchanged. */
export type ColourPainter = (colour: TerminalColour, text: string) => string;

/** Uses escape sequences even if stdout is not a terminal, because the caller has decided that. */
export const PAINT_COLOURED: ColourPainter = (colour, text) => styleText(colour, text, { validateStream: false });
/** Without colours: for files, pipes and `NO_COLOR`. */
export const PAINT_PLAIN: ColourPainter = (_, text) => text;
