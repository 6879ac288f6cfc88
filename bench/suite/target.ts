// An endpoint under test: its name, where it is, and asking it a single question. Runs in the bench.
import { processAt, usageOf, type Usage } from './process-usage.js';

export interface Target {
  readonly name: string;
  readonly url: string;
  /** Answers a constant: the limit of what HTTP can do, with nothing to check. */
  readonly isFloor: boolean;
  /** Version as the target tells it. */
  readonly version: string;
  /** The process, where it can be seen from here. */
  readonly pid: number | null;
}

const VERSION = '{"jsonrpc":"2.0","id":1,"method":"web3_clientVersion","params":[]}';

/** From now on certificates are not checked: by this process, nor by the generators that it starts. */
export function trustAnyCertificate(): void {
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
}

/** Throws where nobody answers. */
export async function targetAt(name: string, url: string): Promise<Target> {
  const version = await textOf(url, VERSION).then(versionIn, (error: unknown) => {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    throw new Error(`${name} does not answer at ${url}: ${String(cause)}`);
  });
  return { name, url, isFloor: false, version, pid: processAt(url) };
}

/** The handler that answers a constant. */
export function floorAt(url: string): Target {
  return { name: 'raw', url, isFloor: true, version: 'uWebSockets.js, a constant', pid: processAt(url) };
}

/** Posts a body; the answer's text, whatever its status. */
export async function textOf(url: string, body: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return response.text();
}

/** The result of one call. Throws where it has none. */
export async function resultOf(url: string, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const text = await textOf(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const answer = JSON.parse(text) as { readonly result?: unknown };
  if (answer.result === undefined) throw new Error(`${method}: ${text.slice(0, 200)}`);
  return answer.result;
}

export function targetUsage({ pid }: Target): Usage | null {
  return pid === null ? null : usageOf(pid);
}

function versionIn(text: string): string {
  try {
    const { result } = JSON.parse(text) as { readonly result?: unknown };
    return typeof result === 'string' ? result : 'unknown';
  } catch {
    return 'unknown';
  }
}
