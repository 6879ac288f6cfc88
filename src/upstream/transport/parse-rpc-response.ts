// Parses and validates JSON-RPC responses of the upstream node. Pure.
import { LIMITS } from '../../limits/index.js';
import type { Redactor } from './redact-secrets.js';
import { mapNodeError } from './error-mapping.js';
import { UpstreamError, type RpcErrorObject, type UpstreamErrorKind } from './upstream-error.js';

export type RpcAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: UpstreamError };

/** The contents of a response body. */
type ParsedResponseBody =
  | { readonly kind: 'answers'; readonly answers: readonly RpcAnswer[] }
  /** One error for a whole batch, instead of one response for each request. */
  | { readonly kind: 'whole'; readonly rpc: RpcErrorObject }
  | { readonly kind: 'malformed'; readonly reason: string };

/**
 * Parses the response to `count` requests with ids from `firstId` on. `redact` removes secrets from the node's error
 * messages.
 */
export function parseResponseBody(body: string, firstId: number, count: number, redact: Redactor): ParsedResponseBody {
  const json = parseJson(body);
  if (json === undefined) return { kind: 'malformed', reason: 'it is not JSON' };
  const entries = Array.isArray(json) ? (json as unknown[]) : [json];
  const only = entries.length === 1 ? errorOf(entries[0], redact) : null;
  if (only !== null && count > 1) return { kind: 'whole', rpc: only };
  const byId = answersById(entries);
  if (count === 1 && only !== null) return { kind: 'answers', answers: [{ ok: false, error: upstreamErrorOf(only) }] };
  return { kind: 'answers', answers: Array.from({ length: count }, (_, i) => answerOf(byId.get(firstId + i), redact)) };
}

/** Stands for the response to a request that the node has answered more than once. None of the answers is trusted. */
const TWICE = Symbol('answered twice');

function answersById(entries: readonly unknown[]): Map<unknown, unknown> {
  const byId = new Map<unknown, unknown>();
  for (const entry of entries) {
    const id = isJsonObject(entry) ? entry['id'] : undefined;
    byId.set(id, byId.has(id) ? TWICE : entry);
  }
  return byId;
}

function answerOf(entry: unknown, redact: Redactor): RpcAnswer {
  if (entry === TWICE) return malformedAnswer('a request is answered twice');
  if (!isJsonObject(entry)) return malformedAnswer('a request is left without an answer');
  const rpc = errorOf(entry, redact);
  if (rpc !== null) return { ok: false, error: upstreamErrorOf(rpc) };
  return 'result' in entry
    ? { ok: true, result: entry['result'] }
    : malformedAnswer('an answer has neither result nor error');
}

/** Returns an error answer that says why the node's response is invalid. */
export function malformedAnswer(reason: string): RpcAnswer {
  return { ok: false, error: new UpstreamError('malformed', `the upstream node answers wrongly: ${reason}`) };
}

/** Converts a JSON-RPC error of the node to an UpstreamError of the right kind. */
function upstreamErrorOf(rpc: RpcErrorObject): UpstreamError {
  return new UpstreamError(kindOf(rpc), `the upstream node answers ${rpc.code}: ${rpc.message}`, rpc);
}

/** The error code for a missing resource (EIP-1474). For a read of state, the missing resource is the block. */
const RESOURCE_NOT_FOUND = -32001;

function kindOf(rpc: RpcErrorObject): UpstreamErrorKind {
  switch (mapNodeError(rpc)) {
    case 'methodNotFound':
      return 'refused';
    case 'blockNotFound':
    case 'stateNotKept':
      return 'notFound';
    case null:
      return rpc.code === RESOURCE_NOT_FOUND ? 'notFound' : 'rpc';
    default:
      return 'rpc';
  }
}

function errorOf(entry: unknown, redact: Redactor): RpcErrorObject | null {
  if (!isJsonObject(entry) || !isJsonObject(entry['error'])) return null;
  const { code, message, data } = entry['error'];
  const shown = {
    code: typeof code === 'number' ? code : -32603,
    message: typeof message === 'string' ? redact(message) : 'no message',
  };
  return isRelayed(data) ? { ...shown, data } : shown;
}

const HEX = /^0x([0-9a-f]{2})*$/i;

function isRelayed(data: unknown): data is string {
  return typeof data === 'string' && data.length <= 2 + 2 * LIMITS.upstreamErrorDataBytesMax && HEX.test(data);
}

/** Returns true if a JSON value is an object, and not null or a list. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses JSON; returns `undefined` if the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
