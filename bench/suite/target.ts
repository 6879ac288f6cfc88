// An endpoint under test: its name, where it is, and asking it a single question. Runs in the bench.
import { setTimeout } from 'node:timers/promises';
import { type Endpoint, reasonOf, textOf } from '../load/ask.js';
import type { Headers } from '../load/connection.js';
import { processAt, usageOf, type Usage } from './process-usage.js';

/** An endpoint that the caller names. */
export interface NamedUrl {
  readonly name: string;
  readonly url: string;
}

export interface Target extends Endpoint {
  readonly name: string;
  /** Answers a constant: the limit of what HTTP can do, with nothing to check. */
  readonly isFloor: boolean;
  /** Version as the target tells it. */
  readonly version: string;
  /** The process, where it can be seen from here. */
  readonly pid: number | null;
}

/** Between two questions to a target that is starting. */
const ASK_AGAIN_MS = 250;
const VERSION = '{"jsonrpc":"2.0","id":1,"method":"web3_clientVersion","params":[]}';

/** From now on certificates are not checked: by this process, nor by the generators that it starts. */
export function trustAnyCertificate(): void {
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
}

/** Throws where nobody answers. */
export async function targetAt(name: string, url: string, headers: Headers = {}): Promise<Target> {
  const version = await textOf({ url, headers }, VERSION).then(versionIn, (error: unknown) => {
    throw new Error(`${name} does not answer at ${url}: ${reasonOf(error)}`);
  });
  return { name, url, headers, isFloor: false, version, pid: processAt(url) };
}

/** Reason for which a target does not answer any more; `null`: it does. */
export function silenceOf(target: Target): Promise<string | null> {
  return textOf(target, VERSION).then(
    () => null,
    (error: unknown) => `does not answer: ${reasonOf(error)}`,
  );
}

/** Waits until it answers, `ms` at the most. `onWait` takes the reason for which it does not yet, once. */
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
    await setTimeout(ASK_AGAIN_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Why it does not answer JSON-RPC; `null`: it does. A proxy before a starting node answers in words. */
async function readinessOf(endpoint: Endpoint): Promise<string | null> {
  try {
    const answer: unknown = JSON.parse(await textOf(endpoint, VERSION));
    return typeof answer === 'object' && answer !== null ? null : 'no JSON-RPC';
  } catch (error) {
    return error instanceof SyntaxError ? 'no JSON-RPC' : reasonOf(error);
  }
}

/** The handler that answers a constant. */
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
