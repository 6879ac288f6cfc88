// The publisher thread: connects the publisher's program to main. Runs on the publisher.
import { parentPort, workerData } from 'node:worker_threads';
import type { PublisherOptions, ToPublisher } from '../src/publisher/protocol.js';
import { runPublisher } from '../src/publisher/program.js';
import { SenderPool } from '../src/pool/senders/pool.js';

const SENDERS = new URL('./senders.js', import.meta.url);

const options: PublisherOptions = workerData;

await runPublisher(options, {
  post: (message) => parentPort!.postMessage(message),
  listen: (receive) => parentPort!.on('message', (message: ToPublisher) => receive(message)),
  startSenders: () => new SenderPool({ workerFile: SENDERS }),
});
