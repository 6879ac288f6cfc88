// Identifies the client of a request: all its connections share its budgets.
import type { Caller } from '../rpc/answer/response.js';
import type { HttpRequest, HttpResponse, Text } from './app.js';
import { headerName } from './head.js';

/** Longest client name accepted from the proxy's header; an IPv6 address has at most 45 characters. */
const NAME_LENGTH_MAX = 64;
/** Clients whose address the system no longer knows, because the connection is already reset. */
const UNKNOWN = 'unknown';
/** Client names cached by client number. */
const NAMES_MAX = 4096;
const NO_NUMBER = new Uint32Array(1);

/** Names clients: by the header of the operator's proxy, else by the address of the connection. */
export class Clients {
  readonly #header: Text | null;
  readonly #served: Uint32Array;
  /** Client names by the client numbers of the backend. */
  readonly #names = new Map<number, string>();

  /** `header`: the name of the proxy's header, `null` without a proxy. `served`: see `Backend.servedClient`. */
  constructor(header: string | null, served: Uint32Array | null) {
    this.#header = header === null ? null : headerName(header.toLowerCase());
    this.#served = served ?? NO_NUMBER;
  }

  /** The caller of a request. Call this in the request's handler. */
  caller(response: HttpResponse, request: HttpRequest): HttpCaller {
    const name = this.#header === null ? null : firstElement(request.getHeader(this.#header));
    return new HttpCaller(response, name ?? this.#names.get(this.#served[0]!) ?? null, this.#served[0]!, this.#names);
  }
}

/** The caller of an HTTP request, who waits for the response. */
export class HttpCaller implements Caller {
  #aborted = false;
  #client: string | null;
  #response: HttpResponse | null;
  readonly #number: number;
  readonly #names: Map<number, string>;

  /**
   * `client`: the name if it is known; otherwise it is found when first needed and cached in `names` under `number`,
   * unless that is 0.
   */
  constructor(response: HttpResponse, client: string | null, number: number, names: Map<number, string>) {
    this.#response = response;
    this.#client = client;
    this.#number = number;
    this.#names = names;
  }

  /** True if the client has left; its queued jobs are then not started. */
  get aborted(): boolean {
    return this.#aborted;
  }

  /** Available until the response is sent. */
  get client(): string {
    return (this.#client ??= this.#response === null ? UNKNOWN : this.#nameOf(this.#response));
  }

  /** The client has left; the response is no longer valid. */
  abort(): void {
    this.#aborted = true;
    this.#response = null;
  }

  /** The response is about to be sent and is no longer valid afterwards. */
  end(): void {
    this.#response = null;
  }

  /**
   * Reads the peer address: a system call, a new buffer and a new string, together one fifteenth of main's time for an
   * estimate.
   */
  #nameOf(response: HttpResponse): string {
    const name = clientOf(new Uint8Array(response.getRemoteAddress()));
    if (this.#number === 0 || name === UNKNOWN) return name;
    if (this.#names.size >= NAMES_MAX) this.#names.clear();
    this.#names.set(this.#number, name);
    return name;
  }
}

/**
 * The client name of an address of 4 or 16 bytes: the IPv4 address, or the 64-bit prefix of an IPv6 address, since a
 * client usually has all addresses of such a prefix.
 */
export function clientOf(address: Uint8Array): string {
  if (address.length === 4) return dotted(address, 0);
  if (address.length !== 16) return UNKNOWN;
  if (isMappedIpv4(address)) return dotted(address, 12);
  return `${group(address, 0)}:${group(address, 2)}:${group(address, 4)}:${group(address, 6)}::/64`;
}

/**
 * True if an address of 16 bytes is an IPv4-mapped address, as a dual-stack socket reports it: ten bytes 00, two bytes
 * ff.
 */
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

/** The first element of a comma-separated list, truncated; `null` if there is none. */
function firstElement(value: string): string | null {
  const comma = value.indexOf(',');
  const element = (comma < 0 ? value : value.slice(0, comma)).trim().slice(0, NAME_LENGTH_MAX);
  return element === '' ? null : element;
}
