// The leading executor's answers to requests of replicas.
import type { Feed } from '../../feed/feed.js';
import { monotonicMs } from '../../lib/clock.js';
import { LIMITS } from '../../limits/index.js';
import { decodeRecord, recordBytes, type LeaderRequest, type LeaderReply } from '../messages/control-messages-json.js';
import type { AccountChange, CodeChange, SlotChange } from '../../state/state-diff.js';
import { StateMiss, VersionNotKept } from '../../state/views/state-miss.js';
import { TableReader, type Snapshot } from '../../state/table/read/table-reader-and-snapshot.js';
import { hasCode } from '../../state/views/state-view.js';
import { UpstreamError } from '../../upstream/upstream.js';

interface LeaderRequestsDeps {
  readonly feed: Pick<Feed, 'submit' | 'upstream'>;
  /** Returns the memory of the current table; `null` if there is none yet. */
  readonly buffer: () => SharedArrayBuffer | null;
  readonly onSnapshot: () => void;
  /** Largest number of bytes of state in a response. A replica requests the remaining state separately. */
  readonly stateBytesMax: number;
}

/** Largest number of bytes that an account without its code, or a slot, takes in a response. */
const KEY_BYTES_MAX = 200;

export async function answerReplicaRequest(question: Uint8Array, deps: LeaderRequestsDeps): Promise<Uint8Array> {
  const request = decodeRecord('request', question);
  const reply =
    request === null ? refused('a question that cannot be read') : await answered(request, deps).catch(refusedFor);
  const bytes = recordBytes('reply', reply);
  const { responseBytesMax } = LIMITS;
  if (bytes.length <= responseBytesMax) return bytes;
  return recordBytes(
    'reply',
    refused(`an answer of ${bytes.length} bytes is more than a replica may give: ${responseBytesMax}`),
  );
}

async function answered(
  request: LeaderRequest,
  { feed, buffer, onSnapshot, stateBytesMax }: LeaderRequestsDeps,
): Promise<LeaderReply> {
  switch (request.kind) {
    case 'snapshot':
      onSnapshot();
      return { kind: 'done' };
    case 'transaction': {
      const submission = await feed.submit?.(request.raw);
      if (submission === undefined) return refused('the chain takes no transactions here');
      if (!submission.accepted) return refused(submission.message);
      const table = buffer();
      return { kind: 'hash', hash: submission.hash, version: table === null ? 0 : new TableReader(table).newest() };
    }
    case 'request': {
      if (feed.upstream === undefined) return refused('the executor has no node to ask: give the replica --upstream');
      const result = await feed.upstream.request(request.method, request.params, monotonicMs() + request.timeoutMs);
      return { kind: 'result', text: JSON.stringify(result ?? null) };
    }
    case 'read':
      await feed.upstream?.fill(request.missing);
      return { kind: 'state', state: stateAfter(request, buffer(), stateBytesMax) };
  }
}

/**
 * Returns as much of the requested state after a block as fits. Throws `UpstreamError` if that state is not retained.
 */
function stateAfter(
  { block, missing }: Extract<LeaderRequest, { kind: 'read' }>,
  buffer: SharedArrayBuffer | null,
  bytesMax: number,
): Extract<LeaderReply, { kind: 'state' }>['state'] {
  const snapshot = buffer === null ? null : after(block, new TableReader(buffer));
  if (snapshot === null) throw new UpstreamError('notFound', 'the executor does not keep the state after this block');
  const state = { accounts: [] as AccountChange[], slots: [] as SlotChange[], codes: [] as CodeChange[] };
  let bytes = 0;
  for (const address of missing.accounts) {
    const account = snapshot.account(address);
    const code = account !== null && hasCode(account) ? snapshot.code(account.codeHash) : null;
    bytes += KEY_BYTES_MAX + (code?.length ?? 0);
    if (bytes > bytesMax) return state;
    state.accounts.push({ address, account });
    if (account !== null && code !== null) state.codes.push({ hash: account.codeHash, bytes: code });
  }
  for (const { address, slot } of missing.slots) {
    bytes += KEY_BYTES_MAX;
    if (bytes > bytesMax) return state;
    state.slots.push({ address, slot, value: snapshot.storage(address, slot) });
  }
  return state;
}

/**
 * Returns the state after a block; `null` if it is not retained. The block may be one that a reorganization has
 * removed, because the replica may not know of that yet.
 */
function after(block: Uint8Array, reader: TableReader): Snapshot | null {
  const version = reader.versionOfHash(block);
  return version === 0 ? null : reader.snapshot(version);
}

/** Returns the reply that refuses a request because of this error. An unexpected error is thrown again. */
function refusedFor(error: unknown): LeaderReply {
  if (error instanceof UpstreamError) return { kind: 'refused', message: error.message, rpc: error.rpc };
  if (error instanceof StateMiss || error instanceof VersionNotKept) return refused(error.message);
  throw error;
}

function refused(message: string): LeaderReply {
  return { kind: 'refused', message, rpc: null };
}
