// A second client on its own thread, which measures a node's round trips. Runs on main and on that thread.
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { request } from 'undici';

/** A JSON-RPC body for a node. */
interface NodeRequest {
  readonly url: string;
  readonly body: string;
}

/** One request at a time. */
export class RoundTrips {
  readonly #worker = new Worker(new URL(import.meta.url));

  /** Milliseconds until the complete response has arrived. */
  async ms(url: string, calls: readonly (readonly [method: string, params: readonly unknown[]])[]): Promise<number> {
    const requests = calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }));
    const nodeRequest: NodeRequest = { url, body: JSON.stringify(requests.length === 1 ? requests[0] : requests) };
    this.#worker.postMessage(nodeRequest);
    const [ms]: number[] = (await once(this.#worker, 'message')) as number[];
    return ms!;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

async function query({ url, body }: NodeRequest): Promise<void> {
  const startMs = performance.now();
  const answer = await request(url, { method: 'POST', body });
  await answer.body.text();
  parentPort!.postMessage(performance.now() - startMs);
}

if (!isMainThread) parentPort!.on('message', (nodeRequest: NodeRequest) => void query(nodeRequest));
