// The route WebSocket /: the same service as POST /, over text messages.
import { rpcError } from '../../rpc-errors.js';
import { ChunkedBuffer, releaseChunks } from '../../lib/bytes/chunked-buffer.js';
import { encodeErrorWithoutId } from '../../rpc/answer/answer-writer.js';
import type { EncodedRpcResponse, Caller, Subscriber } from '../../rpc/answer/request-response-types.js';
import type { HttpLimits } from '../../limits/http.js';
import type { HttpRequest, HttpResponse, WebSocketConnection, WebSocketBehavior } from '../server-interface.js';
import { encodeLatin1 } from '../encoded-heads.js';
import type { RouteDeps } from './route-deps.js';
import { createJsonResponse, createTextResponse } from '../answers/responder.js';
import { TotalAndClientLimit } from '../../fairness/total-and-client-limit.js';
import type { ConnectionBacklog, WriteBacklogLimiter } from '../answers/write-backlog.js';

const KEY = encodeLatin1('sec-websocket-key');
const PROTOCOL = encodeLatin1('sec-websocket-protocol');
const EXTENSIONS = encodeLatin1('sec-websocket-extensions');

/**
 * WebSocket subprotocol of connections whose bare JSON the guard translates to WebSocket frames. On these, an empty
 * message marks the end of the input; see native/http-guard/bare-json-to-websocket.h.
 */
const VALUES_PROTOCOL = 'values';

/** WebSocket close codes (RFC 6455). */
const NORMAL = 1000;
const GOING_AWAY = 1001;
const INTERNAL_ERROR = 1011;
const TRY_AGAIN_LATER = 1013;

const ORIGIN_NOT_ALLOWED = createTextResponse(403, 'origin not allowed');
/**
 * Response to a WebSocket handshake when too many WebSockets are open. It is JSON, because a client that sends JSON
 * without HTTP gets it as well; see native/http-guard/websocket-to-json-lines.h.
 */
const TOO_MANY = createJsonResponse(
  503,
  `${encodeErrorWithoutId(rpcError('overload', 'too many connections')).toString()}\n`,
  [['Retry-After', '1']],
);

interface WebSocketRouteDeps extends RouteDeps {
  /** Counts the response bytes that are buffered for slow readers. */
  readonly unsent: WriteBacklogLimiter;
  /** Called when the send buffer of a connection is empty again, and when a connection is closed. */
  readonly subscriptions: SubscriberEvents;
}

/** Functions that are called for connections that may have subscriptions. */
export interface SubscriberEvents {
  drained(subscriber: Subscriber): void;
  closeAll(subscriber: Subscriber): void;
}

/** The caller of one WebSocket connection, which waits for responses and receives notifications. */
interface SocketCaller extends Caller {
  /** True once the client has disconnected. Its queued jobs are then not started. */
  aborted: boolean;
  readonly client: string;
  /** Sends notifications to the connection. Set when the connection opens. */
  subscriber?: Subscriber;
}

interface Connection {
  readonly caller: SocketCaller;
  readonly isLarge: boolean;
  /** True if an empty message marks the end of the connection's input. */
  readonly hasLast: boolean;
  /** True after the end of the input. The connection is closed when every response is sent. */
  isEnding: boolean;
  /** Number of messages that are not answered yet. */
  unanswered: number;
  /** Bytes that are buffered for this connection. Set when the connection opens. */
  backlog: ConnectionBacklog | null;
}

/**
 * The WebSocket routes: handle the events of all connections, and track which connections are open.
 *
 * uWebSockets.js buffers a message until it is complete, without reporting how much it buffers. So this memory is
 * bounded by the largest message that each connection may send. The first few connections are large: they may send
 * messages as large as an HTTP body. All others may send only small messages. The price: a client that connects when
 * there are already enough large connections is disconnected if it sends a large message, and must use POST for it.
 */
export class WebSocketRoute {
  readonly #options: HttpLimits;
  readonly #deps: WebSocketRouteDeps;
  readonly #open = new Set<WebSocketConnection<Connection>>();
  readonly #sockets: TotalAndClientLimit;
  readonly #largeSockets: TotalAndClientLimit;

