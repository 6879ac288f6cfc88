// Decodes one message of RISE's subscription `shreds` (a shred is an increment of a block). The result is an increment
// with its state changes, or a `gap` event if the message cannot be decoded. Pure.
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { WORD_BYTES, toBytes } from '../../lib/bytes/big-endian.js';
import { LIMITS } from '../../limits/index.js';
import type { Log, AnnouncedTransaction } from '../../state/complete-block.js';
import { WRONG_ANSWER_PREFIX } from '../../upstream/reads/json-values.js';
import { parseTransaction } from '../../upstream/reads/transaction-json-to-bytes.js';
import { UpstreamError } from '../../upstream/upstream.js';
import type {
  ExecutionOutcome,
  SourceEvent,
  ReportedAccount,
  ReportedIncrement,
  ReportedReceipt,
} from '../pre-confirmation-stream-events.js';
import {
  JsonMessageReader,
  MalformedMessageError,
  decodeOrGap,
  malformedMessageGap,
  parseMessage,
} from './json-message-fields.js';
import type { StreamFormat } from './pre-confirmation-feed-connection.js';

/** The message format of RISE's nodes: shreds, each with the changes that its transactions make. */
export const SHREDS_FORMAT: StreamFormat = {
  decode: decodeShred,
  greeting: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['shreds', true] }),
};

const TOPICS_MAX = 4;

/**
 * Decodes a notification, or the response to the subscription. All fields that are used are validated strictly. Numbers
 * are decimal, except in transactions, receipts and balances. A shred contains neither the parent hash nor an id of the
 * builder's attempt to build the block; the block's timestamp is used as that id.
 */
export function decodeShred(message: Uint8Array): SourceEvent | null {
  if (message.length > LIMITS.feedFrameBytesMax) return malformedMessageGap(`too large: ${message.length} bytes`);
  return decodeOrGap(() => {
    const fields = parseMessage(message);
    return fields.has('method') ? readShred(fields.fields('params').fields('result')) : answered(fields);
  });
}

function answered(answer: JsonMessageReader): SourceEvent | null {
  if (!answer.has('error')) {
    answer.text('result');
    return null;
  }
  const reason = answer.fields('error').text('message');
  return { kind: 'down', reason: `the subscription is refused: ${reason}` };
}

function readShred(shred: JsonMessageReader): ReportedIncrement {
  const block = shred.count('blockNumber', Number.MAX_SAFE_INTEGER);
  const index = shred.count('shredIdx', LIMITS.feedIncrementsMax - 1);
  const timestamp = BigInt(shred.count('blockTimestamp', Number.MAX_SAFE_INTEGER));
  const items = shred.list('transactions');
  const transactions = items.map(transactionIn);
  const outcome: ExecutionOutcome = {
    logsBefore: shred.count('startingLogIndex', Number.MAX_SAFE_INTEGER),
    receipts: items.map((item, at) => receiptOf(item.fields('receipt'), transactions[at]!)),
    accounts: accountsOf(shred.fields('stateChanges')),
  };
  const gasUsed = outcome.receipts.at(-1)?.cumulativeGasUsed ?? null;
  const raws = transactions.map(({ raw }) => raw);
  const increment = { index, transactions: raws, gasUsed, receiptsRoot: null, ending: null, outcome };
  const appending = { block, attempt: String(timestamp), increment };
  if (index > 0) return { kind: 'append', ...appending };
  return { kind: 'open', ...appending, base: { parentHash: null, extraData: null, env: { number: block, timestamp } } };
}

/** Decodes a transaction. RISE's nodes call its sender `signer`, except for deposits. */
function transactionIn(item: JsonMessageReader): AnnouncedTransaction {
  const json = item.object('transaction');
  try {
    return parseTransaction({ ...json, from: json['from'] ?? json['signer'] });
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    throw item.wrong('transaction', error.message.replace(WRONG_ANSWER_PREFIX, ''));
  }
}

/**
 * Decodes a receipt, without fields that are computed later from the transaction and its position in the block, such as
 * the gas used.
 */
function receiptOf(receipt: JsonMessageReader, { raw }: AnnouncedTransaction): ReportedReceipt {
  const type = raw[0]! < 0x80 ? raw[0]! : 0;
  if (Number(receipt.quantity('type', 1)) !== type) throw receipt.wrong('type', `the transaction is of type ${type}`);
  const status = receipt.quantity('status', 1);
  if (status > 1n) throw receipt.wrong('status', 'it is neither 0x0 nor 0x1');
  return {
    type,
    status: status === 1n ? 1 : 0,
    cumulativeGasUsed: receipt.quantity('cumulativeGasUsed', 8),
    logs: receipt.list('logs').map(logOf),
    ...(receipt.has('depositNonce') ? { depositNonce: receipt.quantity('depositNonce', 8) } : {}),
  };
}

function logOf(log: JsonMessageReader): Log {
  const topics = log.list('topics');
  if (topics.length > TOPICS_MAX) throw log.wrong('topics', `they are more than ${TOPICS_MAX}`);
  return {
    address: log.bytes('address', 20),
    topics: topics.map((topic) => topic.asBytes(WORD_BYTES)),
    data: log.bytes('data', null),
  };
}

/** Decodes the changed accounts, which servers send in any order, and sorts them by address. */
function accountsOf(changes: JsonMessageReader): ReportedAccount[] {
  const accounts = changes.names().map((name) => accountOf(name, changes.fields(name)));
  return sorted(accounts, ({ address }) => address, 'stateChanges has an address twice');
}

/** Sorts items by key. Throws MalformedMessageError if two have the same key. */
function sorted<Item>(items: readonly Item[], keyOf: (item: Item) => Uint8Array, fault: string): Item[] {
  const ascending = [...items].sort((a, b) => Buffer.compare(keyOf(a), keyOf(b)));
  const isTwice = ascending.some((item, at) => at > 0 && sameBytes(keyOf(item), keyOf(ascending[at - 1]!)));
  if (isTwice) throw new MalformedMessageError(fault);
  return ascending;
}

function accountOf(name: string, account: JsonMessageReader): ReportedAccount {
  const storage = account.fields('storage');
  const slots = storage
    .names()
    .map((slot) => ({ slot: wordOf(slot), value: word(storage.quantity(slot, WORD_BYTES)) }));
  return {
    address: addressOf(name),
    nonce: BigInt(account.count('nonce', Number.MAX_SAFE_INTEGER)),
    balance: account.quantity('balance', WORD_BYTES),
    code: account.has('newCode') ? account.bytes('newCode', null) : null,
    slots: sorted(slots, ({ slot }) => slot, `stateChanges.${name}.storage has a slot twice`),
  };
}

function addressOf(name: string): Uint8Array {
  if (!/^0x[0-9a-f]{40}$/i.test(name))
    throw new MalformedMessageError(`stateChanges has ${name.slice(0, 80)}, which is no address`);
  return new Uint8Array(Buffer.from(name.slice(2), 'hex'));
}

/** Decodes the key of a slot, with or without leading zeros. */
function wordOf(name: string): Uint8Array {
  if (!/^0x[0-9a-f]{1,64}$/i.test(name))
    throw new MalformedMessageError(`storage has ${name.slice(0, 80)}, which is no slot`);
  return word(BigInt(name));
}

function word(value: bigint): Uint8Array {
  return toBytes(value, WORD_BYTES);
}
