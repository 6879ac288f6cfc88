// Blockchain tests through the product's own import: genesis file, block file, executor, checks against the header.
import { writeFileSync } from 'node:fs';
import type { TransactionExecutorDeps } from '../../src/execution/block/transaction-executor.js';
import { createImportFeed } from '../../src/feed/import/import-feed.js';
import { fromHex, toHex } from '../../src/lib/bytes/hex.js';
import { keccak256 } from '../../src/lib/bytes/keccak-wasm.js';
import { RLP, type NestedUint8Array } from '@ethereumjs/rlp';
import { StartError } from '../../src/lib/start-error.js';
import { MemorySink } from '../support/memory-sink.js';
import { temporaryFile } from '../support/temporary-folder.js';
import { PASSED, failed, prefixed, skipped, type BlockchainTest, type TestBlock, type Verdict } from './fixture.js';
import { genesisConfig } from './networks.js';

/** Imports into a state in memory, from temporary files, on one engine. */
export class BlockchainTests {
  readonly #deps: TransactionExecutorDeps;
  readonly #genesisFile = temporaryFile('genesis.json');
  readonly #chainFile = temporaryFile('chain.rlp');

  constructor(deps: TransactionExecutorDeps) {
    this.#deps = deps;
  }

  async run(test: BlockchainTest): Promise<Verdict> {
    const config = genesisConfig(test.network, test.config);
    if (typeof config === 'string') return skipped(config);
    if (!isOneBranch(test)) return skipped('several branches: an import follows one');
    writeFileSync(this.#genesisFile, JSON.stringify({ ...headerOf(test), config, alloc: test.pre }));
    const sink = new MemorySink();
    const valid: Uint8Array[] = [];
    for (const run of runsOf(test.blocks)) {
      const refusal = await this.#import(sink, [...valid, ...run.blocks]);
      if (refusal === null && run.isInvalid) return failed(`block ${valid.length + 1} is accepted: ${run.expected}`);
      if (refusal !== null && !run.isInvalid) return failed(refusal);
      if (!run.isInvalid) valid.push(...run.blocks);
    }
    return this.#verdict(sink, test);
  }

  /** Imports what `sink` does not have yet; a string says why a block was rejected. */
  async #import(sink: MemorySink, blocks: readonly Uint8Array[]): Promise<string | null> {
    writeFileSync(this.#chainFile, Buffer.concat(blocks));
    const files = { kind: 'import', genesisFile: this.#genesisFile, chainFile: this.#chainFile } as const;
    try {
      const feed = createImportFeed(files, { contents: () => sink.contents(), executor: this.#deps });
      await feed.run(sink, sink.head());
      return null;
    } catch (error) {
      if (error instanceof StartError) return error.message;
      throw error;
    }
  }

  #verdict(sink: MemorySink, { genesisBlockHeader, lastblockhash }: BlockchainTest): Verdict {
    const genesis = toHex(sink.blocks[0]!.hash);
    if (genesis !== prefixed(genesisBlockHeader['hash']!)) return failed(`the genesis block has hash ${genesis}`);
    const head = toHex(sink.head()!.hash);
    return head === prefixed(lastblockhash) ? PASSED : failed(`the head is ${head}, not ${lastblockhash}`);
  }
}

/** Blocks that are imported together: consecutive valid ones, or an invalid one. */
interface Run {
  readonly blocks: Uint8Array[];
  readonly isInvalid: boolean;
  readonly expected: string;
}

function runsOf(blocks: readonly TestBlock[]): Run[] {
  const runs: Run[] = [{ blocks: [], isInvalid: false, expected: '' }];
  for (const block of blocks) {
    const rlp = fromHex(prefixed(block.rlp));
    const expected = exceptionOf(block);
    const last = runs.at(-1)!;
    if (expected === '' && !last.isInvalid) last.blocks.push(rlp);
    else runs.push({ blocks: [rlp], isInvalid: expected !== '', expected });
  }
  return runs;
}

/** ethereum/tests appends the network to the member's name. */
function exceptionOf(block: TestBlock): string {
  const key = Object.keys(block).find((name) => name.startsWith('expectException'));
  return key === undefined ? '' : String(block[key]);
}

/** True if every valid block's parent is the valid block before it. */
function isOneBranch({ genesisBlockHeader, blocks }: BlockchainTest): boolean {
  let parent = prefixed(genesisBlockHeader['hash']!);
  for (const block of blocks.filter((each) => exceptionOf(each) === '')) {
    const [header] = RLP.decode(fromHex(prefixed(block.rlp))) as NestedUint8Array;
    if (toHex((header as Uint8Array[])[0]!) !== parent) return false;
    parent = toHex(keccak256(RLP.encode(header)));
  }
  return true;
}

/** The genesis header fields under their names in a genesis file. */
function headerOf({ genesisBlockHeader: header }: BlockchainTest): Record<string, string | undefined> {
  const { bloom: _, hash: __, stateRoot: ___, uncleHash: ____, ...fields } = header;
  return fields;
}
