// Blocks whose first transaction has an unknown type, as a node serves them: complete, with additional members.
import { encodeReceipt } from '../../../src/chain/block/encode-block.js';
import { listTrieRoot } from '../../../src/chain/list-trie-root.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { keccak256 } from '../../../src/lib/bytes/keccak-wasm.js';
import { NodeError, type UpstreamNode } from '../../support/upstream-node.js';
import type { Json, JsonObject } from '../../support/node-json.js';
import { altered, type MadeBlock } from './chain-maker.js';
import type { TracedChain } from './traced-chain.js';

const TYPE = 0x7d;

/** Raw transactions of the block. */
function rawsOf({ block }: MadeBlock): Uint8Array[] {
  return block.transactions.map(({ raw }, index) => (index === 0 ? Buffer.concat([Uint8Array.of(TYPE), raw]) : raw));
}

/** The block with its first transaction replaced by one of unknown type that does the same. */
export function unknownTypeBlock(made: MadeBlock): MadeBlock {
  const receipts = made.block.transactions.map(({ receipt }, index) =>
    index === 0 ? { ...receipt, type: TYPE } : receipt,
  );
  return altered(made, {
    transactionsRoot: listTrieRoot(rawsOf(made)),
    receiptsRoot: listTrieRoot(receipts.map((receipt) => encodeReceipt(receipt))),
  });
}

/** Serves such blocks on a node that also serves their traces. */
export class UnknownTypeBlocks {
  readonly #odd = new Map<unknown, MadeBlock>();
  /** Changes raw transactions before they are sent. */
  bend: (raw: string) => string = (raw) => raw;

  private constructor(odd: readonly MadeBlock[]) {
    for (const block of odd) this.#odd.set(toHex(block.hash), block);
  }

  /** `isWhole`: the node serves their raw transactions. */
  static on(node: UpstreamNode, traced: TracedChain, odd: readonly MadeBlock[], isWhole = true): UnknownTypeBlocks {
    const blocks = new UnknownTypeBlocks(odd);
    blocks.#serve(node, isWhole);
    for (const block of odd) traced.add(block);
    return blocks;
  }

  #serve(node: UpstreamNode, isWhole: boolean): void {
    node.bend = (json) => this.#block(json);
    for (const method of ['eth_getBlockReceipts', 'debug_traceBlockByHash']) {
      const plain = node.methods.get(method)!;
      node.methods.set(method, async (params) => this.#renamed(params[0], await plain(params)));
    }
    if (isWhole)
      node.methods.set('eth_getRawTransactionByBlockHashAndIndex', ([hash, index]) => this.#raw(hash, Number(index)));
  }

  /** The first transaction of such a block as the node shows it. */
  transaction(block: JsonObject): JsonObject {
    const [first] = block['transactions'] as JsonObject[];
    const odd = this.#odd.get(block['hash'])!;
    return { ...first, type: '0x7d', hash: toHex(keccak256(rawsOf(odd)[0]!)), postExec: { refund: '0x7' } };
  }

  #block(json: JsonObject): JsonObject {
    if (!this.#odd.has(json['hash'])) return json;
    const [first, ...others] = json['transactions'] as Json[];
    if (typeof first === 'string') return { ...json, transactions: [this.#hashOf(json['hash']), ...others] };
    return { ...json, transactions: [this.transaction(json), ...others] };
  }

  #hashOf(block: unknown): string {
    return toHex(keccak256(rawsOf(this.#odd.get(block)!)[0]!));
  }

  #raw(hash: unknown, index: number): string {
    const block = this.#odd.get(hash);
    if (block === undefined) throw new NodeError(-32_000, 'block not found');
    return this.bend(toHex(rawsOf(block)[index]!));
  }

  /** Receipts and traces name the substituted transaction instead of the original. */
  #renamed(hash: unknown, answer: Json): Json {
    const odd = this.#odd.get(hash);
    if (odd === undefined) return answer;
    const before = toHex(odd.block.transactions[0]!.hash);
    const named = JSON.parse(JSON.stringify(answer).replaceAll(before, this.#hashOf(hash))) as JsonObject[];
    const [first, ...others] = named;
    return [
      first!['cumulativeGasUsed'] === undefined ? first! : { ...first, type: '0x7d', opGasRefund: '0x7' },
      ...others,
    ];
  }
}
