// Searches for bodies to which an implementation of plain reads responds differently from the service, and for values
// that it reads differently from a snapshot of the table.
import { toQuantity } from '../../../src/lib/bytes/hex.js';
import { ChunkedBuffer } from '../../../src/lib/bytes/chunked-buffer.js';
import type { EncodedRpcResponse } from '../../../src/rpc/answer/request-response-types.js';
import { CurrentView } from '../../../src/rpc/view/current-table-view.js';
import {
  NO_PLAIN_READS,
  type BlockTagsAtVersion,
  type OpenPlainReads,
  type PlainReads,
} from '../../../src/rpc/reads/native-plain-reads.js';
import type { JsonRpcService } from '../../../src/rpc/json-rpc-service.js';
import type { ArchiveReader } from '../../../src/state/archive/reader.js';
import { StateMiss, VersionNotKept } from '../../../src/state/views/state-miss.js';
import { TableReader, type Snapshot } from '../../../src/state/table/read/table-reader-and-snapshot.js';
import { addressOf, wordOf } from '../../state/diffs.js';
import { Random } from '../decode/request-bodies.js';
import { serviceOn } from '../table-service.js';
import { LATEST_BLOCK } from '../../../src/rpc/view/block-param-types.js';
import { randomReads } from './bodies.js';
import { ACCOUNTS, randomTable, SLOTS } from './random-tables.js';

/** Result of a search. */
export interface SearchResult {
  /** Number of bodies or values tried, and of those that were answered as plain reads. */
  readonly tried: number;
  readonly plain: number;
  /** Answered bodies with more than one call. */
  readonly batches: number;
  /** Runs of plain reads inside other batches. */
  readonly runs: number;
  /** The first difference. */
  readonly difference: string | null;
}

/** Bodies per table. */
const BODIES = 50;
const CALLS_MAX = 1000;
/** A nonce, a balance, or a slot. */
type ReadTarget = 'nonce' | 'balance' | number;
const READ_TARGETS: readonly ReadTarget[] = [
  'nonce',
  'balance',
  ...Array.from({ length: SLOTS + 1 }, (_, slot) => slot),
];
const METHOD = { nonce: 'eth_getTransactionCount', balance: 'eth_getBalance' } as const;
const CALLER = { aborted: false, client: 'one' };

/** Compares responses byte for byte, and counters, on so many tables. */
export async function findDifferingBody(open: OpenPlainReads, tables: number, seed: number): Promise<SearchResult> {
  const random = new Random(seed);
  const counts = { tried: 0, plain: 0, batches: 0, runs: 0 };
  for (let i = 0; i < tables; i++) {
    const { buffer } = randomTable(random);
    const observed: OpenPlainReads = (table) => observe(open(table), counts);
    const [judge, candidate] = [serve(buffer, NO_PLAIN_READS), serve(buffer, observed)];
    for (let j = 0; j < BODIES; j++, counts.tried++) {
      const body = randomReads(random);
      const difference = await compare(judge, candidate, body);
      if (difference !== null)
        return { ...counts, difference: `${difference}: ${JSON.stringify(body.toString('latin1'))}` };
    }
  }
  return { ...counts, difference: null };
}

/** Compares the values of every key at every version, on so many tables. */
export function findDifferingValue(open: OpenPlainReads, tables: number, seed: number): SearchResult {
  const random = new Random(seed);
  const counts = { tried: 0, plain: 0, batches: 0, runs: 0 };
  for (let i = 0; i < tables; i++) {
    const { buffer, newest } = randomTable(random);
    const values = new Values(new TableReader(buffer), open(buffer)!);
    for (let version = 0; version <= newest; version++) {
      for (let key = 0; key < ACCOUNTS + 2; key++, counts.tried++) {
        const difference = values.difference(version, key, random.pick(READ_TARGETS));
        if (difference !== null) return { ...counts, difference };
      }
    }
    counts.plain += values.read;
  }
  return { ...counts, difference: null };
}

function observe(
  plain: PlainReads | null,
  counts: { plain: number; batches: number; runs: number },
): PlainReads | null {
  if (plain === null) return null;
  return {
    counts: plain.counts,
    answer: (body, from, pinned) => {
      const bytes = plain.answer(body, from, pinned);
      if (bytes === null) return null;
      if (from > 0) counts.runs++;
      else {
        counts.plain++;
        if (Array.from(plain.counts).reduce((sum, count) => sum + count) > 1) counts.batches++;
      }
      return bytes;
    },
  };
}

