// A dev chain, and a live chain that follows it.
import { freePort } from '../support/free-port.js';
import { Server } from '../support/server.js';

/** Both servers. */
export interface FollowedChain {
  readonly dev: Server;
  readonly live: Server;
  stop(): Promise<void>;
}

/** Starts both, with some traffic. */
export async function startFollowedChain(): Promise<FollowedChain> {
  const feedPort = await freePort();
  const dev = await Server.start('--dev-traffic', '20', '--dev-feed-port', feedPort);
  const live = await Server.start('--upstream', dev.url, '--feed', `ws://127.0.0.1:${feedPort}`);
  return { dev, live, stop: async () => void (await Promise.all([dev.stop(), live.stop()])) };
}
