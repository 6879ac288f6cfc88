// Entry file of the publisher thread: connects the publisher's program to the main thread.
import { parentPort, workerData } from 'node:worker_threads';
import { workerFileUrl } from '../src/lib/threads/worker-file.js';
import type { PublisherOptions, MessageToPublisher } from '../src/publisher/publisher-protocol.js';
import { runPublisher } from '../src/publisher/publisher-thread-program.js';
import { SenderRecoveryPool } from '../src/pool/sender-recovery-pool.js';

const options: PublisherOptions = workerData;

await runPublisher(options, {
  post: (message) => parentPort!.postMessage(message),
  listen: (receive) => parentPort!.on('message', (message: MessageToPublisher) => receive(message)),
  startSenders: () => new SenderRecoveryPool({ workerFile: workerFileUrl('sender-recovery') }),
});
