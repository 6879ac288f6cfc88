// The error of a request to an embedded engine.

/** A failed request: code, message and data as in JSON-RPC, or EIP-1193's code 4900 once the engine is stopped. */
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
