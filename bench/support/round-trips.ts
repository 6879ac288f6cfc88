// A client beside the one that is measured, on a thread of its own: how long one round trip of a node takes. Runs on
// main and on that thread.
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { request } from 'undici';

/** A JSON-RPC body for a node. */
interface Question {
  readonly url: string;
  readonly body: string;
}

/** One question at a time. */
export class RoundTrips {
  readonly #worker = new Worker(new URL(import.meta.url));

  /** Milliseconds until the whole answer is there. */
  async ms(url: string, calls: readonly (readonly [method: string, params: readonly unknown[]])[]): Promise<number> {
    const requests = calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }));
    const question: Question = { url, body: JSON.stringify(requests.length === 1 ? requests[0] : requests) };
    this.#worker.postMessage(question);
    const [ms]: number[] = (await once(this.#worker, 'message')) as number[];
    return ms!;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

async function query({ url, body }: Question): Promise<void> {
  const startMs = performance.now();
  const answer = await request(url, { method: 'POST', body });
  await answer.body.text();
  parentPort!.postMessage(performance.now() - startMs);
}

if (!isMainThread) parentPort!.on('message', (question: Question) => void query(question));
