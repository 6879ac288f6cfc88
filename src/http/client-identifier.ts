// Identifies the client of a request. All connections of one client share the limits of that client.
import type { Caller } from '../rpc/answer/request-response-types.js';
import type { HttpRequest, HttpResponse, TextOrBytes } from './server-interface.js';
import { encodeLatin1 } from './encoded-heads.js';
import type { GuardParsedRequest } from './guard-parsed-request.js';

/** Maximum length of a client name in the proxy's header. An IPv6 address has at most 45 characters. */
const NAME_LENGTH_MAX = 64;
/** Client name for a connection that was reset, because the operating system no longer reports its address. */
const UNKNOWN = 'unknown';
/** Maximum number of cached client names. The cache is emptied when it is full. */
const NAMES_MAX = 4096;

/** Names clients by the header of the operator's proxy, or else by the address of the connection. */
export class ClientIdentifier {
  readonly #header: TextOrBytes | null;
  readonly #served: GuardParsedRequest | null;
  /** Cached client names, by the number that the HTTP guard has assigned to the client. */
  readonly #names = new Map<number, string>();

  /**
   * `header` is the name of the proxy's header, or `null` without a proxy. `served` is `null` if the HTTP guard is not
   * in use.
   */
  constructor(header: string | null, served: GuardParsedRequest | null) {
    this.#header = header === null ? null : encodeLatin1(header.toLowerCase());
    this.#served = served;
  }

  /** Returns the caller of a request. Must be called in the request's handler. */
  caller(response: HttpResponse, request: HttpRequest): HttpCaller {
    const name = this.#header === null ? null : firstElement(request.getHeader(this.#header));
    const number = this.#served?.client ?? 0;
    return new HttpCaller(response, name ?? this.#names.get(number) ?? null, number, this.#names);
  }
}

/** The caller of one HTTP request, who waits for its response. */
export class HttpCaller implements Caller {
  /** True if the client has disconnected; its queued jobs are then not started. */
  aborted = false;
  #client: string | null;
  #response: HttpResponse | null;
  readonly #number: number;
  readonly #names: Map<number, string>;

  /**
   * `client` is the client's name, or `null` if it is not known yet. In that case the name is made from the client's IP
   * address when it is needed, and cached in `names` under `number`, which the HTTP guard has assigned to the client (0
   * without a guard: not cached).
   */
  constructor(response: HttpResponse, client: string | null, number: number, names: Map<number, string>) {
    this.#response = response;
    this.#client = client;
    this.#number = number;
    this.#names = names;
  }

  /** The client's name, which is available until the response is sent. */
  get client(): string {
    return (this.#client ??= this.#response === null ? UNKNOWN : this.#nameOf(this.#response));
  }

  /** Must be called when the client has disconnected. The response must not be used afterwards. */
  abort(): void {
    this.aborted = true;
    this.#response = null;
  }

  /** Must be called when the response has been sent. The response must not be used afterwards. */
  end(): void {
    this.#response = null;
  }

  /**
   * Returns the client's name from its IP address. Reading the address takes a system call and two allocations: one
   * fifteenth of the main thread's time for an `eth_estimateGas`. So the name is cached.
   */
  #nameOf(response: HttpResponse): string {
    const name = clientNameOfAddress(new Uint8Array(response.getRemoteAddress()));
    if (this.#number === 0 || name === UNKNOWN) return name;
    if (this.#names.size >= NAMES_MAX) this.#names.clear();
    this.#names.set(this.#number, name);
    return name;
  }
}

/**
 * Returns the client name for an address of 4 or 16 bytes: the IPv4 address, or the 64-bit prefix of an IPv6 address,
 * because one client usually has all addresses of such a prefix.
 */
export function clientNameOfAddress(address: Uint8Array): string {
  if (address.length === 4) return dotted(address, 0);
  if (address.length !== 16) return UNKNOWN;
  if (isMappedIpv4(address)) return dotted(address, 12);
  return `${group(address, 0)}:${group(address, 2)}:${group(address, 4)}:${group(address, 6)}::/64`;
}

/** True if 16 bytes are an IPv4-mapped address, as dual-stack sockets report: ten zero bytes, then two 0xff. */
function isMappedIpv4(address: Uint8Array): boolean {
  for (let i = 0; i < 10; i++) if (address[i] !== 0) return false;
  return address[10] === 0xff && address[11] === 0xff;
}

/** Formats two bytes as one group of an IPv6 address. */
function group(address: Uint8Array, at: number): string {
  return ((address[at]! << 8) | address[at + 1]!).toString(16);
}

function dotted(address: Uint8Array, at: number): string {
  return `${address[at]}.${address[at + 1]}.${address[at + 2]}.${address[at + 3]}`;
}

/** Returns the first element of a comma-separated list, shortened if it is too long; `null` if the list is empty. */
function firstElement(value: string): string | null {
  const comma = value.indexOf(',');
  const element = (comma < 0 ? value : value.slice(0, comma)).trim().slice(0, NAME_LENGTH_MAX);
  return element === '' ? null : element;
}
