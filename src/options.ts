// Types of an embedded engine. The packed declarations describe each option with the doc of its flag
// (`deploy/types.ts`). Types alone.
export type { EngineSettings } from './config/read.js';
import type { EngineRequestError } from './request-error.js';

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

/** A new block: its header with quantities and hashes as hex, as `eth_subscribe` of `newHeads` sends it. */
export interface EngineBlock {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly timestamp: string;
  readonly [member: string]: unknown;
}

/** A message of a subscription that `request` has opened by `eth_subscribe`, in the form of EIP-1193. */
export interface EngineMessage {
  readonly type: 'eth_subscription';
  readonly data: { readonly subscription: string; readonly result: unknown };
}

/** What a listener of each event is called with. */
export interface EngineEvents {
  /** A complete block, and after a reorg each of the new branch. Its state can be read. */
  readonly block: EngineBlock;
  readonly message: EngineMessage;
  /**
   * The engine is stopped; or, on a live chain, its state began anew and messages may be missing: subscriptions have
   * ended, requests are answered.
   */
  readonly disconnect: EngineRequestError;
}

/** Name of an event. */
export type EngineEvent = keyof EngineEvents;
