// Preloaded into every thread of the program whose dev chain is to publish shreds as well, at the port given by
// `?port=`. The program's --dev-feed-port still publishes Flashblocks.
import { DevFeedServer } from '../../src/feed/dev/feed-server.js';
import { ShredServer } from './shred-server.js';

const port = Number(new URL(import.meta.url).searchParams.get('port'));
const prototype = DevFeedServer.prototype as { over: DevFeedServer['over']; close: DevFeedServer['close'] };
const { over, close } = prototype;
let server: ShredServer | null = null;

prototype.over = function (this: DevFeedServer, sink) {
  server = new ShredServer(port);
  return server.over(over.call(this, sink));
};
prototype.close = function (this: DevFeedServer) {
  server?.close();
  return close.call(this);
};
