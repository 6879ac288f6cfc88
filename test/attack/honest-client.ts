// The other clients' experience: requests nonces, plain transfers and ERC-20 estimates over separate connections at a
// steady rate, and measures response times. Runs on the main thread of the program that starts the attack.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const DEV_ACCOUNT = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const OTHER_ACCOUNT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const TOKEN = '0x7000000000000000000000000000000000000001';
/** `transfer(address,uint256)`. */
const TRANSFER = `0xa9059cbb000000000000000000000000${OTHER_ACCOUNT.slice(2).toLowerCase()}`;
/** Pause between two requests of a kind; each kind has two connections. */
const PAUSE_MS = 5;

export const KINDS = ['read', 'transfer', 'erc20'] as const;
export type Kind = (typeof KINDS)[number];

/** Responses of one kind. */
export interface Seen {
  /** Response times in milliseconds, ascending. */
  readonly times: readonly number[];
  /** Number of refusals, by -32005 or an HTTP status. */
  readonly refused: number;
  /** Wrong responses, and requests without one. */
  readonly failed: readonly string[];
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A body of this kind, which differs for every `n`. */
function bodyOf(kind: Kind, n: number): string {
  const word = n.toString(16).padStart(64, '0');
  const params = {
    read: [DEV_ACCOUNT, 'pending'],
    transfer: [{ from: DEV_ACCOUNT, to: OTHER_ACCOUNT, value: `0x${(n + 1).toString(16)}` }, 'pending'],
    erc20: [{ from: DEV_ACCOUNT, to: TOKEN, data: `${TRANSFER}${word}` }, 'pending'],
  }[kind];
  const method = kind === 'read' ? 'eth_getTransactionCount' : 'eth_estimateGas';
  return JSON.stringify({ jsonrpc: '2.0', id: n, method, params });
}

function post(agent: Agent, url: string, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => (text += piece));
      response.on('end', () => resolve({ status: response.statusCode!, text }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Sends requests until `signal` is aborted. */
export async function watch(url: string, signal: AbortSignal): Promise<Readonly<Record<Kind, Seen>>> {
  const seen = await Promise.all(KINDS.map((kind) => watchKind(url, kind, signal)));
  return Object.fromEntries(KINDS.map((kind, i) => [kind, seen[i]!])) as Record<Kind, Seen>;
}

async function watchKind(url: string, kind: Kind, signal: AbortSignal): Promise<Seen> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const failed: string[] = [];
  let refused = 0;
  const query = async (first: number): Promise<void> => {
    for (let n = first; !signal.aborted; n += 2) {
      const startMs = performance.now();
      const answer = await post(agent, url, bodyOf(kind, n)).catch((error: Error) => error);
      times.push(performance.now() - startMs);
      if (answer instanceof Error) failed.push(answer.message);
      else if (answer.status !== 200 || answer.text.includes('"code":-32005')) refused++;
      else if (!answer.text.includes(`"id":${n},"result":"0x`))
        failed.push(answer.text.slice(answer.text.indexOf('error'), 200));
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all([query(0), query(1)]);
  agent.destroy();
  return { times: times.sort((a, b) => a - b), refused, failed };
}

/** Milliseconds within which this share of the responses arrived. */
export function quantile({ times }: Seen, share: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN;
}
