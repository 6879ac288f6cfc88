// The connection to the NATS server. Connecting is retried until it succeeds, because the server may start later than
// this program.

// A server that cannot be reached is retried forever, so a replica also waits forever for an executor that publishes. A
// server that refuses ends the program. See DECISIONS.md.
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import {
  connect,
  credsAuthenticator,
  errors,
  type ConnectionOptions,
  type NatsConnection,
} from '@nats-io/transport-node';
import type { NatsOptions } from '../../feed/chain-source-options.js';
import { LIMITS } from '../../limits/index.js';
import { StartError } from '../../lib/start-error.js';
import { createRedactor, redactAddress, type Redactor } from '../../upstream/transport/redact-secrets.js';
import { ConnectionState } from './connection-state.js';

/** The clients of a server to which a connection was established. */
export interface ConnectedNatsServer {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  readonly stream: JetStreamClient;
}

/** JetStream's error code while a cluster has no elected leader yet. */
const NOT_YET = 10_008;
/** The NATS client's message if the connection was closed without a reason, for example by a proxy without a server. */
const ENDED = 'error connecting - node provided an undefined error';
/** Matches the codes of transient system errors: the server or the network is unreachable for a while. */
const AWAY = /^(ECONN(REFUSED|RESET|ABORTED)|E(HOST|NET)(UNREACH|DOWN)|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN)$/;

/** A connection that lasts until `close`. Once established, it reconnects by itself whenever it is lost. */
export class NatsServerConnection {
  /** Removes secrets from error messages of the server. */
  readonly redact: Redactor;
  /** The state of the connection: down until it is established for the first time. */
  readonly link = new ConnectionState(false);
  readonly #options: ConnectionOptions;
  #server: ConnectedNatsServer | null = null;
  #refusal: unknown = null;
  #isClosed = false;

  private constructor(options: NatsOptions) {
    this.redact = createRedactor(options.url);
    this.#options = connectionOptions(options);
  }

  /**
   * Tries to connect once. If the server is unreachable, keeps trying in the background and reports this to `progress`.
   * Rejects with `StartError` if a file cannot be read, or if the server refuses the login or the encryption, or has no
   * JetStream.
   */
  static async open(options: NatsOptions, progress: (text: string) => void): Promise<NatsServerConnection> {
    const opened = new NatsServerConnection(options);
    const reason = await opened.#try();
    if (reason === null) return opened;
    progress(`waiting for the NATS server at ${redactAddress(options.url)}: ${reason}`);
    opened.#reach().catch((refusal: unknown) => (opened.#refusal = refusal));
    return opened;
  }

  /** True while the connection is up. */
  get isUp(): boolean {
    return this.link.isUp && !this.isClosed;
  }

  get isClosed(): boolean {
    return this.#isClosed || (this.#server?.connection.isClosed() ?? false);
  }

  /**
   * The connection to the NATS server and its JetStream clients. Throws while the server has not been reached. Throws
   * `StartError` if the server has refused the connection.
   */
  get server(): ConnectedNatsServer {
    if (this.#refusal !== null) throw this.#refusal;
    if (this.#server === null) throw new Error('not connected');
    return this.#server;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#server?.connection.close();
  }

  async #reach(): Promise<void> {
    do await sleep(LIMITS.replicationRetryMs);
    while (!this.#isClosed && (await this.#try()) !== null);
    // `close` was called while the connection was being established.
    if (this.#isClosed) await this.close();
  }

  /**
   * Tries to connect. Resolves to `null` once connected, or to the reason why the server is unreachable for now.
   * Rejects with `StartError` if the server refuses the connection.
   */
  async #try(): Promise<string | null> {
    let connection: NatsConnection | null = null;
    try {
      connection = await connect(this.#options);
      const manager = await jetstreamManager(connection);
      const stream = jetstream(connection, { timeout: LIMITS.replicationAnswerMsMax });
      this.#server = { connection, manager, stream };
      void this.#watch(connection);
      this.link.set(true);
      return null;
    } catch (error) {
      await connection?.close();
      const reason = awayReason(error);
      if (reason !== null) return this.redact(reason);
      throw new StartError(`the NATS server cannot be used: ${this.redact((error as Error).message)}`, 1);
    }
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect' || type === 'reconnect') this.link.set(type === 'reconnect');
    }
  }
}

/**
 * Returns why the server is unreachable for now, if connecting is worth another attempt; `null` if the server refuses
 * the connection, so that only another configuration helps.
 */
function awayReason(error: unknown): string | null {
  const { message, code, cause } = error as Error & {
    readonly code?: unknown;
    readonly cause?: { readonly code?: unknown };
  };
  if (message === ENDED) return 'it ends the connection';
  const isAway =
    error instanceof errors.TimeoutError ||
    code === NOT_YET ||
    [code, cause?.code].some((each) => AWAY.test(String(each)));
  return isAway ? message : null;
}

function connectionOptions({ url, credsFile, caFile }: NatsOptions): ConnectionOptions {
  const { protocol, host, hostname, username, password } = new URL(url);
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
  const login = pass === '' ? { token: user } : { user, pass };
  const authority = caFile === null ? {} : { ca: fileOf(caFile).toString() };
  // If a server is addressed by IP, the client would otherwise expect `localhost` in its certificate.
  const address = hostname.replace(/^\[|\]$/g, '');
  const checked = isIP(address) === 0 ? {} : { host: address };
  return {
    servers: [host],
    name: 'prestate',
    maxReconnectAttempts: -1,
    reconnectTimeWait: LIMITS.replicationRetryMs,
    pingInterval: LIMITS.replicationPingMs,
    maxPingOut: 2,
    timeout: LIMITS.replicationAnswerMsMax,
    ...(user === '' ? {} : login),
    ...(credsFile === null ? {} : { authenticator: credsAuthenticator(fileOf(credsFile)) }),
    ...(caFile === null && protocol !== 'tls:' ? {} : { tls: { ...authority, ...checked } }),
  };
}

function fileOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${(error as Error).message}`, 2);
  }
}
