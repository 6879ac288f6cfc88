// Makes requests on a moving chain comparable among targets: tags are replaced by the number of a block that all have.
// Runs in the bench.
import { headOf } from '../load/ask.js';
import type { Target } from './target.js';

const TAG = /^(latest|pending)$/;
const NUMBER = /^0x[0-9a-f]{1,13}$/;
/**
 * Methods whose results depend on the node, not on the chain: versions, peers, filters, prices, submitted transactions.
 */
const OF_NODE =
  /^(web3|net|txpool|admin|debug|prestate)_|^eth_(send\w+|syncing|gasPrice|maxPriorityFeePerGas|feeHistory|\w*[fF]ilter\w*|\w*ubscribe|accounts|mining|hashrate|protocolVersion|blockNumber)$/;

interface Call {
  readonly params?: readonly unknown[];
}

/** The head of the target that is furthest behind; targets that do not respond do not count. */
export async function commonBlock(targets: readonly Target[]): Promise<string> {
  const heads = await Promise.all(targets.map((target) => headOf(target).catch(() => Infinity)));
  const least = Math.min(...heads);
  return `0x${(Number.isFinite(least) ? least : 0).toString(16)}`;
}

/** Replaces tags of the newest state by `block`. */
export function pinned(body: string, block: string): string {
  const fixed = (value: unknown): unknown => {
    if (typeof value === 'string') return TAG.test(value) ? block : value;
    if (Array.isArray(value)) return value.map(fixed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, fixed(field)]));
  };
  const inCall = (call: Call): Call => ({
    ...call,
    ...(call.params === undefined ? {} : { params: fixed(call.params) as [] }),
  });
  return withCalls(body, (calls, isBatch) => JSON.stringify(isBatch ? calls.map(inCall) : inCall(calls[0]!))) ?? body;
}

/** True if each call of a body refers to a block by number, so that its result is final. */
export function isPinned(body: string): boolean {
  return withCalls(body, (calls) => calls.every(isNumbered)) ?? false;
}

function isNumbered({ params = [] }: Call): boolean {
  const last = params.at(-1);
  return typeof last === 'string' && NUMBER.test(last) && !params.some((one) => TAG.test(String(one)));
}

/** True if targets need not agree on a method's results. */
export function isOfNode(method: string): boolean {
  return OF_NODE.test(method);
}

/** `null` if the body is not JSON-RPC. */
function withCalls<T>(body: string, use: (calls: readonly Call[], isBatch: boolean) => T): T | null {
  try {
    const parsed = JSON.parse(body) as Call | readonly Call[];
    return Array.isArray(parsed) ? use(parsed as readonly Call[], true) : use([parsed as Call], false);
  } catch {
    return null;
  }
}
