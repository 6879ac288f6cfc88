// The execution API's own conversations, run against the program with the chain imported on which they were recorded.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { METHODS } from '../../src/methods.table.js';
import { Server } from '../support/server.js';
import { sharedData, withoutData } from '../support/shared-data.js';
import { assertNoMismatch, MODES } from './modes.js';
import { assertTyped } from './answers.js';
import { type Conversation, readConversation } from './conversation.js';

const DATA = 'execution-apis';
const skip = withoutData(DATA);

interface Answer {
  readonly result?: unknown;
  readonly error?: { code: number; message?: string; data?: string };
}

/** Methods that execute; everything else is the same in every mode. */
const EXECUTING = /^(eth_(call|estimateGas|createAccessList|simulateV1)|debug_trace)/;
/** Conversations with other responses here: the expected error, and why. */
const OTHERWISE: readonly (readonly [file: RegExp, error: { readonly code: number; readonly message: RegExp }])[] = [
  // EIP-1474's error code for resources that are not found, which we use for all unknown blocks.
  [/^debug_traceBlockByHash\/trace-block-not-found/, { code: -32001, message: /^block not found: / }],
  // Their blocks are from forks before London, whose rules the kernel does not support.
  [
    /^debug_trace\w+\/trace-(block-(memory-encoding|return-data|storage-|with-transactions)|contract-call|legacy-transfer)/,
    { code: -32000, message: /^blocks are executed again from London on$/ },
  ],
];
/** Members that the specification of eth_capabilities makes optional: a disabled resource has no oldest block. */
const OPTIONAL = new Set(['oldestBlock', 'deleteStrategy']);

/** The type of a value and of its contents. Quantities of different length have the same type. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([name]) => !OPTIONAL.has(name));
    return Object.fromEntries(members.map(([name, member]) => [name, shapeOf(member)]));
  }
  return typeof value === 'string' && /^0x[0-9a-f]*$/.test(value) ? 'hex' : typeof value;
}

function assertAnswer(file: string, actual: Answer, expected: Answer, conversation: Conversation): void {
  const otherwise = OTHERWISE.find(([files]) => files.test(file));
  if (otherwise !== undefined) {
    assert.equal(actual.error?.code, otherwise[1].code, JSON.stringify(actual));
    return assert.match(actual.error.message!, otherwise[1].message);
  }
  if (expected.error !== undefined) {
    const { code, data } = expected.error;
    assert.equal(actual.error?.code, code, JSON.stringify(actual));
    assert.equal(actual.error?.data, data);
  } else if (conversation.shapeOnly) {
    assert.deepEqual(shapeOf(actual.result), shapeOf(expected.result));
  } else {
    assert.deepEqual(actual, expected);
  }
}

const servedHere = [...METHODS.values()].filter(({ needsSubmit }) => needsSubmit !== true);
const files = skip
  ? []
  : servedHere.flatMap(({ name }) => {
      const folder = sharedData(join(DATA, 'tests', name));
      return withoutData(join(DATA, 'tests', name)) ? [] : readdirSync(folder).map((file) => join(name, file));
    });

const CHAIN = ['--genesis', sharedData(`${DATA}/genesis.json`), '--chain', sharedData(`${DATA}/chain.rlp`)];

// In a short run, the other modes are covered by our own conversations.
for (const [index, mode] of (process.env['HEAVY'] === undefined ? MODES.slice(0, 1) : MODES).entries()) {
  describe(`execution API conversations, prestate ${mode.join(' ')}`, { skip }, () => {
    let geth: Server;
    before(async () => {
      geth = await Server.startPatient(...CHAIN, ...mode, '--revert-error-code', '3');
    });
    after(() => geth.stop());

    for (const file of index === 0 ? files : files.filter((name) => EXECUTING.test(name))) {
      test(file, async () => {
        const conversation = readConversation(sharedData(join(DATA, 'tests', file)));
        assert.ok(conversation.exchanges.length > 0);
        for (const { request, answer } of conversation.exchanges) {
          const { text } = await geth.post(request);
          assertAnswer(file, JSON.parse(text) as Answer, JSON.parse(answer) as Answer, conversation);
          assertTyped(request, text);
        }
      });
    }

    test('the kernel and the reference do not differ', () => assertNoMismatch(geth));
  });
}
