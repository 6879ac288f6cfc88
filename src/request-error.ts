// The error of a call to an embedded engine.

/**
 * Thrown for a failed call: code, message and data as in JSON-RPC, or code 4900 of EIP-1193 once the engine is stopped.
 */
export class EngineRequestError extends Error {
  override readonly name = 'EngineRequestError';
  readonly code: number;
  /** The error's data, such as the bytes of a revert as hex. */
  readonly data: unknown;

  constructor({ code, message, data }: { readonly code: number; readonly message: string; readonly data?: unknown }) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
