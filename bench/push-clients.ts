// The subscribers of push.bench, on a separate thread: opens WebSockets, subscribes on each, and reports for each chain
// position when the first, the median and the last message arrived.
import { once } from 'node:events';
import { hrtime } from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { WebSocket } from 'ws';

/** Work of the thread. */
export interface Listening {
  readonly url: string;
  /** Parameters of eth_subscribe, one per connection. */
  readonly topics: readonly (readonly unknown[])[];
}

/** Arrival times of the messages of one chain position, in milliseconds of the system's monotonic clock. */
export interface Arrivals {
  readonly position: string;
  readonly count: number;
  readonly firstMs: number;
  readonly middleMs: number;
  readonly lastMs: number;
}

/** Sockets per client address: the program's LIMITS.socketsPerClientMax. */
const SOCKETS_PER_ADDRESS = 2500;
/** Sockets opened concurrently. */
const OPENED_TOGETHER = 100;
/** After this time no further message of a position is expected. */
const QUIET_MS = 2000;

const { url, topics } = workerData as Listening;
const arrivals = new Map<string, number[]>();

function nowMs(): number {
  return Number(hrtime.bigint()) / 1e6;
}

/** Reads only the position: parsing all messages would dominate the measured time. */
function arrived(text: string): void {
  const at = text.lastIndexOf('"position":{');
  const found = at < 0 ? null : /"block":"(\w+)","index":"(\w+)","hash":null/.exec(text.slice(at));
  if (found === null) return;
  const position = `${Number(found[1])} ${Number(found[2])}`;
  const times = arrivals.get(position) ?? [];
  if (times.length === 0) {
    arrivals.set(position, times);
    setTimeout(() => report(position, times), QUIET_MS);
  }
  times.push(nowMs());
}

function report(position: string, times: readonly number[]): void {
  arrivals.delete(position);
  const [firstMs, middleMs, lastMs] = [times[0]!, times[times.length >> 1]!, times.at(-1)!];
  const reported: Arrivals = { position, count: times.length, firstMs, middleMs, lastMs };
  parentPort!.postMessage(reported);
}

async function open(topic: readonly unknown[], index: number): Promise<void> {
  const localAddress = `127.0.0.${2 + Math.floor(index / SOCKETS_PER_ADDRESS)}`;
  const socket = new WebSocket(url, { localAddress, perMessageDeflate: false });
  await once(socket, 'open');
  const answered = once(socket, 'message') as Promise<[Buffer]>;
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: topic }));
  const [answer] = await answered;
  if (!answer.toString().includes('"result"')) throw new Error(answer.toString());
  socket.on('message', (data: Buffer) => arrived(data.toString('latin1')));
}

for (let at = 0; at < topics.length; at += OPENED_TOGETHER)
  await Promise.all(topics.slice(at, at + OPENED_TOGETHER).map((topic, i) => open(topic, at + i)));
parentPort!.postMessage('open');
