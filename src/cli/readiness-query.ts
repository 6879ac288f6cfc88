// The client of a health check: asks a local instance whether it is ready.
import { isIPv6 } from 'node:net';

/**
 * Returns why the instance is not ready, or `null` if it is. If `host` is an unspecified address (0.0.0.0 or ::), the
 * request is sent to the loopback address.
 */
export async function fetchUnreadyReason(host: string, port: number, waitMs: number): Promise<string | null> {
  const url = `http://${hostOf(host)}:${port}/readyz`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(waitMs) });
    const text = (await response.text()).trim();
    return response.ok ? null : text;
  } catch (error) {
    const { message, cause } = error as Error;
    return `${url}: ${cause instanceof Error ? cause.message : message}`;
  }
}

function hostOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIPv6(host) ? `[${host}]` : host;
}
