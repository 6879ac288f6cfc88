// Shreds as RISE nodes write them, and with every field missing or wrong in turn: an invalid field is named.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { SourceEvent } from '../../../src/feed/pre-confirmation-stream-events.js';
import { SHREDS_FORMAT, decodeShred } from '../../../src/feed/streams/shreds-decoder.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { LIMITS } from '../../../src/limits/index.js';
import { LOGGER, WRITER, genesis, makeInIncrements, shredsOf, type MadeBlock } from '../live/chain-maker.js';
import { replacedValues } from './replaced-values.js';

type Json = Record<string, unknown>;

interface Shred extends Json {
  transactions: { transaction: Json; receipt: Json & { logs: Json[] } }[];
  stateChanges: Record<string, Json & { storage: Json }>;
}

let made: MadeBlock;
let messages: string[];

before(async () => {
  const actions = [
    { from: 0, to: WRITER, words: [1n, 5n] },
    { from: 1, to: LOGGER, words: [7n] },
  ];
  const increments = await makeInIncrements(genesis(), actions, 2);
  made = increments.made;
  messages = shredsOf(increments, 2);
});

/** The second shred, which has transactions, with a change. */
function changed(change: (shred: Shred) => void): Buffer {
  const message = JSON.parse(messages[1]!) as { params: { result: Shred } };
  change(message.params.result);
  return Buffer.from(JSON.stringify(message));
}

function fault(message: Uint8Array): string {
  const news = decodeShred(message);
  assert.ok(news?.kind === 'gap', 'it cannot be read');
  return news.reason;
}

/** Decodes a response of the server. */
function say(answer: object): SourceEvent | null {
  return decodeShred(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, ...answer })));
}

const WRITER_NAME = toHex(WRITER);

