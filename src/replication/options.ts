// Where executors and replicas meet: plain data, handed from main to the publisher. Read on both. Runs on main and publisher.

/** A NATS server with JetStream. */
export interface BusOptions {
  /** `nats:` or `tls:`; user and password, or a token, in it; behind the slash a chain id, where the server has several. */
  readonly url: string;
  /** Credentials file of NATS (`nsc`); `null`: none. */
  readonly credsFile: string | null;
  /** Authorities of the server's certificate, PEM; `null`: those of the system. */
  readonly caFile: string | null;
}
