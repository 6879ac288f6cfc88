// Finds executed blocks: complete ones, and pre-confirmed ones up to some increment.

// Receipts are available as soon as a transaction is pre-confirmed. They have the final block number and index, and a
// block hash of zeros, as in OP-Stack nodes. See DECISIONS.md.
import { activeForkIndex, blobRules } from '../../chain/active-forks.js';
import { logsBloomOfHeader, decodeHeader } from '../../chain/block/header.js';
import { opRulesAt } from '../../chain/op/forks.js';
import type { ChainDescription } from '../../chain/chain-description.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import { BoundedCache } from '../../lib/memory/bounded-cache.js';
import { LIMITS } from '../../limits/index.js';
import type { CompleteBlock, ExecutedTransaction } from '../../state/complete-block.js';
import { blockTimestampMs } from '../../transaction/op/block-timestamp-ms.js';
import { l1AttributesOf } from '../../transaction/op/l1-attributes.js';
import type { SingleBlockReader, StoredBlocks } from './stored-blocks.js';
import type { BlockSoFar, PreConfirmedBlocks } from './pre-confirmed-blocks.js';
import type { ReadView } from './pinned-read-view.js';
import type { VersionRecord } from '../../state/table/read/table-reader-and-snapshot.js';
import type { PinnedVersion } from './pinned-version.js';
import type {
  PreConfirmedBlock,
  ExecutedBlock,
  Inclusion,
  BlockWithLogs,
  CompleteBlockHandle,
  LogSearchBlock,
} from './executed-block-types.js';

/**
 * Contents of a block whose first increment is visible in the state but has not been announced to the main thread yet.
 */
const NOT_ANNOUNCED = { gasUsed: 0n, blobGasUsed: 0n, extraData: new Uint8Array(), transactions: [] };

/** Finds blocks as of the pinned state version. Caches the most recently requested complete blocks in decoded form. */
export class ExecutedBlockLookup {
  #chain: ChainDescription;
  readonly #pending: PreConfirmedBlocks;
  #decoded = new BoundedCache<string, ExecutedBlock>(LIMITS.decodedTransactionsMax);

  constructor(chain: ChainDescription, pending: PreConfirmedBlocks) {
    this.#chain = chain;
    this.#pending = pending;
  }

  get chain(): ChainDescription {
    return this.#chain;
  }

