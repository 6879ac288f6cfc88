// The error of a call to an embedded engine. Runs on main.

/** A call that ended in an error: code, text and data of JSON-RPC, or 4900 of EIP-1193 once the engine is stopped. */
export class EngineRequestError extends Error {
  override readonly name = 'EngineRequestError';
  readonly code: number;
  /** Bytes that a revert has returned, as hex, and the like. */
  readonly data: unknown;

  constructor({ code, message, data }: { readonly code: number; readonly message: string; readonly data?: unknown }) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