const none = (): null => null;

function serve(buffer: SharedArrayBuffer, open: OpenPlainReads): JsonRpcService {
  const archive = {
    record: none,
    block: none,
    viewAt: none,
    numberOfHash: none,
    transaction: none,
    refresh: none,
  } as unknown as ArchiveReader;
  const current = new CurrentView(buffer, { kind: 'archive', archive }, open);
  const terms = { backing: null, revertErrorCode: 3, defaultBlock: LATEST_BLOCK, onFault: () => undefined };
  return serviceOn(current, { callsMax: CALLS_MAX, terms });
}

async function compare(judge: JsonRpcService, candidate: JsonRpcService, body: Uint8Array): Promise<string | null> {
  const [wanted, found] = [await answered(judge, body), await answered(candidate, body)];
  if (found !== wanted) return `${found} instead of ${wanted}`;
  const [counted, counts] = [judge, candidate].map((service) => JSON.stringify([...service.counts]));
  return counts === counted ? null : `counted ${counts} instead of ${counted}`;
}

/** The complete response as text. */
async function answered(service: JsonRpcService, body: Uint8Array): Promise<string> {
  const { status, bytes, position }: EncodedRpcResponse = await service.answer(body, CALLER);
  const text = Buffer.from(bytes instanceof ChunkedBuffer ? bytes.toBytes() : bytes).toString('latin1');
  if (bytes instanceof ChunkedBuffer) bytes.release();
  return `${status} ${text} at ${JSON.stringify(position)}`;
}

/** Heads without a block number: only tags resolve. */
export function headsOf(pending: number, latest: number): BlockTagsAtVersion {
  const heads = { latest: 0, safe: null, finalized: null };
  return { version: pending, record: { latestVersion: latest, heads, coordinates: { block: 0 } } };
}

/** One table, read in both ways. */
class Values {
  /** Number of values that were answered as plain reads. */
  read = 0;
  readonly #snapshot: Snapshot;
  readonly #plain: PlainReads;

  constructor(table: TableReader, plain: PlainReads) {
    this.#snapshot = table.snapshot(table.newest());
    this.#plain = plain;
  }

  /** One of the two tags resolves to the version, the other to none. */
  difference(version: number, account: number, target: ReadTarget): string | null {
    const wanted = this.#wanted(version, account, target);
    const [pending, latest] = version % 2 === 0 ? [version, 0] : [0, version];
    const address = `0x${Buffer.from(addressOf(account)).toString('hex')}`;
    const tag = pending === 0 ? 'latest' : 'pending';
    const params = typeof target === 'number' ? [address, `0x${target}`, tag] : [address, tag];
    const method = typeof target === 'number' ? 'eth_getStorageAt' : METHOD[target];
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    const bytes = this.#plain.answer(body, 0, headsOf(pending, latest));
    const found = bytes === null ? null : (JSON.parse(Buffer.from(bytes).toString()) as { result: string }).result;
    if (found !== null) this.read++;
    return found === wanted
      ? null
      : `${found} instead of ${wanted} at version ${version}: ${target} ${params.join(' ')}`;
  }

  #wanted(version: number, account: number, target: ReadTarget): string | null {
    try {
      this.#snapshot.aim(version);
      if (typeof target === 'number') return this.#word(account, target);
      return target === 'nonce' ? this.#nonce(account) : this.#balance(account);
    } catch (error) {
      if (error instanceof VersionNotKept || error instanceof StateMiss) return null;
      throw error;
    }
  }

  #nonce(account: number): string {
    return toQuantity(this.#snapshot.account(addressOf(account))?.nonce ?? 0n);
  }

  /** A balance of more than 128 bits is left to the service. */
  #balance(account: number): string | null {
    const balance = this.#snapshot.account(addressOf(account))?.balance ?? 0n;
    return balance >> 128n === 0n ? toQuantity(balance) : null;
  }

  #word(account: number, slot: number): string {
    return `0x${Buffer.from(this.#snapshot.storage(addressOf(account), wordOf(slot))).toString('hex')}`;
  }
}
