// The door in front of uWebSockets.js, or that there is none: it needs Linux and a C++ compiler at the build. Runs on main.
import { LIMITS } from '../../limits/index.js';
import { nativePart } from '../../native/load.js';
import type { DoorPart } from '../../native/parts.js';

/** The bytes of a connection over TCP, of a WebSocket, of a Unix socket whose handshake for bare JSON is accepted at once. */
export const DOOR_MESSAGES = { tcp: 0, frames: 1, local: 2 } as const;

/** The door with the time that a turn may take. */
export interface Door extends Omit<DoorPart, 'open'> {
  readonly open: () => boolean;
}

const { part } = nativePart('door');

/** The door of this process. */
export const DOOR: Door | null = part === null ? null : { ...part, open: () => part.open(LIMITS.turnMsMax) };
