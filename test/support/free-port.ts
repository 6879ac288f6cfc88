// A free port for a program that is restarted on the same one.
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Nobody listens there now. */
export async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}
