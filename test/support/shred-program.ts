// Loaded into every thread of the program before anything else, where its dev chain is to report shreds as well, at the
// port that
// `?port=` names: --dev-feed-port is there, too, and reports Flashblocks.
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
