// The running program on an imported chain that the library has built: its responses at every block, by number and by
// hash, are what the library computed, in every mode of execution.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { toQuantity } from '../../src/lib/bytes/hex.js';
import { makeOwnChain, STORE, type OwnBlock, type OwnChain } from '../support/own-chain.js';
import { Server } from '../support/server.js';
import { batch, type Block, type Call } from '../system/batch.js';
import { ownConversations } from './conversation.js';
import { testConversation } from './conversation-test.js';
import { assertNoMismatch, MODES } from './modes.js';

let chain: OwnChain;
before(async () => {
  chain = await makeOwnChain();
});

/** Requests for everything that is known about the state after the block. */
function questions({ number, hash, accounts }: OwnBlock): { readonly calls: Call[]; readonly answers: string[] } {
  const name = number % 2 === 0 ? toQuantity(number) : { blockHash: hash };
  const requested = [...accounts].flatMap(([address, { nonce, balance, code, slots }]): (readonly [Call, string])[] => [
    [['eth_getTransactionCount', address, name], nonce],
    [['eth_getBalance', address, name], balance],
    [['eth_getCode', address, name], code],
    ...slots.map((value, slot) => [['eth_getStorageAt', address, toQuantity(slot), name], value] as const),
  ]);
  return { calls: requested.map(([call]) => call), answers: requested.map(([, answer]) => answer) };
}

const LONDON = 2;
const TRACER = { tracer: 'callTracer' };
/** Code that returns a slot of its account. */
const LOAD = '0x6000355460005260206000f3';

/** Parameters of eth_callMany that read the slots of STORE after so many transactions of a block. */
function insideOf({ hash, accounts }: OwnBlock, transactionIndex: number): readonly unknown[] {
  const calls = accounts.get(STORE)!.slots.map((_, slot) => ({
    to: STORE,
    data: `0x${slot.toString(16).padStart(64, '0')}`,
  }));
  return [
    [{ transactions: calls }],
    { blockNumber: { blockHash: hash }, transactionIndex },
    { [STORE]: { code: LOAD } },
  ];
}

async function slotsInside(server: Server, block: OwnBlock, count: number): Promise<string[]> {
  const [bundle] = await server.result<{ value: string }[][]>('eth_callMany', ...insideOf(block, count));
  return bundle!.map(({ value }) => value);
}

async function feesOf(server: Server, count: string, number: number): Promise<string[]> {
  const history = await server.result<{ baseFeePerGas: string[] }>('eth_feeHistory', count, toQuantity(number));
  return history.baseFeePerGas;
}

for (const mode of MODES) {
  describe(`an imported chain of our own, prestate ${mode.join(' ')}`, () => {
    let server: Server;
    before(async () => {
      server = await Server.startPatient('--genesis', chain.genesisFile, '--chain', chain.chainFile, ...mode);
    });
    after(() => server.stop());

    test("the history of fees ends with the base fee that the next block has, London's first one included", async () => {
      for (const { number } of chain.blocks.slice(1)) {
        const block = await server.result<{ baseFeePerGas?: string }>(
          'eth_getBlockByNumber',
          toQuantity(number),
          false,
        );
        assert.equal((await feesOf(server, '0x1', number - 1))[1], block.baseFeePerGas ?? '0x0', `block ${number}`);
      }
      assert.deepEqual(await feesOf(server, '0x1', 0), ['0x0', '0x0']);
      assert.deepEqual(await feesOf(server, '0x2', LONDON - 1), ['0x0', '0x0', '0x3b9aca00']);
    });

    test('the state after every block is that of the library', async () => {
      for (const block of chain.blocks) {
        const { calls, answers } = questions(block);
        assert.deepEqual((await batch(server, ...calls)).results, answers, `block ${block.number}`);
      }
    });

    test('every block is found by number and by hash, with the hashes of its transactions', async () => {
      for (const { number, hash, transactions } of chain.blocks) {
        const byNumber = await server.result<Block>('eth_getBlockByNumber', toQuantity(number), false);
        assert.equal(byNumber.hash, hash);
        assert.deepEqual(
          byNumber.transactions,
          transactions.map((transaction) => `0x${Buffer.from(transaction.hash()).toString('hex')}`),
        );
        assert.deepEqual(await server.result('eth_getBlockByHash', hash, false), byNumber);
      }
    });

    test('calls on the last block return what the library returns, and are estimated at the gas that it uses', async () => {
      for (const { from, to, data, gas, output } of chain.calls) {
        assert.equal(await server.result('eth_call', { from, to, data }, 'latest'), output);
        assert.equal(await server.result('eth_estimateGas', { from, to, data }, 'latest'), gas);
      }
    });

    test('calls inside a block see the state of the library before its first transaction and after its last', async () => {
      const sequences = chain.blocks.slice(chain.blocks.findIndex(({ number }) => number === LONDON)).map((block) => ({
        block,
        slots: [chain.blocks[block.number - 1]!, block].map(({ accounts }) => accounts.get(STORE)!.slots),
      }));
      assert.ok(sequences.length > 5);
      for (const { block, slots } of sequences) {
        const read = await Promise.all(
          [0, block.transactions.length].map((count) => slotsInside(server, block, count)),
        );
        assert.deepEqual(read, slots, `block ${block.number}`);
      }
      const early = await server.query('eth_callMany', insideOf(chain.blocks[LONDON - 1]!, 1));
      assert.equal(early.error?.message, 'blocks are executed again from London on');
    });

    test('traces of whole blocks use the gas of their receipts, from London on', async () => {
      for (const { number, hash } of chain.blocks.filter((block) => block.number >= LONDON)) {
        const receipts = await server.result<{ gasUsed: string }[]>('eth_getBlockReceipts', hash);
        const traces = await server.result<{ result: { gasUsed: string } }[]>('debug_traceBlockByHash', hash, TRACER);
        assert.deepEqual(
          traces.map(({ result }) => result.gasUsed),
          receipts.map(({ gasUsed }) => gasUsed),
          `block ${number}`,
        );
      }
      const early = await server.query('debug_traceBlockByHash', [chain.blocks[LONDON - 1]!.hash, TRACER]);
      assert.equal(early.error?.message, 'blocks are executed again from London on');
    });

    for (const { file, conversation } of ownConversations()) {
      if (conversation.flags.includes('--chain')) testConversation(file, conversation, () => server);
    }

    test('the kernel and the reference do not differ', () => assertNoMismatch(server));
  });
}
