// Types of an engine inside another program. The packed declaration tells each option with the doc of its flag (`deploy/types.ts`).
// Types alone. Runs on main.
export type { EngineSettings } from './config/read.js';

/** A log that is written to, such as pino's. */
export interface EngineLogger {
  isLevelEnabled(level: string): boolean;
  debug(fields: object, text?: string): void;
  info: LogLine;
  warn: LogLine;
  error: LogLine;
}

/** A line of text, with fields or without. */
export interface LogLine {
  (fields: object, text?: string): void;
  (text: string): void;
}
