// Finds a snapshot from which the stream can continue, and loads it.
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../../limits/index.js';
import { BusUnavailableError, type ChainBus } from '../bus/chain-bus.js';
import { decodeRecord, recordBytes, type StoredSnapshotReference } from '../messages/control-messages-json.js';
import { decodeSnapshot, SnapshotDamagedError, type SnapshotHead } from '../messages/snapshot.js';
import type { AdoptedStateLoader, ReplicaFeedSink } from '../../feed/feed.js';

/** The oldest snapshot that is usable. */
export type MinimumSnapshot = Pick<StoredSnapshotReference, 'epoch' | 'sequence'>;

interface SnapshotLoaderDeps {
  readonly bus: ChainBus;
  readonly sink: ReplicaFeedSink;
  readonly signal: AbortSignal;
}

/** Waits for a usable snapshot, requesting one if necessary, and loads it. Returns `null` if it was aborted. */
export async function loadSnapshot(
  least: MinimumSnapshot,
  deps: SnapshotLoaderDeps,
): Promise<StoredSnapshotReference | null> {
  const { bus, sink, signal } = deps;
  for (let lastReason = ''; !signal.aborted; await sleep(LIMITS.replicationRetryMs)) {
    const outcome = await tryToLoad(least, deps).catch(onlyExpected);
    if (signal.aborted) return null;
    if (typeof outcome !== 'string') return outcome;
    if (outcome !== lastReason) sink.progress((lastReason = outcome));
    // The request makes the leader create a snapshot. While there is no leader, nobody creates one.
    await bus.request(recordBytes('request', { kind: 'snapshot' }), LIMITS.replicationAnswerMsMax).catch(onlyExpected);
  }
  return null;
}

/** Loads the newest snapshot and returns its record; or returns the reason why it cannot be loaded now. */
async function tryToLoad(least: MinimumSnapshot, deps: SnapshotLoaderDeps): Promise<StoredSnapshotReference | string> {
  const { bus, sink, signal } = deps;
  const record = decodeRecord('snapshot', await bus.readRecord('snapshot'));
  if (record === null || record.epoch < least.epoch || record.sequence < least.sequence) {
    return 'waiting for a snapshot of the executor';
  }
  const ends = await bus.ends();
  if (ends === null || ends.last < record.sequence || ends.first > record.sequence + 1) {
    return 'waiting for a snapshot that the stream continues from';
  }
  const pieces = await bus.getObject(record.name);
  if (pieces === null) return 'waiting for a snapshot: the last one was deleted';
  const chain = decodeRecord('chain', await bus.readRecord('chain'));
  if (chain !== null) sink.useChain(chain.chain);
  const keys = await adopt(record, pieces, deps);
  if (signal.aborted) return 'called off';
  sink.progress(`started from version ${record.version} of epoch ${record.epoch}: ${keys} accounts and slots`);
  return record;
}

/** Loads a snapshot; returns the number of its keys. If it is aborted, what was read is not published. */
async function adopt(
  record: StoredSnapshotReference,
  pieces: AsyncIterable<Uint8Array>,
  { sink, signal }: SnapshotLoaderDeps,
): Promise<number> {
  let adoption: AdoptedStateLoader | null = null;
  let [keys, isAllSeeded] = [0, true];
  for await (const item of decodeSnapshot(pieces)) {
    if (signal.aborted) return keys;
    if (item.kind === 'head') adoption = adoptionOf(item.head, record, sink);
    else if (adoption === null) throw new SnapshotDamagedError('the snapshot has no head');
    else if (isAllSeeded) {
      isAllSeeded = adoption.seed(item.contents);
      keys += item.contents.accounts.length + item.contents.slots.length;
      sink.progress(`reading the snapshot: ${keys} accounts and slots`, null);
    }
  }
  if (adoption === null) throw new SnapshotDamagedError('the snapshot is empty');
  adoption.finish();
  return keys;
}

function adoptionOf(head: SnapshotHead, record: StoredSnapshotReference, sink: ReplicaFeedSink): AdoptedStateLoader {
  if (head.version !== record.version || head.epoch !== record.epoch) {
    throw new SnapshotDamagedError('the version of the snapshot differs from its name');
  }
  return sink.adopt(head);
}

/**
 * Returns the message of an error that is expected while reading from the server; throws any other error, because it is
 * a bug.
 */
function onlyExpected(error: unknown): string {
  if (error instanceof BusUnavailableError || error instanceof SnapshotDamagedError) return error.message;
  throw error;
}
