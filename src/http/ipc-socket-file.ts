// The file of the Unix socket (`--ipc`). It replaces the file that an ended process has left, can be used only by its
// owner, and is removed when the server stops.
import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import type { HttpApp } from './server-interface.js';

/** Longest path in bytes that the system accepts (`sun_path` without its NUL). */
const PATH_BYTES_MAX = 107;
const OWNER_ONLY = 0o600;
/** The umask while the socket file is created: only the owner gets permissions. */
const MASK = 0o177;

/**
 * Listens at `path`; returns a token of the listening socket, or the reason why there is none. Refuses a path with a
 * file that is no socket, or with a socket on which another process listens.
 */
export async function listenIpc(app: HttpApp, path: string): Promise<object | string> {
  const fault = await pathFault(path);
  if (fault !== null) return refused(path, fault);
  const mask = process.umask(MASK);
  try {
    rmSync(path, { force: true });
    const token = await new Promise<object | false>((resolve) => void app.listen_unix(resolve, path));
    if (token === false)
      return refused(path, 'refused by the system: does its folder exist, and may it be written to?');
    chmodSync(path, OWNER_ONLY);
    return token;
  } catch (error) {
    return refused(path, (error as Error).message);
  } finally {
    process.umask(mask);
  }
}

/** Removes the socket file if it exists. */
export function removeIpc(path: string): void {
  rmSync(path, { force: true });
}

function refused(path: string, reason: string): string {
  return `cannot listen on ${path}: ${reason}`;
}

/** Returns why a socket cannot be created at `path`; `null` if it can. */
async function pathFault(path: string): Promise<string | null> {
  const bytes = Buffer.byteLength(path);
  if (bytes > PATH_BYTES_MAX) return `a path of ${bytes} bytes, more than the ${PATH_BYTES_MAX} of a Unix socket`;
  const file = lstatSync(path, { throwIfNoEntry: false });
  if (file === undefined) return null;
  if (!file.isSocket()) return 'there is a file that is no socket';
  return (await isAnswered(path)) ? 'another process listens there' : null;
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const say = (answered: boolean): void => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('connect', () => say(true));
    socket.once('error', () => say(false));
  });
}
