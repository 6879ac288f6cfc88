// The request whose handler is running, as parsed by the HTTP guard in front of uWebSockets.js.
import type { HttpGuardModule } from '../native/addon-types.js';

/** What the HTTP guard knows about the request whose handler is running. Must only be read in that handler. */
export class GuardParsedRequest {
  readonly #guard: HttpGuardModule;
  /**
   * Memory of the guard with three numbers: the client's number, and the start and end of the body in the receive
   * buffer.
   */
  readonly #fields: Uint32Array;
  #receiveBuffer: ArrayBuffer | null = null;

  constructor(guard: HttpGuardModule) {
    this.#guard = guard;
    this.#fields = guard.served();
  }

  /**
   * The number that the guard has assigned to the client. Addresses for which `clientNameOfAddress` returns the same
   * name have the same number.
   */
  get client(): number {
    return this.#fields[0]!;
  }

  /**
   * Returns the request's body if it has arrived completely, its type is `application/json`, and no other header field
   * decides how it is read. Otherwise returns `null`: the route must then check the headers and receive the body. The
   * bytes are in the receive buffer, whose memory is reused when the handler returns.
   */
  plainBody(): Uint8Array | null {
    const end = this.#fields[2]!;
    if (end === 0) return null;
    const start = this.#fields[1]!;
    return new Uint8Array((this.#receiveBuffer ??= this.#guard.receiveBuffer()), start, end - start);
  }
}
