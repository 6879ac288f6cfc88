// Types of an embedded engine. The packed declarations describe each option with the doc of its flag
// (`deploy/types.ts`). Types alone.
export type { EngineSettings } from './config/read.js';

/** A logger, such as pino's. */
export interface EngineLogger {
  isLevelEnabled(level: string): boolean;
  debug(fields: object, text?: string): void;
  info: LogLine;
  warn: LogLine;
  error: LogLine;
}

/** Logs a line of text, with or without fields. */
export interface LogLine {
  (fields: object, text?: string): void;
  (text: string): void;
}

/** A call in the form of EIP-1193. */
export interface EngineRequest {
  readonly method: string;
  readonly params?: readonly unknown[] | object;
}
