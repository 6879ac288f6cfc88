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

/** See door.h. */
export interface Door {
  /** Stands in front of the uWebSockets.js that is loaded; false: it is another than is known here. */
  readonly open: () => boolean;
  readonly counts: () => DoorCounts;
  /** Answers for each piece of a connection's bytes, of a WebSocket's or before, what uWebSockets.js is given; for tests. */
  readonly messages: (pieces: readonly Buffer[], isUpgraded: boolean) => readonly (readonly Buffer[])[];
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
