// Logs one line for each request, at level debug. At other log levels the service is not wrapped, so that it costs
// nothing.
import {
  contiguousBodyBytes,
  type EncodedRpcResponse,
  type RpcService,
} from '../../rpc/answer/request-response-types.js';
import type { HttpStatusCode } from '../http-counters.js';

export interface RequestLogEntry {
  /** HTTP status of the response. For a WebSocket message, the status that the same body would have had over HTTP. */
  readonly status: HttpStatusCode;
  /** Method names in order, with the number of calls of each; `null` if no body was read or it was not JSON. */
  readonly methods: string | null;
  readonly calls: number;
  /** Name of the client; `null` if it is not known. */
  readonly client: string | null;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Milliseconds from the complete request to the complete response. */
  readonly ms: number;
}

/** Maximum number of methods that are named in one log line, and maximum number of characters of a method name. */
const METHODS_MAX = 8;
const METHOD_LENGTH_MAX = 64;

/**
 * Wraps the service so that one line is logged for each request body. The price: each body is parsed a second time, by
 * `JSON.parse`.
 */
export function withRequestLog(service: RpcService, write: (entry: RequestLogEntry) => void): RpcService {
  return {
    answer(body, caller, least = null) {
      const startMs = performance.now();
      const bytes = contiguousBodyBytes(body);
      const details = { ...methodsOf(bytes), client: caller.client ?? null, bytesIn: bytes.length };
      const log = (answer: EncodedRpcResponse): EncodedRpcResponse => {
        const ms = Math.round((performance.now() - startMs) * 1000) / 1000;
        write({ status: answer.status, ...details, bytesOut: answer.bytes.length, ms });
        return answer;
      };
      const answer = service.answer(body, caller, least);
      return answer instanceof Promise ? answer.then(log) : log(answer);
    },
  };
}

/**
 * Returns the log entry of a refused request, which has not reached the service: its body was not read at all, or not
 * to the end.
 */
export function refusedRequestEntry(status: HttpStatusCode, client: string): RequestLogEntry {
  return { status, methods: null, calls: 0, client, bytesIn: 0, bytesOut: 0, ms: 0 };
}

function methodsOf(body: Uint8Array): Pick<RequestLogEntry, 'methods' | 'calls'> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'));
  } catch {
    return { methods: null, calls: 0 };
  }
  const calls: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  const counts = new Map<string, number>();
  for (const call of calls) counts.set(methodOf(call), (counts.get(methodOf(call)) ?? 0) + 1);
  const named = [...counts].slice(0, METHODS_MAX).map(([name, count]) => (count === 1 ? name : `${name} x${count}`));
  return { methods: [...named, ...(counts.size > METHODS_MAX ? ['…'] : [])].join(', '), calls: calls.length };
}

function methodOf(call: unknown): string {
  const method = typeof call === 'object' && call !== null && 'method' in call ? call.method : null;
  return typeof method === 'string' ? method.slice(0, METHOD_LENGTH_MAX) : '?';
}
