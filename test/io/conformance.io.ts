// The execution API's own conversations, asked of the running program with the chain imported that they were recorded
// on.
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

/** What executes; all else is the same in every mode. */
const EXECUTING = /^(eth_(call|estimateGas|createAccessList|simulateV1)|debug_trace)/;
/** Members that the specification of eth_capabilities lets be absent: what is switched off has no oldest block. */
const OPTIONAL = new Set(['oldestBlock', 'deleteStrategy']);

/** The kind of a value, and of what it holds. A quantity of another size is of the same kind. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([name]) => !OPTIONAL.has(name));
    return Object.fromEntries(members.map(([name, member]) => [name, shapeOf(member)]));
  }
  return typeof value === 'string' && /^0x[0-9a-f]*$/.test(value) ? 'hex' : typeof value;
}

function assertAnswer(actual: Answer, expected: Answer, conversation: Conversation): void {
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

for (const [index, mode] of MODES.entries()) {
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
          assertAnswer(JSON.parse(text) as Answer, JSON.parse(answer) as Answer, conversation);
          assertTyped(request, text);
        }
      });
    }

    test('the kernel and the reference do not differ', () => assertNoMismatch(geth));
  });
}