void describe('a shred', () => {
  void it('that is the first of a block opens it, without the fields that shreds do not have', () => {
    const opening = decodeShred(Buffer.from(messages[0]!));
    assert.ok(opening?.kind === 'open');
    const { number, timestamp } = made.env;
    assert.deepEqual(opening.base, { parentHash: null, extraData: null, env: { number, timestamp } });
    assert.deepEqual([opening.block, opening.increment.transactions, opening.increment.gasUsed], [number, [], null]);
  });

  void it('that follows has transactions with their receipts, and state changes', () => {
    const news = decodeShred(Buffer.from(messages[1]!));
    assert.ok(news?.kind === 'append');
    const { index, transactions, gasUsed, outcome } = news.increment;
    assert.deepEqual([index, transactions], [1, made.block.transactions.map(({ raw }) => raw)]);
    assert.equal(gasUsed, made.block.transactions.at(-1)!.receipt.cumulativeGasUsed);
    const receipts = made.block.transactions.map(({ receipt: { type, status, cumulativeGasUsed, logs } }) => {
      return { type, status, cumulativeGasUsed, logs };
    });
    assert.deepEqual(outcome!.receipts, receipts);
    const names = outcome!.accounts.map(({ address }) => toHex(address));
    assert.deepEqual(names, [...names].sort());
    const writer = outcome!.accounts.find(({ address }) => toHex(address) === WRITER_NAME)!;
    assert.deepEqual([writer.code, writer.slots.map(({ value }) => value.at(-1))], [null, [5]]);
  });

  void it('may have slots and words without leading zeros, and code as hex', () => {
    const news = decodeShred(
      changed(({ stateChanges }) => {
        stateChanges[WRITER_NAME] = {
          nonce: 1,
          balance: '0x0',
          storage: { '0x1': '0x5', '0x0': '0x0' },
          newCode: '0x60',
        };
      }),
    );
    assert.ok(news?.kind === 'append');
    const writer = news.increment.outcome!.accounts.find(({ address }) => toHex(address) === WRITER_NAME)!;
    const slots = writer.slots.map(({ slot, value }) => [slot.length, slot.at(-1), value.length, value.at(-1)]);
    assert.deepEqual(
      [writer.code, slots],
      [
        Uint8Array.of(0x60),
        [
          [32, 0, 32, 0],
          [32, 1, 32, 5],
        ],
      ],
    );
  });

  void it('is not the reply to the subscription, and a refused subscription ends the connection', () => {
    assert.deepEqual(JSON.parse(SHREDS_FORMAT.greeting!), {
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_subscribe',
      params: ['shreds', true],
    });
    assert.equal(say({ result: '0x9ce5' }), null);
    const refusal = { code: -32601, message: 'no shreds here' };
    assert.deepEqual(say({ error: refusal }), { kind: 'down', reason: 'the subscription is refused: no shreds here' });
    assert.equal(fault(Buffer.from('{"id":1}')), 'result must be a text, not absent');
    assert.match(fault(Buffer.from('nonsense')), /^no JSON: /);
    assert.equal(fault(Buffer.alloc(LIMITS.feedFrameBytesMax + 1)), `too large: ${LIMITS.feedFrameBytesMax + 1} bytes`);
  });

  const wrong: readonly (readonly [fault: RegExp, change: (shred: Shred) => void])[] = [
    [/^params\.result\.blockNumber must be a whole number/, (shred) => (shred['blockNumber'] = '0x1')],
    [
      /^params\.result\.shredIdx must be a whole number from 0 to 1023, not 1024/,
      (shred) => (shred['shredIdx'] = 1024),
    ],
    [/^params\.result\.blockTimestamp must be .*, not absent/, (shred) => delete shred['blockTimestamp']],
    [/^params\.result\.startingLogIndex must be .*, not -1/, (shred) => (shred['startingLogIndex'] = -1)],
    [/^params\.result\.transactions must be an array/, (shred) => (shred.transactions = {} as Shred['transactions'])],
    [/^params\.result\.stateChanges must be an object, not absent/, (shred) => delete (shred as Json)['stateChanges']],
    [
      /transactions\[0\]\.transaction: r is no quantity/,
      ({ transactions }) => delete transactions[0]!.transaction['r'],
    ],
    [
      /transactions\[1\]\.transaction: transaction 0x.* has another hash/,
      ({ transactions }) => (transactions[1]!.transaction['nonce'] = '0x9'),
    ],
    [
      /transactions\[0\]\.transaction: from is no hex/,
      ({ transactions }) => delete transactions[0]!.transaction['signer'],
    ],
    [
      /transactions\[0\]\.receipt\.type: the transaction is of type 2/,
      ({ transactions }) => (transactions[0]!.receipt['type'] = '0x1'),
    ],
    [
      /transactions\[0\]\.receipt\.status: it is neither/,
      ({ transactions }) => (transactions[0]!.receipt['status'] = '0x2'),
    ],
    [
      /transactions\[0\]\.receipt\.cumulativeGasUsed must be/,
      ({ transactions }) => (transactions[0]!.receipt['cumulativeGasUsed'] = 1),
    ],
    [
      /transactions\[1\]\.receipt\.logs\[0\]\.topics\[0\] must be hex of 32 bytes/,
      ({ transactions }) => (transactions[1]!.receipt.logs[0]!['topics'] = ['0x01']),
    ],
    [
      /transactions\[1\]\.receipt\.logs\[0\]\.topics: they are more than 4/,
      ({ transactions }) => (transactions[1]!.receipt.logs[0]!['topics'] = [1, 2, 3, 4, 5]),
    ],
    [
      /transactions\[1\]\.receipt\.logs\[0\]\.address must be hex of 20 bytes/,
      ({ transactions }) => (transactions[1]!.receipt.logs[0]!['address'] = '0x'),
    ],
    [
      /^stateChanges has 0x12, which is no address/,
      ({ stateChanges }) => (stateChanges['0x12'] = stateChanges[WRITER_NAME]!),
    ],
    [
      /^stateChanges has an address twice/,
      ({ stateChanges }) => (stateChanges[WRITER_NAME.toUpperCase().replace('0X', '0x')] = stateChanges[WRITER_NAME]!),
    ],
    [
      /stateChanges\.0x0+aa\.nonce must be a whole number/,
      ({ stateChanges }) => (stateChanges[WRITER_NAME]!['nonce'] = '0x1'),
    ],
    [
      /stateChanges\.0x0+aa\.balance must be a hex quantity/,
      ({ stateChanges }) => (stateChanges[WRITER_NAME]!['balance'] = 1),
    ],
    [
      /stateChanges\.0x0+aa\.newCode must be hex of whole bytes/,
      ({ stateChanges }) => (stateChanges[WRITER_NAME]!['newCode'] = '0x1'),
    ],
    [
      /stateChanges\.0x0+aa\.storage must be an object/,
      ({ stateChanges }) => delete (stateChanges[WRITER_NAME] as Json)['storage'],
    ],
    [/^storage has x, which is no slot/, ({ stateChanges }) => (stateChanges[WRITER_NAME]!.storage['x'] = '0x1')],
    [
      /storage has a slot twice/,
      ({ stateChanges }) => Object.assign(stateChanges[WRITER_NAME]!.storage, { '0x1': '0x1', '0x01': '0x1' }),
    ],
    [
      /storage\.0x7 must be a hex quantity of at most 32 bytes/,
      ({ stateChanges }) => (stateChanges[WRITER_NAME]!.storage['0x7'] = `0x1${'0'.repeat(64)}`),
    ],
  ];
  for (const [text, change] of wrong) {
    void it(`with an invalid field is a fault: ${text.source}`, () => assert.match(fault(changed(change)), text));
  }

  void it('with replaced JSON values is a valid shred or a fault, never an exception', () => {
    const shreds = replacedValues(messages.slice(0, 2).map((text) => JSON.parse(text) as unknown));
    fc.assert(
      fc.property(shreds, (bytes) => check(decodeShred(bytes))),
      { numRuns: 2000, seed: 1 },
    );
  });

  void it('of arbitrary bytes is a fault, never an exception', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => check(decodeShred(bytes))),
      { numRuns: 500, seed: 2 },
    );
  });
});

function check(news: SourceEvent | null): void {
  if (news === null || 'reason' in news) {
    assert.ok(news === null || news.reason.length < 500);
    return;
  }
  const { index, transactions, outcome } = news.increment;
  assert.equal(news.kind === 'open', index === 0);
  assert.ok(outcome !== null && outcome.receipts.length === transactions.length);
  for (const { address, nonce, slots } of outcome.accounts) {
    assert.ok(address.length === 20 && nonce >= 0n);
    assert.ok(slots.every(({ slot, value }) => slot.length === 32 && value.length === 32));
  }
}
