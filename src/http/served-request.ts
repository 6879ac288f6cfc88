// The request whose handler is running, as the guard in front of uWebSockets.js has parsed it.
import type { HttpGuardModule } from '../native/addon-types.js';

/** What the guard has found out about the request whose handler is running. Must only be read in that handler. */
export class ServedRequest {
  readonly #guard: HttpGuardModule;
  /** Number of the client; start and end of the body in the receive buffer. */
  readonly #fields: Uint32Array;
  #receiveBuffer: ArrayBuffer | null = null;

  constructor(guard: HttpGuardModule) {
    this.#guard = guard;
    this.#fields = guard.served();
  }

  /** Number of the client, which is the same for all addresses that `clientNameOf` maps to the same name. */
  get client(): number {
    return this.#fields[0]!;
  }

  /**
   * Returns the request's body if all of it has arrived and its head has no field that decides how the body is read,
   * but `Content-Type: application/json`. Otherwise `null`: the head must be checked, and the body received. The bytes
   * are those of the receive buffer: they change when the handler returns.
   */
  plainBody(): Uint8Array | null {
    const end = this.#fields[2]!;
    if (end === 0) return null;
    const start = this.#fields[1]!;
    return new Uint8Array((this.#receiveBuffer ??= this.#guard.receiveBuffer()), start, end - start);
  }
}
