// Terminal colours.
import { styleText } from 'node:util';

export type TerminalColour = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Wraps a text in a colour, or returns it unchanged. */
export type ColourPainter = (colour: TerminalColour, text: string) => string;

/**
 * Paints with escape sequences even if stdout is not a terminal, because the caller has already decided to use colours.
 */
export const PAINT_COLOURED: ColourPainter = (colour, text) => styleText(colour, text, { validateStream: false });
/** Returns texts without colours: for files, pipes and `NO_COLOR`. */
export const PAINT_PLAIN: ColourPainter = (_, text) => text;
