// The parts of the addon, as TypeScript sees them. Types alone; may be imported on every thread.
import type { BlsFunctions, GeneralFunctions } from './precompiles/functions.js';

/** Parts by their names; each lies in the folder of that name. */
export interface Parts {
  readonly httpGuard: HttpGuardPart;
  readonly json: JsonPart;
  readonly precompiles: PrecompilesPart;
  readonly reads: ReadsPart;
  readonly secp256k1: Secp256k1Part;
  readonly wake: WakePart;
}

/** The guard in front of uWebSockets.js; see http-guard/guard.h. */
export interface HttpGuardPart {
  /** Stands in front of the uWebSockets.js that was loaded from that file; false: it is another than is known here. */
  readonly open: (options: HttpGuardOptions) => boolean;
  readonly counts: () => HttpGuardCounts;
  /** One element: the number of the client whose request is being passed on, one for an address or the /64 of one. */
  readonly servedClient: () => Uint32Array;
  /** Answers for each piece of a connection's bytes what uWebSockets.js is given; for tests. */
  readonly messages: (pieces: readonly Buffer[], kind: 0 | 1 | 2) => readonly (readonly Buffer[])[];
  /** Answers what a client that speaks bare JSON is sent, where the system takes so many bytes at a time; for tests. */
  readonly lines: (bytes: Buffer, rooms: readonly number[]) => Buffer;
}

/** Where the guard stands, and its bounds. */
export interface HttpGuardOptions {
  /** The file of uWebSockets.js. */
  readonly path: string;
  /** Processor time of a turn of the event loop. */
  readonly turnMs: number;
  /** Silence between two requests for which a connection is kept open. */
  readonly idleMs: number;
  /** Bytes that all connections together may have kept. */
  readonly buffersBytesMax: number;
}

/** Counts of the guard. */
export interface HttpGuardCounts {
  /** The most bytes that uWebSockets.js was given at a time: it reads again in the same turn when that is 512 KiB. */
  readonly readBytesMax: number;
  /** Turns of the event loop that ended with connections waiting. */
  readonly fullTurns: number;
  /** Pauses in which no connection was accepted, as the process had no file descriptors left. */
  readonly acceptPauses: number;
  /** Memory of bytes that wait to be read on or sent, now. */
  readonly bufferBytes: number;
  /** Connections that were refused as all together would have kept too much. */
  readonly bufferRefusals: number;
}

/** Bodies of requests by simdjson, and long hexadecimal text. */
export interface JsonPart {
  readonly create: (bodyBytesMax: number, depthMax: number, callsMax: number, idsMax: number) => NativeDecoder;
  /** simdjson's name for the instruction set it runs on. */
  readonly simd: () => string;
  /** Fills the beginning of `digits` with two lower-case digits for each byte. */
  readonly hex: (bytes: Uint8Array, digits: Uint8Array) => void;
  /** Fills `bytes` from twice as many ASCII digits of either case; false when one is no digit. */
  readonly unhex: (digits: Uint8Array, bytes: Uint8Array) => boolean;
  /** Reads plain parameters of a call; see src/rpc/params/plain-call.ts. */
  readonly readCall: (body: Uint8Array, offset: number, length: number, call: Uint8Array) => boolean;
  /** See `mapLargeBlocks` in src/rpc/decode/large-blocks.ts. */
  readonly mapLargeBlocks: (bytes: number) => boolean;
  /** Has the C library give back what all threads have freed. */
  readonly trimHeap: () => void;
}

/** A decoder with buffers of its own. Answers 4 * count + body; -1: malformed; -n: needs n rows. */
export type NativeDecoder = (body: Uint8Array, rows: Uint32Array) => number;

/** The curve BLS12-381 is there where blst was when the addon was built. */
export type PrecompilesPart = GeneralFunctions & Partial<BlsFunctions>;

/** Plain reads, answered from a table. */
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
  /** The layout that it takes the table to have, by the names in plain-reads.ts. */
  readonly layout: () => Readonly<Record<string, number>>;
}

/** Bytes written; 0 where nothing is answered. `from`: 0 for a whole body, else where a run of calls begins in a batch. */
export type NativeAnswer = (body: ArrayBuffer | Uint8Array, from: number) => number;

/** libsecp256k1. */
export interface Secp256k1Part {
  /** Up to 16 hashes, parities, and pairs of r and s. Writes 65 bytes of each key, its prefix first; zeros where there is none. */
  readonly recover: (hashes: Uint8Array, parities: Uint8Array, numbers: Uint8Array, keys: Uint8Array) => void;
}

/** A thread sleeps until another one wakes it, and knows what it has worked. */
export interface WakePart {
  /** Sleeps while `words[at]` is `value`, `ms` milliseconds at most. */
  readonly wait: (words: Int32Array, at: number, value: number, ms: number) => void;
  /** Wakes the thread that sleeps there, if any. */
  readonly wake: (words: Int32Array, at: number) => void;
  /** Processor time that this thread has used, milliseconds. */
  readonly cpuMs: () => number;
}
