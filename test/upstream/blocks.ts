// Blocks for tests of the upstream client: real ones from the shared data, and small ones built here.
import { readFileSync } from 'node:fs';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { EMPTY_UNCLES_HASH, encodeHeader, type Header } from '../../src/chain/block/header.js';
import { listTrieRoot } from '../../src/chain/list-trie-root.js';
import { EMPTY_TRIE_ROOT } from '../../src/chain/trie.js';
import { readRlpBlocks } from '../../src/feed/import/chain-file.js';
import { decodeImportedBlock, type ImportedBlock } from '../../src/feed/import/decode-imported-block.js';
import { fromHex } from '../../src/lib/bytes/hex.js';
import type { StateView } from '../../src/state/views/state-view.js';
import { MemoryView } from '../support/memory-view.js';
import { sharedData } from '../support/shared-data.js';
import type { NodeBlock } from '../support/upstream-node.js';

export const CHAIN_FILE = 'execution-apis/chain.rlp';
export const OP_FOLDER = 'op-sepolia';

/** Blocks of all forks with all transaction types. */
export async function chainBlocks(): Promise<ImportedBlock[]> {
  const blocks: ImportedBlock[] = [];
  for await (const rlp of readRlpBlocks(sharedData(CHAIN_FILE))) blocks.push(decodeImportedBlock(rlp));
  return blocks;
}

/** Numbers of OP Sepolia blocks whose headers and transactions are in the data. */
export const OP_BLOCKS = [26_207_960, 26_207_961, 26_207_962];

interface Witness {
  readonly parent_header: Record<string, string>;
  readonly executing_payload: { readonly transactions: readonly string[] };
  readonly expected_block_hash: string;
}

/** The header as written by the recorded node, and the transactions. */
export function opBlock(number: number): {
  readonly header: Record<string, string>;
  readonly hash: string;
  readonly transactions: Uint8Array[];
} {
  const witness = witnessOf(number);
  const { parent_header: header } = witnessOf(number + 1);
  const transactions = witness.executing_payload.transactions.map(fromHex);
  return { header, hash: witness.expected_block_hash, transactions };
}

function witnessOf(number: number): Witness {
  return JSON.parse(readFileSync(sharedData(`${OP_FOLDER}/block-${number}.witness.json`), 'utf8')) as Witness;
}

/** A chain of empty blocks from `from` on, on `parent`; `salt` distinguishes branches. */
export function emptyBlocks(from: number, count: number, parent: Uint8Array, salt: number): NodeBlock[] {
  const blocks: NodeBlock[] = [];
  let parentHash = parent;
  for (let number = from; number < from + count; number++) {
    const block = makeBlock({ number, parentHash, extraData: Uint8Array.of(salt) });
    blocks.push(block);
    parentHash = hashOf(block);
  }
  return blocks;
}

export function hashOf({ header }: { readonly header: Uint8Array }): Uint8Array {
  return keccak256(header);
}

/** A block in Prague's format. */
export function makeBlock(
  header: Partial<Header>,
  transactions: readonly Uint8Array[] = [],
  state: StateView = new MemoryView(),
): NodeBlock {
  const whole: Header = { ...HEADER, transactionsRoot: listTrieRoot(transactions), ...header };
  return { header: encodeHeader(whole), transactions: transactions.map((raw) => ({ raw })), withdrawals: [], state };
}

const ZERO = new Uint8Array(32);
const HEADER: Header = {
  parentHash: ZERO,
  unclesHash: EMPTY_UNCLES_HASH,
  coinbase: new Uint8Array(20),
  stateRoot: ZERO,
  transactionsRoot: EMPTY_TRIE_ROOT,
  receiptsRoot: EMPTY_TRIE_ROOT,
  logsBloom: new Uint8Array(256),
  difficulty: 0n,
  number: 0,
  gasLimit: 30_000_000n,
  gasUsed: 0n,
  timestamp: 1_700_000_000n,
  extraData: new Uint8Array(0),
  mixHash: ZERO,
  nonce: new Uint8Array(8),
  baseFeePerGas: 7n,
  withdrawalsRoot: EMPTY_TRIE_ROOT,
  blobGasUsed: 0n,
  excessBlobGas: 0n,
  parentBeaconBlockRoot: ZERO,
  requestsHash: ZERO,
};
