// TypeScript types of the addon's parts. Types only; may be imported on every thread.
import type { BlsFunctions, GeneralFunctions } from './precompiles/functions.js';

/** Parts by name; each is in the folder of that name. */
export interface AddonModules {
  readonly httpGuard: HttpGuardModule;
  readonly json: JsonModule;
  readonly precompiles: PrecompilesModule;
  readonly reads: ReadsPart;
  readonly secp256k1: Secp256k1Module;
  readonly wake: WakeModule;
}

/** The guard before uWebSockets.js; see http-guard/guard.h. */
export interface HttpGuardModule {
  /** Hooks into the uWebSockets.js that was loaded from that file; false if it is an unsupported build. */
  readonly open: (options: HttpGuardOptions) => boolean;
  readonly counts: () => HttpGuardCounts;
  /**
   * One element: the number of the client whose request is being passed on; a client is an address, or the /64 of an
   * IPv6 one.
   */
  readonly servedClient: () => Uint32Array;
  /** Returns what uWebSockets.js gets for each piece of a connection's bytes; for tests. */
  readonly messages: (pieces: readonly Buffer[], kind: 0 | 1 | 2) => readonly (readonly Buffer[])[];
  /** Returns what a client that speaks bare JSON gets, if the system accepts so many bytes at a time; for tests. */
  readonly lines: (bytes: Buffer, rooms: readonly number[]) => Buffer;
  /**
   * Returns whether main polls in each of these gaps, in nanoseconds, from a response to the next request; for tests.
   */
  readonly spins: (gapsNs: readonly number[]) => readonly boolean[];
}

/** What the guard hooks into, and its bounds. */
export interface HttpGuardOptions {
  /** The file of uWebSockets.js. */
  readonly path: string;
  /** Processor time per event-loop tick. */
  readonly turnMs: number;
  /** Idle time between two requests for which a connection is kept open. */
  readonly idleMs: number;
  /** Most bytes buffered for all connections together. */
  readonly buffersBytesMax: number;
}

/** Counts of the guard. */
export interface HttpGuardCounts {
  /** Most bytes that uWebSockets.js got at a time: it reads again in the same tick when that is 512 KiB. */
  readonly readBytesMax: number;
  /** Event-loop ticks that ended with connections waiting. */
  readonly fullTurns: number;
  /** Pauses in which no connection was accepted, as the process had no file descriptors left. */
  readonly acceptPauses: number;
  /** Current memory of bytes that wait to be passed on or sent. */
  readonly bufferBytes: number;
  /** Connections that were refused because all together would have buffered too much. */
  readonly bufferRefusals: number;
}

/** Decoding of request bodies by simdjson, and of long hexadecimal strings. */
export interface JsonModule {
  readonly create: (bodyBytesMax: number, depthMax: number, callsMax: number, idsMax: number) => NativeDecoder;
  /** simdjson's name for the instruction set it runs on. */
  readonly simd: () => string;
  /** Writes two lower-case digits for each byte to the beginning of `digits`. */
  readonly hex: (bytes: Uint8Array, digits: Uint8Array) => void;
  /** Fills `bytes` from twice as many ASCII digits of either case; false if one is not a digit. */
  readonly unhex: (digits: Uint8Array, bytes: Uint8Array) => boolean;
  /** Parses plain parameters of a call; see src/rpc/params/plain-call.ts. */
  readonly readCall: (body: Uint8Array, offset: number, length: number, call: Uint8Array) => boolean;
  /** See `mapLargeBlocks` in src/rpc/decode/large-blocks.ts. */
  readonly mapLargeBlocks: (bytes: number) => boolean;
  /** Makes the C library return freed memory of all threads to the system. */
  readonly trimHeap: () => void;
}

/** A decoder with its own buffers. Returns 4 * count + body; -1: malformed; -n: needs n rows. */
export type NativeDecoder = (body: Uint8Array, rows: Uint32Array) => number;

/** The functions of BLS12-381 exist if blst was available when the addon was built. */
export type PrecompilesModule = GeneralFunctions & Partial<BlsFunctions>;

/** Plain reads, answered from the shared table. */
export interface ReadsPart {
  readonly create: (
    words: Int32Array,
    out: Uint8Array,
    counts: Uint32Array,
    heads: Uint32Array,
    guarded: Uint32Array,
    geometry: Uint32Array,
    callsMax: number,
  ) => NativeAnswer;
  /** The table layout that it was compiled for, by the names in plain-reads.ts. */
  readonly layout: () => Readonly<Record<string, number>>;
}

/**
 * Bytes written; 0 if nothing is answered. `from`: 0 for a whole body, else the offset of a run of calls in a batch.
 */
export type NativeAnswer = (body: ArrayBuffer | Uint8Array, from: number) => number;

/** libsecp256k1. */
export interface Secp256k1Module {
  /**
   * Up to 16 hashes, parities, and pairs of r and s. Writes 65 bytes for each key, its prefix first; zeros if there is
   * no key.
   */
  readonly recover: (hashes: Uint8Array, parities: Uint8Array, numbers: Uint8Array, keys: Uint8Array) => void;
}

/** What the system does for threads and files: sleeps and wakes, processor time, locks. */
export interface WakeModule {
  /** Sleeps while `words[at]` is `value`, `ms` milliseconds at most. */
  readonly wait: (words: Int32Array, at: number, value: number, ms: number) => void;
  /** Wakes the thread that sleeps there, if any. */
  readonly wake: (words: Int32Array, at: number) => void;
  /** Processor time that this thread has used, milliseconds. */
  readonly cpuMs: () => number;
  /** Locks an open file; false where another process has it. The system undoes that when the file is closed. */
  readonly lockFile: (handle: number) => boolean;
}