  /** Drops the cache if the rules have changed, because prices depend on the rules; see `RuleDependent`. */
  useChain(chain: ChainDescription): void {
    if (chain === this.#chain) return;
    this.#chain = chain;
    this.#decoded = new BoundedCache(LIMITS.decodedTransactionsMax);
  }

  /** Returns complete block `number`; `null` if it is not stored. */
  complete(blocks: StoredBlocks, number: number): ExecutedBlock | null {
    const key = blocks.key(number);
    return key === null ? null : this.#keptOr(key, () => blocks.at(number));
  }

  /** Returns block `number`, complete or pre-confirmed, for a later log search; `null` if it is not stored. */
  searched(readView: ReadView, number: number): LogSearchBlock | null {
    const open = this.preConfirmed(readView, number);
    if (open !== null) return { bloom: () => null, open: () => open };
    const key = readView.blocks.key(number);
    const reader = key === null ? null : readView.blocks.reader(number);
    if (key === null || reader === null) return null;
    const bloom = (): Uint8Array | null => {
      const record = reader.record();
      return record === null ? null : logsBloomOfHeader(record.header);
    };
    // A log search reads many blocks once each, so it does not add them to the cache, which is for repeated requests.
    return { bloom, open: () => this.#decoded.get(key) ?? loggedBlock(number, reader) };
  }

  /** Returns the pre-confirmed part of block `number`; `null` if the block is complete or does not exist. */
  preConfirmed(readView: ReadView, number: number): ExecutedBlock | null {
    const soFar = this.soFar(readView, number);
    return soFar === null ? null : this.#ofSoFar(number, soFar);
  }

  /**
   * Returns the pre-confirmed part of block `number` with all its header data so far; `null` if the block is complete
   * or does not exist.
   */
  soFar({ pinned }: ReadView, number: number): BlockSoFar | null {
    const { coordinates, heads, env } = pinned.record;
    if (!pinned.isPreconfirmed() || number <= heads.latest || number > coordinates.block) return null;
    if (number < coordinates.block) return this.#pending.at(number);
    const last = this.#lastAnnounced(pinned);
    return { ...((last < 0 ? null : this.#pending.at(number, last)) ?? NOT_ANNOUNCED), coordinates, env };
  }

  /**
   * True if the newest increment of the pinned version had been announced to the main thread when the current request
   * body first looked for it. Only then may the responses to this body contain the increment's transactions.
   */
  isAnnounced({ pinned }: ReadView): boolean {
    return this.#lastAnnounced(pinned) >= pinned.record.coordinates.index;
  }

  /** True if this version is after a complete block, or if its newest increment has been announced by now. */
  hasArrived({ coordinates: { block, index }, heads }: Pick<VersionRecord, 'coordinates' | 'heads'>): boolean {
    return block <= heads.latest || this.#pending.lastIndex(block) >= index;
  }

  /** Returns a block that has joined or left the chain; `null` if it is no longer stored. */
  located({ key, reader }: Pick<CompleteBlockHandle, 'key' | 'reader'>): ExecutedBlock | null {
    return this.#keptOr(key, reader.block);
  }

  /**
   * Returns the time in milliseconds of a block that has joined the chain; `null` if the block has no such time. Only
   * OP-Stack blocks are read for this.
   */
  timestampMs(block: Pick<CompleteBlockHandle, 'key' | 'reader'>): bigint | null {
    return this.#chain.op === null ? null : (this.located(block)?.timestampMs ?? null);
  }

  /** Returns a pre-confirmed block up to some increment, as it was announced. */
  announced(number: number, soFar: BlockSoFar): PreConfirmedBlock {
    return { soFar, block: this.#ofSoFar(number, soFar), chain: this.#chain };
  }

  /**
   * Finds the block and index of a transaction, in complete and in pre-confirmed blocks; `null` if no stored block
   * contains it.
   */
  find(readView: ReadView, hash: Uint8Array): Inclusion | null {
    const location = readView.blocks.transaction(hash);
    const complete = location === null ? null : this.complete(readView.blocks, location.block);
    if (location !== null && complete !== null) return { block: complete, index: location.index };
    const open = this.#pending.find(hash);
    const block = open === null ? null : this.preConfirmed(readView, open.block);
    return open === null || block === null || open.index >= block.transactions.length
      ? null
      : { block, index: open.index };
  }

  /**
   * Returns the index of the newest increment whose transactions the responses to the current request body may contain;
   * -1 if there is none. See `PinnedVersion.announcedIndex`.
   */
  #lastAnnounced(pinned: PinnedVersion): number {
    const { block, index } = pinned.record.coordinates;
    return (pinned.announcedIndex ??= Math.min(index, this.#pending.lastIndex(block)));
  }

  #keptOr(key: string, read: () => CompleteBlock | null): ExecutedBlock | null {
    const known = this.#decoded.get(key);
    if (known !== undefined) return known;
    const block = read();
    if (block === null) return null;
    const executed = this.#executed(block);
    this.#decoded.set(key, executed, 1 + block.transactions.length);
    return executed;
  }

  #ofSoFar(number: number, { env, transactions }: BlockSoFar): ExecutedBlock {
    const { timestamp, excessBlobGas } = env;
    return this.#withPrices({ number, hash: null, timestamp, transactions, uncles: [] }, excessBlobGas);
  }

  #executed({ number, hash, header, transactions, uncles = [] }: CompleteBlock): ExecutedBlock {
    const { timestamp, excessBlobGas } = decodeHeader(header);
    return this.#withPrices({ number, hash, timestamp, transactions, uncles }, excessBlobGas ?? 0n);
  }

  /** Adds to a block what depends on the chain's rules. */
  #withPrices(block: Omit<ExecutedBlock, 'blobGasPrice' | 'l1' | 'timestampMs'>, excessBlobGas: bigint): ExecutedBlock {
    const { number, timestamp, transactions } = block;
    const rules = blobRules(this.#chain, activeForkIndex(this.#chain.forks, number, timestamp));
    return { ...block, blobGasPrice: rules.blobBaseFee(excessBlobGas), ...this.#opTerms(timestamp, transactions) };
  }

  /** Reads L1 fee parameters and time from the first two deposits of an OP-Stack block. */
  #opTerms(timestamp: bigint, transactions: readonly ExecutedTransaction[]): Pick<ExecutedBlock, 'l1' | 'timestampMs'> {
    const { op } = this.#chain;
    if (op === null) return { l1: null, timestampMs: null };
    const rules = opRulesAt(op, timestamp);
    const attributes = rules === null ? null : l1AttributesOf(transactions[0]?.raw);
    const l1 = rules === null || attributes === null ? null : { attributes, rules };
    return { l1, timestampMs: blockTimestampMs(timestamp, transactions) };
  }
}

/** Reads the fields of a block that a log search needs; `null` if the block is no longer stored. */
function loggedBlock(number: number, reader: SingleBlockReader): BlockWithLogs | null {
  const header = reader.record()?.header;
  const transactions = reader.logged();
  if (header === undefined || transactions === null) return null;
  const { timestamp } = decodeHeader(header);
  return {
    number,
    hash: keccak256(header),
    timestamp,
    timestampMs: blockTimestampMs(timestamp, transactions),
    transactions,
  };
}
