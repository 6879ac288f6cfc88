// Encodes the dev chain's increments as messages of the Flashblocks protocol (specification of OP-Stack builders).
import { randomBytes } from 'node:crypto';
import { encodeReceipt } from '../../chain/block/encode-block.js';
import { EMPTY_TRIE_ROOT, Trie } from '../../chain/trie.js';
import { logsBloom } from '../../lib/bytes/bloom.js';
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import { encodeRlp } from '../../lib/bytes/encode-rlp.js';
import type { ExecutedTransaction } from '../../state/complete-block.js';
import type { BlockEnv, StateDiff } from '../../state/state-diff.js';

const ZERO_WORD = toHex(new Uint8Array(32));

/**
 * Encodes the messages of one block. It accumulates the block's receipts, because each message contains the root of all
 * receipts so far.
 */
export class FlashblockEncoder {
  readonly #extraData: Uint8Array;
  readonly #payloadId = toHex(randomBytes(8));
  /** Trie of the receipts by index. For the next root, only the receipts added since the last one are hashed. */
  readonly #receipts = new Trie();
  readonly #bloom = new Uint8Array(256);
  /**
   * All transactions of the block in order. The first `#summed` transactions are already in the receipt trie and the
   * bloom filter.
   */
  readonly #transactions: ExecutedTransaction[] = [];
  #summed = 0;

  constructor(extraData: Uint8Array) {
    this.#extraData = extraData;
  }

  /** Adds the transactions of an increment for which no message is sent. */
  add(transactions: readonly ExecutedTransaction[]): void {
    this.#transactions.push(...transactions);
  }

  /**
   * Returns the message of an increment as JSON text. `gasUsed` is the gas used by the block so far; by default it is
   * taken from the last transaction's receipt.
   */
  message(diff: StateDiff, transactions: readonly ExecutedTransaction[], gasUsed?: bigint): string {
    this.add(transactions);
    this.#sum();
    const { block, index, parentHash } = diff.coordinates;
    const base = index === 0 ? { base: baseOf(diff.env, parentHash, this.#extraData) } : {};
    const message = {
      payload_id: this.#payloadId,
      index,
      ...base,
      diff: {
        state_root: ZERO_WORD,
        receipts_root: toHex(this.#receipts.root()),
        logs_bloom: toHex(this.#bloom),
        gas_used: toQuantity(gasUsed ?? this.#transactions.at(-1)?.receipt.cumulativeGasUsed ?? 0),
        block_hash: ZERO_WORD,
        transactions: transactions.map(({ raw }) => toHex(raw)),
        withdrawals: [],
        withdrawals_root: toHex(EMPTY_TRIE_ROOT),
      },
      metadata: { block_number: block },
    };
    return JSON.stringify(message);
  }

  #sum(): void {
    for (; this.#summed < this.#transactions.length; this.#summed++) {
      const { receipt } = this.#transactions[this.#summed]!;
      this.#receipts.put(encodeRlp(this.#summed), encodeReceipt(receipt));
      for (const [at, bits] of logsBloom(receipt.logs).entries()) this.#bloom[at]! |= bits;
    }
  }
}

function baseOf(env: BlockEnv, parentHash: Uint8Array, extraData: Uint8Array): object {
  return {
    parent_beacon_block_root: toHex(env.parentBeaconBlockRoot),
    parent_hash: toHex(parentHash),
    fee_recipient: toHex(env.coinbase),
    prev_randao: toHex(env.prevRandao),
    block_number: toQuantity(env.number),
    gas_limit: toQuantity(env.gasLimit),
    timestamp: toQuantity(env.timestamp),
    extra_data: toHex(extraData),
    base_fee_per_gas: toQuantity(env.baseFeePerGas),
  };
}
