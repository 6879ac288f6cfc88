// The door in front of uWebSockets.js, or that there is none: it needs Linux and a C++ compiler at the build. Runs on main.
import { createRequire } from 'node:module';
import { LIMITS } from '../../limits.js';

/** What has happened at the door. */
export interface DoorCounts {
  /** The most bytes that uWebSockets.js was given at a time: it reads again in the same turn when that is 512 KiB. */
  readonly readBytesMax: number;
  /** Turns of the event loop that ended with connections waiting. */
  readonly fullTurns: number;
  /** Pauses in which no connection was accepted, as the process had no file descriptors left. */
  readonly acceptPauses: number;
}

/** The bytes of a connection over TCP, of a WebSocket, of a Unix socket whose handshake for bare JSON is accepted at once. */
export const DOOR_MESSAGES = { tcp: 0, frames: 1, local: 2 } as const;

type DoorMessages = (typeof DOOR_MESSAGES)[keyof typeof DOOR_MESSAGES];

/** See door.h. */
export interface Door {
  /** Stands in front of the uWebSockets.js that is loaded; false: it is another than is known here. */
  readonly open: () => boolean;
  readonly counts: () => DoorCounts;
  /** Answers for each piece of a connection's bytes what uWebSockets.js is given; for tests. */
  readonly messages: (pieces: readonly Buffer[], kind: DoorMessages) => readonly (readonly Buffer[])[];
  /** Answers what a client that speaks bare JSON is sent, where the system takes so many bytes at a time; for tests. */
  readonly lines: (bytes: Buffer, rooms: readonly number[]) => Buffer;
}

interface Addon extends Omit<Door, 'open'> {
  readonly open: (budgetMs: number) => boolean;
}

/** The door of this process. */
export const DOOR: Door | null = load();

function load(): Door | null {
  try {
    const addon = createRequire(import.meta.url)('./door.node') as Addon;
    return { ...addon, open: () => addon.open(LIMITS.turnMsMax) };
  } catch {
    return null;
  }
}
