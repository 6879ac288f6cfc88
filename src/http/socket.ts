// WebSocket /: the same service over text frames. Runs on main.
import type { Answer, RpcService } from '../rpc/answer.js';
import { Budget } from './budget.js';
import type { Cors } from './cors.js';
import { headerName } from './door.js';
import type { Request, Response, Socket, SocketBehavior } from './door.js';
import type { Flight } from './flight.js';
import { textPage } from './responder.js';
import type { Responder } from './responder.js';
import type { Traffic } from './traffic.js';

const KEY = headerName('sec-websocket-key');
const PROTOCOL = headerName('sec-websocket-protocol');
const EXTENSIONS = headerName('sec-websocket-extensions');

/** RFC 6455 close codes. */
const GOING_AWAY = 1001;
const POLICY_VIOLATION = 1008;
const INTERNAL_ERROR = 1011;

const FOREIGN_ORIGIN = textPage(403, 'origin not allowed');
const TOO_MANY = textPage(503, 'too many connections', [['Retry-After', '1']]);

export interface SocketOptions {
  readonly messageBytesMax: number;
  /** Bytes one client may leave unread when it sends its next message. */
  readonly backlogBytesMax: number;
  /** Time such a client then has to read what waits for it, and why it is closed. */
  readonly graceMsMax: number;
  readonly socketsMax: number;
  readonly idleSMax: number;
}

export interface SocketParts {
  readonly service: RpcService;
  readonly responder: Responder;
  readonly cors: Cors;
  readonly flight: Flight;
  readonly traffic: Traffic;
  /** Bytes of answers that wait for slow readers. */
  readonly unsent: Budget;
  readonly fault: (error: unknown) => void;
}

/** What is known of one connection. */
interface Client {
  /** Told to jobs that have not begun when the client is gone. */
  readonly asker: { aborted: boolean };
  /** Bytes accounted in the budget of what is unsent. */
  backlogBytes: number;
  /** Set for a client that is no longer served because it does not read. */
  grace: NodeJS.Timeout | null;
}

/** The route: behaviour of every connection, and the set of those that are open. */
export class SocketRoute {
  readonly #options: SocketOptions;
  readonly #parts: SocketParts;
  readonly #open = new Set<Socket<Client>>();

  constructor(options: SocketOptions, parts: SocketParts) {
    this.#options = options;
    this.#parts = parts;
  }

  get openCount(): number {
    return this.#open.size;
  }

  behavior(): SocketBehavior<Client> {
    return {
      maxPayloadLength: this.#options.messageBytesMax,
      maxBackpressure: this.#options.backlogBytesMax,
      closeOnBackpressureLimit: 1,
      idleTimeout: this.#options.idleSMax,
      upgrade: (response, request, context) => this.#upgrade(response, request, context),
      open: (socket) => this.#open.add(socket),
      message: (socket, message) => this.#message(socket, new Uint8Array(message)),
      drain: (socket) => this.#drained(socket),
      close: (socket) => this.#closed(socket),
    };
  }

  /** Tells every client that the service stops. */
  closeAll(): void {
    for (const socket of this.#open) socket.end(GOING_AWAY, 'service stops');
  }

  #upgrade(response: Response, request: Request, context: object): void {
    const { cors, responder } = this.#parts;
    if (!cors.allowsSocket(request)) responder.page(response, FOREIGN_ORIGIN);
    else if (this.#open.size >= this.#options.socketsMax) responder.page(response, TOO_MANY);
    else {
      const client: Client = { asker: { aborted: false }, backlogBytes: 0, grace: null };
      const [key, protocol] = [request.getHeader(KEY), request.getHeader(PROTOCOL)];
      response.upgrade(client, key, protocol, request.getHeader(EXTENSIONS), context);
    }
  }

  #message(socket: Socket<Client>, message: Uint8Array): void {
    const { traffic, service } = this.#parts;
    traffic.socketMessages++;
    traffic.bytesIn += message.length;
    if (!this.#reads(socket)) return;
    let answer: Answer | Promise<Answer>;
    try {
      answer = service.answer(message, socket.getUserData().asker);
    } catch (error) {
      this.#fail(socket, error);
      return;
    }
    if (answer instanceof Promise) this.#sendLater(socket, answer);
    else this.#send(socket, answer);
  }

  #sendLater(socket: Socket<Client>, answer: Promise<Answer>): void {
    const { flight } = this.#parts;
    const client = socket.getUserData();
    const settle = (act: () => void): void => {
      flight.leave();
      if (!client.asker.aborted) act();
    };
    flight.enter();
    answer.then(
      (ready) => settle(() => this.#send(socket, ready)),
      (error: unknown) => settle(() => this.#fail(socket, error)),
    );
  }

  /** Sends an answer as one text frame; nothing where there is nothing to say. */
  #send(socket: Socket<Client>, answer: Answer): void {
    if (answer.bytes.length === 0 || !this.#reads(socket)) return;
    this.#parts.traffic.bytesOut += answer.bytes.length;
    socket.send(answer.bytes, false);
    if (!this.#account(socket)) this.#drop(socket);
  }

  /** Whether the client reads what it is sent; one that does not is served no more. */
  #reads(socket: Socket<Client>): boolean {
    const client = socket.getUserData();
    if (client.grace !== null) return false;
    if (socket.getBufferedAmount() <= this.#options.backlogBytesMax) return true;
    client.grace = setTimeout(() => this.#drop(socket), this.#options.graceMsMax);
    return false;
  }

  /** The close frame of a client that was too slow goes out behind what waited: sooner it would tear a frame. */
  #drained(socket: Socket<Client>): void {
    this.#account(socket);
    if (socket.getUserData().grace === null || socket.getBufferedAmount() > 0) return;
    this.#parts.traffic.socketsTooSlow++;
    socket.end(POLICY_VIOLATION, 'answers are not read');
  }

  /** Closes at once, with what waits. */
  #drop(socket: Socket<Client>): void {
    this.#parts.traffic.socketsTooSlow++;
    socket.close();
  }

  /** Brings the budget up to date with the connection's backlog; false when the budget does not allow it. */
  #account(socket: Socket<Client>): boolean {
    const { unsent } = this.#parts;
    const client = socket.getUserData();
    unsent.give(client.backlogBytes);
    const backlogBytes = client.asker.aborted ? 0 : socket.getBufferedAmount();
    const isWithin = unsent.take(backlogBytes);
    client.backlogBytes = isWithin ? backlogBytes : 0;
    return isWithin;
  }

  #fail(socket: Socket<Client>, error: unknown): void {
    this.#parts.fault(error);
    socket.end(INTERNAL_ERROR, 'internal error');
  }

  #closed(socket: Socket<Client>): void {
    const client = socket.getUserData();
    client.asker.aborted = true;
    if (client.grace !== null) clearTimeout(client.grace);
    this.#open.delete(socket);
    this.#parts.unsent.give(client.backlogBytes);
    client.backlogBytes = 0;
  }
}
