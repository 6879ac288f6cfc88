// An endpoint under test: its name, its URL, and probes of it. Runs in the bench.
import { setTimeout } from 'node:timers/promises';
import { type Endpoint, reasonOf, textOf } from '../load/ask.js';
import type { Headers } from '../load/connection.js';
import { processAt, usageOf, type Usage } from './process-usage.js';

/** An endpoint from the command line. */
export interface NamedUrl {
  readonly name: string;
  readonly url: string;
}

export interface Target extends Endpoint {
  readonly name: string;
  /** Returns a constant: the limit of HTTP itself; its responses are not verified. */
  readonly isFloor: boolean;
  /** Version reported by the target. */
  readonly version: string;
  /** The process, if visible from here. */
  readonly pid: number | null;
}

/** Interval between probes of a starting target. */
const PROBE_INTERVAL_MS = 250;
const VERSION = '{"jsonrpc":"2.0","id":1,"method":"web3_clientVersion","params":[]}';

/** Disables certificate verification in this process and in the generators that it starts. */
export function trustAnyCertificate(): void {
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
}

/** Throws if there is no response. */
export async function targetAt(name: string, url: string, headers: Headers = {}): Promise<Target> {
  const version = await textOf({ url, headers }, VERSION).then(versionIn, (error: unknown) => {
    throw new Error(`${name} does not answer at ${url}: ${reasonOf(error)}`);
  });
  return { name, url, headers, isFloor: false, version, pid: processAt(url) };
}

/** Why a target no longer responds; `null`: it does. */
export function silenceOf(target: Target): Promise<string | null> {
  return textOf(target, VERSION).then(
    () => null,
    (error: unknown) => `does not answer: ${reasonOf(error)}`,
  );
}

/** Waits until the endpoint responds, at most `ms`. `onWait` is called once with the reason of the wait. */
export async function waitFor(
  endpoint: Endpoint,
  {
    ms,
    signal,
    onWait,
  }: { readonly ms: number; readonly signal: AbortSignal; readonly onWait: (reason: string) => void },
): Promise<void> {
  const untilMs = performance.now() + ms;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    const reason = await readinessOf(endpoint);
    if (reason === null || performance.now() >= untilMs) return;
    if (isFirst) onWait(reason);
    await setTimeout(PROBE_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Why it does not respond with JSON-RPC; `null`: it does. A proxy in front of a starting node responds with text. */
async function readinessOf(endpoint: Endpoint): Promise<string | null> {
  try {
    const answer: unknown = JSON.parse(await textOf(endpoint, VERSION));
    return typeof answer === 'object' && answer !== null ? null : 'no JSON-RPC';
  } catch (error) {
    return error instanceof SyntaxError ? 'no JSON-RPC' : reasonOf(error);
  }
}

/** The handler that returns a constant. */
export function floorAt(url: string): Target {
  return { name: 'raw', url, headers: {}, isFloor: true, version: 'uWebSockets.js, a constant', pid: processAt(url) };
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
