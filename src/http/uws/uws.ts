// The one importer of uWebSockets.js: loads the binary for this Node.js, where there is one, and puts the door in front of it.
// Runs on main.
import { createRequire } from 'node:module';
import type { App, Backend } from '../app.js';
import { DOOR, type Door } from './door.js';
import { binaryName } from './native/binaries.js';

/** The app with what its typings leave out. */
interface UWebSocketsApp extends App {
  setIdleTimeout?(seconds: number): void;
}

/** The part of the package that is used. */
interface UWebSockets {
  App(): UWebSocketsApp;
  us_socket_local_port(token: object): number;
  us_listen_socket_close(token: object): void;
  /** Not documented; `silent` leaves out the header that names uWebSockets.js. */
  _cfg?(key: string): void;
}

/**
 * uWebSockets.js behind the door: the binary built or packed with the program, else that of a package installed beside; `null`
 * where none loads, and where there is no door: without it one client that sends fast enough holds main for itself.
 */
export const nativeBackend: Backend | null = load();

function load(): Backend | null {
  if (DOOR === null) return null;
  const { platform, arch, versions } = process;
  const built = `./native/${binaryName(platform, arch, versions.modules)}.node`;
  const uws = required(built) ?? required('uWebSockets.js');
  return uws !== null && DOOR.open() ? backendOf(uws, DOOR) : null;
}

function required(path: string): UWebSockets | null {
  try {
    return createRequire(import.meta.url)(path) as UWebSockets;
  } catch {
    return null;
  }
}

function backendOf(uws: UWebSockets, door: Door): Backend {
  uws['_cfg']?.('silent');
  return {
    counts: door.counts,
    text: 'uWebSockets.js: native',
    createApp: (idleSMax) => {
      const app = uws.App();
      app.setIdleTimeout?.(idleSMax);
      return app;
    },
    portOf: (token) => uws.us_socket_local_port(token),
    closeListening: (token) => uws.us_listen_socket_close(token),
  };
}
