// WebSocket /status: tells whoever looks at the status page how the program fares, once a second. Runs on main.
import type { Request, Response, Socket, SocketBehavior } from '../app.js';
import { isOwnPage, type Cors } from '../cors.js';
import type { Counters } from '../counters.js';
import { headerName } from '../head.js';
import { textPage, type Responder } from '../responder.js';

const KEY = headerName('sec-websocket-key');
const PROTOCOL = headerName('sec-websocket-protocol');
const EXTENSIONS = headerName('sec-websocket-extensions');
const GOING_AWAY = 1001;
const EVERY_MS = 1000;
/** A viewer has nothing to say. */
const MESSAGE_BYTES_MAX = 1024;

const FOREIGN_ORIGIN = textPage(403, 'origin not allowed');
const TOO_MANY = textPage(503, 'too many viewers', [['Retry-After', '1']]);

/** See LIMITS. */
export interface StatusOptions {
  readonly viewersMax: number;
  readonly socketIdleSMax: number;
}

/** What the route is made of. */
export interface StatusParts {
  /** How the program fares now, as JSON. */
  readonly status: () => string;
  readonly responder: Responder;
  readonly cors: Cors;
  readonly counters: Counters;
}

/** Costs nothing while nobody looks; a message is made once for all who do. */
export class StatusRoute {
  readonly #options: StatusOptions;
  readonly #parts: StatusParts;
  readonly #viewers = new Set<Socket<object>>();
  #timer: NodeJS.Timeout | null = null;
  #newest: Uint8Array = new Uint8Array();

  constructor(options: StatusOptions, parts: StatusParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** For the path `/status`. */
  behavior(): SocketBehavior<object> {
    return {
      maxPayloadLength: MESSAGE_BYTES_MAX,
      // What waits is never more than one message.
      maxBackpressure: 0,
      idleTimeout: this.#options.socketIdleSMax,
      upgrade: (response, request, context) => this.#upgrade(response, request, context),
      open: (socket) => this.#opened(socket),
      message: () => undefined,
      drain: () => undefined,
      close: (socket) => this.#closed(socket),
    };
  }

  /** Tells every viewer that the service stops. */
  closeAll(): void {
    for (const socket of this.#viewers) socket.end(GOING_AWAY, 'service stops');
  }

  #upgrade(response: Response, request: Request, context: object): void {
    const { responder, cors } = this.#parts;
    if (!isOwnPage(request) && !cors.allowsUnasked(request)) responder.page(response, FOREIGN_ORIGIN);
    else if (this.#viewers.size >= this.#options.viewersMax) responder.page(response, TOO_MANY);
    else {
      const [key, protocol] = [request.getHeader(KEY), request.getHeader(PROTOCOL)];
      response.upgrade({}, key, protocol, request.getHeader(EXTENSIONS), context);
    }
  }

  #opened(socket: Socket<object>): void {
    this.#viewers.add(socket);
    if (this.#timer === null) {
      this.#make();
      this.#timer = setInterval(() => this.#tellAll(), EVERY_MS);
    }
    this.#tell(socket);
  }

  #closed(socket: Socket<object>): void {
    this.#viewers.delete(socket);
    if (this.#viewers.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #make(): void {
    this.#newest = Buffer.from(this.#parts.status());
  }

  #tellAll(): void {
    this.#make();
    for (const socket of this.#viewers) this.#tell(socket);
  }

  /** Who has not read the last message gets none. */
  #tell(socket: Socket<object>): void {
    if (socket.getBufferedAmount() > 0) return;
    this.#parts.counters.bytesOut += this.#newest.length;
    socket.send(this.#newest, false);
  }
}
