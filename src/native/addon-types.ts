// TypeScript types of the addon's parts. It has no code, so every thread may import it.
import type { BlsFunctions, NonBlsFunctions } from './precompiles/function-types.js';

/** The parts by name. Each is in the folder of that name. */
export interface AddonModules {
  readonly httpGuard: HttpGuardModule;
  readonly json: JsonModule;
  readonly precompiles: PrecompilesModule;
  readonly reads: PlainReadsModule;
  readonly secp256k1: Secp256k1Module;
  readonly wake: WakeModule;
}

/** The guard in front of uWebSockets.js; see http-guard/guard.h. */
export interface HttpGuardModule {
  /** Hooks into the uWebSockets.js that was loaded from that file. Returns false if that build is not supported. */
  readonly open: (options: HttpGuardOptions) => boolean;
  readonly counts: () => HttpGuardCounts;
  /** An array of one: the number of the client being served. A client is an address, of IPv6 a /64 network. */
  readonly servedClient: () => Uint32Array;
  /** For tests: returns what uWebSockets.js gets for each of these pieces of a connection's bytes. */
  readonly messages: (pieces: readonly Buffer[], kind: 0 | 1 | 2) => readonly (readonly Buffer[])[];
  /** For tests: what a bare-JSON client gets if the system accepts these numbers of bytes at a time. */
  readonly lines: (bytes: Buffer, rooms: readonly number[]) => Buffer;
  /** For tests: whether main polls in each of these gaps, nanoseconds from a response to the next request. */
  readonly spins: (gapsNs: readonly number[]) => readonly boolean[];
}

/** What the guard hooks into, and its limits. */
export interface HttpGuardOptions {
  /** Path of the uWebSockets.js binary. */
  readonly path: string;
  /** Processor time that the guard may use per event-loop tick. */
  readonly turnMs: number;
  /** Time for which a connection stays open between two requests. */
  readonly idleMs: number;
  /** Most bytes that are buffered for all connections together. */
  readonly buffersBytesMax: number;
}

export interface HttpGuardCounts {
  /** Most bytes that uWebSockets.js got at a time. At 512 KiB it would read again in the same tick. */
  readonly readBytesMax: number;
  /** Event-loop ticks that ended while connections were still waiting. */
  readonly fullTurns: number;
  /** Pauses in which no connection was accepted, because the process had no file descriptors left. */
  readonly acceptPauses: number;
  /** Bytes of memory that now wait to be passed on or sent. */
  readonly bufferBytes: number;
  /** Connections that were refused because all connections together would have buffered too much. */
  readonly bufferRefusals: number;
}

/** Decodes request bodies with simdjson, and converts long hexadecimal strings. */
export interface JsonModule {
  readonly create: (bodyBytesMax: number, depthMax: number, callsMax: number, idsMax: number) => NativeBodyDecoder;
  /** simdjson's name of the instruction set that it uses. */
  readonly simd: () => string;
  /** Writes two lower-case digits for each byte to the start of `digits`. */
  readonly hex: (bytes: Uint8Array, digits: Uint8Array) => void;
  /** Fills `bytes` from twice as many ASCII digits, upper or lower case; returns false if one is not a digit. */
  readonly unhex: (digits: Uint8Array, bytes: Uint8Array) => boolean;
  /** Parses plain parameters of a call; see src/rpc/params/native-call-parser.ts. */
  readonly readCall: (body: Uint8Array, offset: number, length: number, call: Uint8Array) => boolean;
  /** See `mmapLargeAllocations` in src/rpc/decode/mmap-large-allocations.ts. */
  readonly mapLargeBlocks: (bytes: number) => boolean;
  /** Makes the C library return memory that any thread has freed to the system. */
  readonly trimHeap: () => void;
}

/** A decoder with its own buffers. It returns 4 * count + body, or -1 for malformed JSON, or -n if it needs n rows. */
export type NativeBodyDecoder = (body: Uint8Array, rows: Uint32Array) => number;

/** The precompiles. The functions of BLS12-381 exist only if blst was available when the addon was built. */
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
  ) => NativePlainReader;
  /** The table layout for which it was compiled, by the names in plain-reads.ts. */
  readonly layout: () => Readonly<Record<string, number>>;
}

/** Returns the written bytes, 0 for no answer. `from`: 0 for a whole body, or a batch's call to start at. */
export type NativePlainReader = (body: ArrayBuffer | Uint8Array, from: number) => number;

/** libsecp256k1. */
export interface Secp256k1Module {
  /** Recovers up to 16 keys from hashes, parities, pairs of r and s: 65 bytes each with prefix, or zeros. */
  readonly recover: (hashes: Uint8Array, parities: Uint8Array, numbers: Uint8Array, keys: Uint8Array) => void;
}

/** Functions of the system for threads and files: sleeping and waking, processor time, file locks. */
export interface WakeModule {
  /** Sleeps while `words[at]` is `value`, for at most `ms` milliseconds. */
  readonly wait: (words: Int32Array, at: number, value: number, ms: number) => void;
  /** Wakes the thread that sleeps on that word, if there is one. */
  readonly wake: (words: Int32Array, at: number) => void;
  /** Processor time that this thread has used, milliseconds. */
  readonly cpuMs: () => number;
  /** Locks an open file; false if another process has locked it. Closing the file releases the lock. */
  readonly lockFile: (handle: number) => boolean;
}
