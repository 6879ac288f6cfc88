// The feed that imports a genesis file and a file of blocks. It executes and checks each block; after the last one the
// chain does not change any more.
import { NonEvmCodeError } from '../../evm/non-evm-code-error.js';
import { readFileSync, statSync } from 'node:fs';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import type { ChainDescription } from '../../chain/chain-description.js';
import {
  blockPlanOf,
  BlockExecutor,
  InvalidBlockError,
  type SealedBlock,
} from '../../execution/block/block-executor.js';
import { parseGenesis, type Genesis } from '../../execution/block/genesis.js';
import { positionAfterBlock } from '../../chain/block/header.js';
import { TransactionExecutor, type TransactionExecutorDeps } from '../../execution/block/transaction-executor.js';
import { createChainRules, type ChainRules } from '../../evm/reference/fork-rules.js';
import { StateTrie, type StateContents } from '../../chain/state-root.js';
import { toHex } from '../../lib/bytes/hex.js';
import { StartError } from '../../lib/start-error.js';
import type { ChainHead } from '../../state/complete-block.js';
import type { StateDiff } from '../../state/state-diff.js';
import { readRlpBlocks } from './chain-file.js';
import type { Feed, FeedSink } from '../feed.js';
import { headerMismatchWithStateRoot } from '../../execution/block/header-validation.js';
import { decodeImportedBlock, importedBlockMismatch, type ImportedBlock } from './decode-imported-block.js';
import { UNCLE_ANCESTOR_DEPTH, type UncleAncestor } from './difficulty-and-uncles.js';
import type { ImportOptions } from '../chain-source-options.js';
import { ImportProgress } from './import-progress.js';
import { errorMessage } from '../../lib/error-message.js';

interface ImportFeedDeps {
  /**
   * Returns the complete state at the head from which the import resumes. Called once, and only if blocks are left to
   * execute.
   */
  readonly contents: () => StateContents;
  /** Dependencies of the transaction executor; without them it uses the reference engine. */
  readonly executor?: TransactionExecutorDeps;
}

/** Reads the genesis file and creates the feed. Throws StartError if the file cannot be read or used. */
export function createImportFeed(options: ImportOptions, deps: ImportFeedDeps): Feed {
  return new ImportFeed(options, deps);
}

/** The objects that execute blocks. They are created when the first block needs them. */
interface Execution {
  readonly executor: TransactionExecutor;
  readonly trie: StateTrie;
}

class ImportFeed implements Feed {
  readonly chain: ChainDescription;
  readonly #options: ImportOptions;
  readonly #deps: ImportFeedDeps;
  readonly #genesis: Genesis;
  readonly #rules: ChainRules;
  #execution: Execution | null = null;
  #running: Promise<void> = Promise.resolve();
  #stopping = false;

  constructor(options: ImportOptions, deps: ImportFeedDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#genesis = readGenesis(options.genesisFile);
    this.chain = this.#genesis.chain;
    this.#rules = createChainRules(this.chain);
  }

  run(sink: FeedSink, head: ChainHead | null): Promise<void> {
    this.#running = this.#import(sink, head);
    return this.#running;
  }

  /** Stops the import after the current block. The next start continues with the rest. */
  async stop(): Promise<void> {
    this.#stopping = true;
    // `stop` only waits until the import has ended. An error is received by the caller of `run`.
    await this.#running.catch(() => undefined);
  }

