// The client that asks: it shares budgets with itself, over whatever connections. Runs on main.
import type { Asker } from '../rpc/answer/answer.js';
import type { Request, Response, Text } from './app.js';
import { headerName } from './head.js';

/** Characters of a name that a proxy gives a client; an IPv6 address has at most 45. */
const NAME_LENGTH_MAX = 64;
/** All clients whose address the system does not tell: their connection is already reset. */
const UNKNOWN = 'unknown';

/** Names clients: by what the operator's proxy says in a header, else by the address of the connection. */
export class Clients {
  readonly #header: Text | null;

  /** `header`: the name of the proxy's header; `null` where no proxy stands in front. */
  constructor(header: string | null) {
    this.#header = header === null ? null : headerName(header.toLowerCase());
  }

  /** The asker of a request. To be called while the request is valid. */
  asker(response: Response, request: Request): HttpAsker {
    return new HttpAsker(response, this.#header === null ? null : firstElement(request.getHeader(this.#header)));
  }
}

/** The asker of an HTTP request, who waits for its answer. */
export class HttpAsker implements Asker {
  #aborted = false;
  #client: string | null;
  #response: Response | null;

  constructor(response: Response, client: string | null) {
    this.#response = response;
    this.#client = client;
  }

  /** True if the client has left; its jobs that have not begun are not run. */
  get aborted(): boolean {
    return this.#aborted;
  }

  /** Known until the answer is sent. The address is read when it is first asked for: that costs 0.8 us. */
  get client(): string {
    return (this.#client ??=
      this.#response === null ? UNKNOWN : clientOf(new Uint8Array(this.#response.getRemoteAddress())));
  }

  /** The client is gone, and with it the response. */
  abort(): void {
    this.#aborted = true;
    this.#response = null;
  }

  /** The response is about to be answered and not valid any more. */
  end(): void {
    this.#response = null;
  }
}

/**
 * The name of the client at an address of 4 or 16 bytes: an IPv4 address, or the 64-bit prefix of an IPv6 address, as
 * one client commonly has all addresses of such a prefix.
 */
export function clientOf(address: Uint8Array): string {
  if (address.length === 4) return dotted(address, 0);
  if (address.length !== 16) return UNKNOWN;
  if (isMappedIpv4(address)) return dotted(address, 12);
  return `${group(address, 0)}:${group(address, 2)}:${group(address, 4)}:${group(address, 6)}::/64`;
}

/** True if an address of 16 bytes is an IPv4 address on a socket of both: ten bytes 00, two bytes ff. */
function isMappedIpv4(address: Uint8Array): boolean {
  for (let i = 0; i < 10; i++) if (address[i] !== 0) return false;
  return address[10] === 0xff && address[11] === 0xff;
}

/** Two bytes as a group of an IPv6 address. */
function group(address: Uint8Array, at: number): string {
  return ((address[at]! << 8) | address[at + 1]!).toString(16);
}

function dotted(address: Uint8Array, at: number): string {
  return `${address[at]}.${address[at + 1]}.${address[at + 2]}.${address[at + 3]}`;
}

/** The first element of a comma-separated list, shortened; `null` where there is none. */
function firstElement(value: string): string | null {
  const comma = value.indexOf(',');
  const element = (comma < 0 ? value : value.slice(0, comma)).trim().slice(0, NAME_LENGTH_MAX);
  return element === '' ? null : element;
}
