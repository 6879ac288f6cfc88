// TypeScript types of the native addon's parts. Contains no code, so every thread may import it.
import type { BlsFunctions, NonBlsFunctions } from './precompiles/function-types.js';

/** The parts of the addon by name. The sources of each are in the folder of that name. */
export interface AddonModules {
  readonly httpGuard: HttpGuardModule;
  readonly json: JsonModule;
  readonly precompiles: PrecompilesModule;
  readonly reads: PlainReadsModule;
  readonly secp256k1: Secp256k1Module;
  readonly wake: SystemCallsModule;
}

/** The guard between the operating system's sockets and uWebSockets.js; see http-guard/read-scheduler.h. */
export interface HttpGuardModule {
  /** Hooks into the uWebSockets.js binary at the path in `options`. Returns false if that build is not supported. */
  readonly open: (options: HttpGuardOptions) => boolean;
  readonly counts: () => HttpGuardCounts;
  /**
   * Returns an array of three numbers about the request whose handler is running, which the guard updates: its number
   * for the client (one IPv4 address or one IPv6 /64 network), and the start and end of the body in the receive buffer.
   * Start and end are 0 if the body is not complete, or if the head has fields that decide how the body is read; see
   * RequestHead::isPlain.
   */
  readonly served: () => Uint32Array;
  /** Returns the buffer into which uWebSockets.js reads; only after the first request has arrived. */
  readonly receiveBuffer: () => ArrayBuffer;
  /**
   * For tests: returns what uWebSockets.js gets when a connection's bytes arrive in these pieces. `kind`: 0 for a TCP
   * connection, 1 for one after a WebSocket handshake, 2 for a Unix socket.
   */
  readonly messages: (pieces: readonly Buffer[], kind: 0 | 1 | 2) => readonly (readonly Buffer[])[];
  /**
   * For tests: returns the JSON that a bare-JSON client gets for the WebSocket frames in `bytes` if each send to the
   * socket accepts as many bytes as the next number in `rooms`.
   */
  readonly lines: (bytes: Buffer, rooms: readonly number[]) => Buffer;
  /**
   * For tests: `gapsNs` are times from a response to the next request. Returns for each whether the main thread polls
   * during it.
   */
  readonly spins: (gapsNs: readonly number[]) => readonly boolean[];
}

/** The binary that the guard hooks into, and the guard's limits. */
export interface HttpGuardOptions {
  /** Path of the uWebSockets.js binary. */
  readonly path: string;
  /** Processor time in milliseconds that the guard may use per event-loop tick. */
  readonly turnMs: number;
  /** Milliseconds for which a connection stays open between two requests. */
  readonly idleMs: number;
  /** Largest number of bytes that may be buffered for all connections together. */
  readonly buffersBytesMax: number;
}

export interface HttpGuardCounts {
  /** Largest number of bytes that uWebSockets.js got in one read. At 512 KiB it would read again in the same tick. */
  readonly readBytesMax: number;
  /** Number of event-loop ticks that ended while connections were still waiting to be served. */
  readonly fullTurns: number;
  /** Number of pauses in which no connection was accepted, because the process had no file descriptors left. */
  readonly acceptPauses: number;
  /** Bytes that are buffered now, waiting to be passed on or sent. */
  readonly bufferBytes: number;
  /** Number of connections that were refused, because all connections together would have buffered too many bytes. */
  readonly bufferRefusals: number;
}

/** Decodes JSON-RPC request bodies with simdjson, and converts long hexadecimal strings. */
export interface JsonModule {
  readonly create: (bodyBytesMax: number, depthMax: number, callsMax: number, idsMax: number) => NativeBodyDecoder;
  /** Returns simdjson's name of the instruction set that it uses. */
  readonly simd: () => string;
  /** Writes two lower-case hex digits for each byte to the start of `digits`. */
  readonly hex: (bytes: Uint8Array, digits: Uint8Array) => void;
  /** Fills `bytes` from twice as many hex digits, upper or lower case; returns false if one is not a hex digit. */
  readonly unhex: (digits: Uint8Array, bytes: Uint8Array) => boolean;
  /** Parses the parameters of a simple eth_call; see src/rpc/params/native-call-parser.ts. */
  readonly readCall: (body: Uint8Array, offset: number, length: number, call: Uint8Array) => boolean;
  /** Makes glibc map large allocations separately; see release-memory.ts. */
  readonly mapLargeBlocks: (bytes: number) => boolean;
  /** Makes the C library return freed memory of all threads to the system. */
  readonly trimHeap: () => void;
}

/**
 * Decodes one body. Each decoder has its own buffers. Returns 4 * number of rows + BODY_KIND; -1 for malformed JSON; or
 * -n if `rows` is too small, because the body needs n rows (n > 1).
 */
export type NativeBodyDecoder = (body: Uint8Array, rows: Uint32Array) => number;

/**
 * Native precompiles. The functions of BLS12-381 exist only if the library blst was available when the addon was built.
 */
export type PrecompilesModule = NonBlsFunctions & Partial<BlsFunctions>;

export interface PlainReadsModule {
  readonly create: (
    words: Int32Array,
    out: Uint8Array,
    counts: Uint32Array,
    heads: Uint32Array,
    guarded: Uint32Array,
    geometry: Uint32Array,
    callsMax: number,
  ) => NativePlainReadAnswerer;
  /**
   * Returns the layout of the shared state table for which the addon was compiled, by the names in
   * native-plain-reads.ts.
   */
  readonly layout: () => Readonly<Record<string, number>>;
}

/**
 * Answers simple reads. Writes the response to `out` and returns its length in bytes; 0 if the addon cannot answer.
 * `from`: 0 for a whole body, or the offset of a call in a batch.
 */
export type NativePlainReadAnswerer = (body: Uint8Array, from: number) => number;

/** Functions of the library libsecp256k1. */
export interface Secp256k1Module {
  /**
   * Recovers up to 16 public keys from hashes, parities, and pairs of r and s. Writes 65 bytes per key, including the
   * prefix; zeros if invalid.
   */
  readonly recover: (hashes: Uint8Array, parities: Uint8Array, numbers: Uint8Array, keys: Uint8Array) => void;
}

/** System functions for threads and files: sleeping and waking, processor time, file locks. */
export interface SystemCallsModule {
  /** Sleeps while `words[at]` equals `value`, for at most `ms` milliseconds. */
  readonly wait: (words: Int32Array, at: number, value: number, ms: number) => void;
  /** Wakes the thread that sleeps on `words[at]`, if there is one. */
  readonly wake: (words: Int32Array, at: number) => void;
  /** Returns the processor time that this thread has used, in milliseconds. */
  readonly cpuMs: () => number;
  /** Locks an open file; returns false if another process has locked it. Closing the file releases the lock. */
  readonly lockFile: (handle: number) => boolean;
}