  constructor(options: HttpLimits, deps: WebSocketRouteDeps) {
    this.#options = options;
    this.#deps = deps;
    const { ledger } = deps;
    const { socketsMax, socketsPerClientMax, largeSocketsMax, largeSocketsPerClientMax } = options;
    this.#sockets = new TotalAndClientLimit(ledger, 'sockets', socketsMax, socketsPerClientMax);
    this.#largeSockets = new TotalAndClientLimit(ledger, 'largeSockets', largeSocketsMax, largeSocketsPerClientMax);
  }

  /** Number of open connections, large and small. */
  get openCount(): number {
    return this.#open.size;
  }

  /**
   * Returns the behaviour for the path `/`. Connections above `largeSocketsMax` or `largeSocketsPerClientMax` are left
   * to `smallBehavior`.
   */
  largeBehavior(): WebSocketBehavior<Connection> {
    return this.#behavior(this.#options.bodyBytesMax, (response, request, context) => {
      const { client } = this.#deps.clients.caller(response, request);
      if (this.#largeSockets.allows(client, 1)) this.#upgrade(response, request, context, true);
      else request.setYield(true);
    });
  }

  /**
   * Returns the behaviour for the other connections to the path `/`, with the lower message limit. It must be added for
   * every path (`/*`), because uWebSockets.js accepts only one behaviour for `/`. Paths other than `/` are left to the
   * next route.
   */
  smallBehavior(): WebSocketBehavior<Connection> {
    const bytesMax = Math.min(this.#options.smallMessageBytesMax, this.#options.bodyBytesMax);
    return this.#behavior(bytesMax, (response, request, context) => {
      if (request.getUrl() === '/') this.#upgrade(response, request, context, false);
      else request.setYield(true);
    });
  }

  /** Sends every client a close frame which says that the service stops. */
  closeAll(): void {
    for (const socket of this.#open) socket.end(GOING_AWAY, 'service stops');
  }

  #behavior(messageBytesMax: number, upgrade: WebSocketBehavior<Connection>['upgrade']): WebSocketBehavior<Connection> {
    return {
      maxPayloadLength: messageBytesMax,
      // 0 means no limit: `unsent` bounds the backlog, and closes connections whose clients do not read.
      maxBackpressure: 0,
      idleTimeout: this.#options.socketIdleSMax,
      upgrade,
      open: (socket) => this.#opened(socket),
      message: (socket, message) => this.#message(socket, new Uint8Array(message)),
      drain: (socket) => this.#drained(socket),
      close: (socket) => this.#closed(socket),
    };
  }

  #upgrade(response: HttpResponse, request: HttpRequest, context: object, isLarge: boolean): void {
    const { clients, cors, responder } = this.#deps;
    const { client } = clients.caller(response, request);
    if (!cors.allowsUnasked(request)) responder.page(response, ORIGIN_NOT_ALLOWED);
    else if (!this.#sockets.take(client, 1)) responder.page(response, TOO_MANY, null, true);
    else {
      if (isLarge) this.#largeSockets.take(client, 1);
      const [key, protocol] = [request.getHeader(KEY), request.getHeader(PROTOCOL)];
      const hasLast = protocol === VALUES_PROTOCOL;
      const connection: Connection = {
        caller: { aborted: false, client, load: { calls: 0 } },
        isLarge,
        hasLast,
        isEnding: false,
        unanswered: 0,
        backlog: null,
      };
      response.upgrade(connection, key, protocol, request.getHeader(EXTENSIONS), context);
    }
  }

  #opened(socket: WebSocketConnection<Connection>): void {
    const connection = socket.getUserData();
    connection.backlog = this.#deps.unsent.open(connection.caller.client, () => socket.close());
    connection.caller.subscriber = this.#subscriberOf(socket);
    this.#open.add(socket);
  }

  #subscriberOf(socket: WebSocketConnection<Connection>): Subscriber {
    const { caller } = socket.getUserData();
    return {
      client: caller.client,
      push: (message, isDue = false) => {
        if (caller.aborted) return true;
        if (!isDue && socket.getBufferedAmount() > this.#options.pushBacklogBytesMax) return false;
        this.#sendBytes(socket, message);
        return true;
      },
      drop: (reason) => {
        if (!caller.aborted) socket.end(TRY_AGAIN_LATER, reason);
      },
    };
  }

  #drained(socket: WebSocketConnection<Connection>): void {
    this.#account(socket);
    const { aborted, subscriber } = socket.getUserData().caller;
    if (!aborted && socket.getBufferedAmount() === 0) this.#deps.subscriptions.drained(subscriber!);
    this.#endOnceDone(socket);
  }

  #message(socket: WebSocketConnection<Connection>, message: Uint8Array): void {
    const { counters, service } = this.#deps;
    const connection = socket.getUserData();
    if (connection.hasLast && message.length === 0) {
      connection.isEnding = true;
      return this.#endOnceDone(socket);
    }
    counters.socketMessages++;
    counters.bytesIn += message.length;
    let answer: EncodedRpcResponse | Promise<EncodedRpcResponse>;
    try {
      answer = service.answer(message, connection.caller);
    } catch (error) {
      this.#fail(socket, error);
      return;
    }
    if (answer instanceof Promise) void this.#sendLater(socket, answer);
    else this.#send(socket, answer);
  }

  async #sendLater(socket: WebSocketConnection<Connection>, answer: Promise<EncodedRpcResponse>): Promise<void> {
    const { inFlight } = this.#deps;
    const connection = socket.getUserData();
    const { caller } = connection;
    connection.unanswered++;
    inFlight.enter();
    try {
      const ready = await answer;
      if (!caller.aborted) this.#send(socket, ready);
      releaseChunks(ready.bytes);
    } catch (error) {
      if (!caller.aborted) this.#fail(socket, error);
    } finally {
      inFlight.leave();
      connection.unanswered--;
      if (!caller.aborted) this.#endOnceDone(socket);
    }
  }

  #endOnceDone(socket: WebSocketConnection<Connection>): void {
    const { caller, isEnding, unanswered } = socket.getUserData();
    if (isEnding && !caller.aborted && unanswered === 0 && socket.getBufferedAmount() === 0) socket.end(NORMAL, '');
  }

  /** Sends a response as one text message, or nothing if it is empty. */
  #send(socket: WebSocketConnection<Connection>, answer: EncodedRpcResponse): void {
    const { bytes } = answer;
    if (bytes.length > 0) this.#sendBytes(socket, bytes instanceof ChunkedBuffer ? bytes.toBytes() : bytes);
    answer.timing?.finish();
  }

  #sendBytes(socket: WebSocketConnection<Connection>, bytes: Uint8Array): void {
    this.#deps.counters.bytesOut += bytes.length;
    // The buffered bytes are counted before and after the send. If they were counted only afterwards, the bytes that
    // the client has read since the last send would cancel out the new bytes, and the client would seem to read
    // nothing.
    this.#account(socket);
    if (socket.getUserData().caller.aborted) return;
    socket.send(bytes, false);
    this.#account(socket);
  }

  /**
   * Updates the connection's number of buffered bytes. If a limit is exceeded, this may close the connection or a
   * slower one.
   */
  #account(socket: WebSocketConnection<Connection>): void {
    const { backlog } = socket.getUserData();
    if (backlog !== null) this.#deps.unsent.set(backlog, socket.getBufferedAmount());
  }

  #fail(socket: WebSocketConnection<Connection>, error: unknown): void {
    this.#deps.fault(error);
    socket.end(INTERNAL_ERROR, 'internal error');
  }

  #closed(socket: WebSocketConnection<Connection>): void {
    const { caller, isLarge, backlog } = socket.getUserData();
    caller.aborted = true;
    this.#deps.subscriptions.closeAll(caller.subscriber!);
    this.#open.delete(socket);
    this.#sockets.release(caller.client, 1);
    if (isLarge) this.#largeSockets.release(caller.client, 1);
    if (backlog !== null) this.#deps.unsent.set(backlog, 0);
  }
}
