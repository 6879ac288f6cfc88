// A worker of the command: runs the files that it is sent and posts their results.
import { parentPort } from 'node:worker_threads';
import { SpecFiles } from './spec-file.js';

/** The port to the main thread; without one, this is not a worker. */
if (parentPort !== null) {
  const port = parentPort;
  const files = new SpecFiles();
  port.on('message', (file: string | null) => {
    if (file === null) return port.close();
    void files.run(file).then(
      (results) => port.postMessage({ file, results, error: null }),
      (error: unknown) => port.postMessage({ file, results: [], error: String(error) }),
    );
  });
  port.postMessage(null);
}
