// Converts the dev chain's increments to shreds, in the format of RISE's nodes.
import type { JsonValue, JsonRecord } from '../../src/chain/render-header-json.js';
import { ByteMap, sameBytes } from '../../src/lib/bytes/byte-map.js';
import { toHex, toQuantity } from '../../src/lib/bytes/hex.js';
import type { ExecutedTransaction, Log } from '../../src/state/complete-block.js';
import type { StateDiff } from '../../src/state/state-diff.js';
import { renderTransactionJson } from '../../src/transaction/render-transaction-json.js';
import { EMPTY_CODE_HASH, type AccountState, type StateView } from '../../src/state/views/state-view.js';

const NOTHING: AccountState = { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH };
const EMPTY = new Uint8Array(0);

/** The shreds of one block. */
export class DevShreds {
  #logs = 0;

  /** Counts the logs of an increment that is not announced. */
  add(transactions: readonly ExecutedTransaction[]): void {
    for (const { receipt } of transactions) this.#logs += receipt.logs.length;
  }

  /** The shred for an increment with these transactions. `before` is the state before it. */
  shred(diff: StateDiff, transactions: readonly ExecutedTransaction[], before: StateView): JsonRecord {
    const startingLogIndex = this.#logs;
    this.add(transactions);
    return {
      blockNumber: diff.coordinates.block,
      shredIdx: diff.coordinates.index,
      blockTimestamp: Number(diff.env.timestamp),
      startingLogIndex,
      transactions: transactions.map(renderTransaction),
      stateChanges: stateChangesOf(diff, before),
    };
  }
}

/** A shred as a subscription notification, in JSON. */
export function notification(subscription: string, shred: JsonRecord): string {
  return JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: { subscription, result: shred } });
}

function renderTransaction({ raw, hash, from, receipt }: ExecutedTransaction): JsonRecord {
  const { type, fields } = renderTransactionJson(raw);
  return {
    transaction: { type: toQuantity(type), ...fields, hash: toHex(hash), signer: toHex(from) },
    receipt: {
      type: toQuantity(receipt.type),
      status: toQuantity(receipt.status),
      cumulativeGasUsed: toQuantity(receipt.cumulativeGasUsed),
      logs: receipt.logs.map(renderLog),
    },
  };
}

function renderLog({ address, topics, data }: Log): JsonRecord {
  return { address: toHex(address), topics: topics.map((topic) => toHex(topic)), data: toHex(data) };
}

/** Every changed account in full, with its changed slots. */
function stateChangesOf({ accounts, slots, codes }: StateDiff, before: StateView): JsonRecord {
  const codeOf = new ByteMap<Uint8Array>();
  for (const { hash, bytes } of codes) codeOf.set(hash, bytes);
  const changes: Record<string, JsonRecord & { storage: Record<string, JsonValue> }> = {};
  const add = (address: Uint8Array, account: AccountState | null): Record<string, JsonValue> => {
    const name = toHex(address);
    const { nonce, balance, codeHash } = account ?? NOTHING;
    const old = before.account(address)?.codeHash ?? EMPTY_CODE_HASH;
    const code = (): Uint8Array => codeOf.get(codeHash) ?? before.code(codeHash);
    const newCode = sameBytes(codeHash, old) ? null : toHex(sameBytes(codeHash, EMPTY_CODE_HASH) ? EMPTY : code());
    changes[name] ??= { nonce: Number(nonce), balance: toQuantity(balance), storage: {}, newCode };
    return changes[name].storage;
  };
  for (const { address, account } of accounts) add(address, account);
  for (const { address, slot, value } of slots) add(address, before.account(address))[toHex(slot)] = toHex(value);
  return changes;
}
