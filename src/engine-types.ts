// Types for embedding the engine in another program; no code. In the published type declarations, each option has the
// documentation of its flag (`deploy/types.ts`).
export type { EngineSettings } from './config/read-settings.js';
import type { EngineRequestError } from './engine-request-error.js';

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

/** A JSON-RPC request in the form of EIP-1193. */
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

/** A notification of a subscription that `request` has opened with `eth_subscribe`, in the form of EIP-1193. */
export interface EngineMessage {
  readonly type: 'eth_subscription';
  readonly data: { readonly subscription: string; readonly result: unknown };
}

/** The argument that a listener gets, by event name. */
export interface EngineEvents {
  /**
   * Sent for each completed block once its state can be read. After a reorganization, it is sent for each block of the
   * new branch.
   */
  readonly block: EngineBlock;
  readonly message: EngineMessage;
  /**
   * The engine was stopped. Or, on a live chain, its state was resynced, so that messages may be missing: subscriptions
   * have ended then, but requests are still answered.
   */
  readonly disconnect: EngineRequestError;
}

export type EngineEvent = keyof EngineEvents;
