// Runs the calls of `--warm` once, one after the other, as if a client had sent them, so that the state they read is in
// the table. Runs on main.
import { releaseBytes } from '../lib/bytes/long-bytes.js';
import type { RpcService } from './answer/answer.js';

/** Resolves once all of them have been answered, with whatever result, or once `asker.aborted` is set. */
export async function runCalls(
  calls: readonly object[],
  service: RpcService,
  asker: { readonly aborted: boolean },
): Promise<void> {
  for (const call of calls) {
    if (asker.aborted) return;
    const request = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [call, 'latest'] };
    const { bytes } = await service.answer(new TextEncoder().encode(JSON.stringify(request)), asker);
    releaseBytes(bytes);
  }
}