  async #import(sink: FeedSink, head: ChainHead | null): Promise<void> {
    if (head === null) await this.#begin(sink);
    const archived = head ?? this.#genesis.head;
    const last = await this.#blocks(sink, archived);
    if (last < archived.number)
      throw this.#error(`it ends at block ${last}, before the archive's block ${archived.number}`);
  }

  async #begin(sink: FeedSink): Promise<void> {
    const { diff, block } = this.#genesis;
    await sink.complete(diff, block);
    const trie = new StateTrie();
    trie.apply(diff);
    this.#execution = this.#createExecution(sink, trie);
  }

  /**
   * Reads all blocks of the file: skips the ones that are archived, and executes the others. Returns the number of the
   * last block.
   */
  async #blocks(sink: FeedSink, archived: ChainHead): Promise<number> {
    const progress = new ImportProgress(sink, archived.number, this.#fileBytes());
    const { head, header } = this.#genesis;
    if (archived.number === 0) checkSame(archived, head.hash);
    let parent: UncleAncestor = { hash: head.hash, header, uncles: [] };
    let ancestors = [parent];
    for await (const rlp of this.#file()) {
      if (this.#stopping) return Math.max(parent.header.number, archived.number);
      progress.read(rlp.length);
      const block = this.#decode(rlp, parent);
      if (block.header.number === 0 && this.#isGenesis(block)) continue;
      this.#checkLink(block, parent);
      if (block.header.number > archived.number) progress.add(await this.#execute(sink, block, ancestors));
      else if (block.header.number === archived.number) checkSame(archived, block.hash);
      parent = block;
      ancestors = [parent, ...ancestors].slice(0, UNCLE_ANCESTOR_DEPTH);
    }
    progress.end(parent.header.number);
    return parent.header.number;
  }

  /** Returns the size of the chain file; `null` if it is unknown, as for a pipe. */
  #fileBytes(): number | null {
    const { chainFile } = this.#options;
    const stats = chainFile === null ? undefined : statSync(chainFile, { throwIfNoEntry: false });
    return stats?.isFile() === true ? stats.size : null;
  }

  async *#file(): AsyncGenerator<Uint8Array> {
    const { chainFile } = this.#options;
    if (chainFile === null) return;
    try {
      yield* readRlpBlocks(chainFile);
    } catch (error) {
      throw error instanceof StartError ? error : this.#error(errorMessage(error));
    }
  }

  /** Returns true if a block 0 in the file, with which exported chains may start, is our genesis block; else throws. */
  #isGenesis({ hash }: ImportedBlock): boolean {
    if (sameBytes(hash, this.#genesis.head.hash)) return true;
    throw this.#error(
      `its genesis is ${toHex(hash)}, that of ${this.#options.genesisFile} is ${toHex(this.#genesis.head.hash)}`,
    );
  }

  #decode(rlp: Uint8Array, parent: UncleAncestor): ImportedBlock {
    try {
      return decodeImportedBlock(rlp);
    } catch (error) {
      throw this.#error(`the block after block ${parent.header.number} is malformed: ${errorMessage(error)}`);
    }
  }

  #checkLink(block: ImportedBlock, parent: UncleAncestor): void {
    if (sameBytes(block.header.parentHash, parent.hash)) return;
    const what = parent.header.number === 0 ? `the genesis of ${this.#options.genesisFile}` : 'the block before it';
    const stated = `parent hash is ${toHex(block.header.parentHash)}, ${what} has hash ${toHex(parent.hash)}`;
    throw this.#blockError(block, stated);
  }

  /** Executes and checks one block, and passes it to the sink. Returns the gas that the block has used. */
  async #execute(sink: FeedSink, block: ImportedBlock, ancestors: readonly UncleAncestor[]): Promise<bigint> {
    const before = importedBlockMismatch(block, ancestors, this.#rules);
    if (before !== null) throw this.#blockError(block, before);
    const sealed = await this.#run(sink, block);
    const after = headerMismatchWithStateRoot(sealed.header, block.header);
    if (after !== null) throw this.#blockError(block, after);
    if (!sameBytes(sealed.block.hash, block.hash))
      throw this.#blockError(block, `executed, its hash is ${toHex(sealed.block.hash)}`);
    await sink.complete(completion(sealed, block), sealed.block);
    return sealed.header.gasUsed;
  }

  async #run(sink: FeedSink, block: ImportedBlock): Promise<SealedBlock> {
    const { executor, trie } = this.#executionOn(sink);
    const rules = this.#rules.at(block.header.number, block.header.timestamp);
    try {
      const blockExecutor = await BlockExecutor.open(blockPlanOf(block.header, block, rules), {
        executor,
        trie,
        view: sink.view(),
      });
      for (const [index, raw] of block.transactions.entries()) {
        const applied = await blockExecutor.apply(raw);
        if (applied.kind === 'refused')
          throw this.#blockError(block, `transaction ${index} is invalid: ${applied.message}`);
      }
      return await blockExecutor.seal();
    } catch (error) {
      throw error instanceof InvalidBlockError || error instanceof NonEvmCodeError
        ? this.#blockError(block, error.message)
        : error;
    }
  }

  #executionOn(sink: FeedSink): Execution {
    if (this.#execution !== null) return this.#execution;
    sink.progress('building the state tries from the archive');
    return (this.#execution = this.#createExecution(sink, StateTrie.of(this.#deps.contents())));
  }

  #createExecution(sink: FeedSink, trie: StateTrie): Execution {
    return { trie, executor: new TransactionExecutor(this.#rules, sink.view(), this.#deps.executor) };
  }

  #blockError({ header, hash }: ImportedBlock, reason: string): StartError {
    return new StartError(`block ${header.number} (${toHex(hash).slice(0, 10)}..): ${reason}`, 2);
  }

  #error(reason: string): StartError {
    return new StartError(`${this.#options.chainFile ?? 'the empty chain'} cannot be imported: ${reason}`, 2);
  }
}

/** Throws StartError if the archive's head is not the block that the file has at the same height. */
function checkSame(archived: ChainHead, hash: Uint8Array): void {
  if (sameBytes(archived.hash, hash)) return;
  const position = archived.number === 0 ? 'genesis' : `block ${archived.number}`;
  const hashes = `${toHex(archived.hash)}, that of the files is ${toHex(hash)}`;
  throw new StartError(`the data folder belongs to another chain: its ${position} is ${hashes}`, 2);
}

function readGenesis(file: string): Genesis {
  try {
    return parseGenesis(file, readFileSync(file, 'utf8'));
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(`${file} cannot be read: ${errorMessage(error)}`, 2);
  }
}

/**
 * Returns the state version that is published for an executed block. The tags `latest`, `safe` and `finalized` all
 * refer to it.
 */
function completion({ changes }: SealedBlock, { header, hash }: ImportedBlock): StateDiff {
  const { number } = header;
  return {
    ...positionAfterBlock(header, hash),
    heads: { latest: number, safe: number, finalized: number },
    ...changes,
  };
}
