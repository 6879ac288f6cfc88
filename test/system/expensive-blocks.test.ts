// The built program follows a chain whose blocks are as expensive as precompiles can make them: 1 Mgas of each
// precompile at its worst input, or a transaction's maximum of 16 Mgas with HEAVY=1. Each block becomes visible, with
// the state that the reference engine computes, and requests are answered meanwhile.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { engineFactory } from '../../src/evm/kernel/kernel-or-reference-engine.js';
import { KernelCounters } from '../../src/evm/kernel/kernel-counters-and-code-denylist.js';
import { LOADED_NATIVE_PRECOMPILES } from '../../src/evm/precompiles/native-precompiles.js';
import { NATIVE_FIRST_PRECOMPILES } from '../../src/evm/precompiles/precompile-implementations.js';
import type { TransactionExecutorDeps } from '../../src/execution/block/transaction-executor.js';
import { toHex, toQuantity } from '../../src/lib/bytes/hex.js';
import { toBytes } from '../../src/lib/bytes/big-endian.js';
import { ACCOUNTS, REPEATER, RULES, genesis, makeBlock, type MadeBlock } from '../feed/live/chain-maker.js';
import { until } from '../support/patience.js';
import { precompileRunner } from '../support/precompile-runner.js';
import { SUBJECTS, type Subject } from '../support/precompile-vectors.js';
import { Server, metric } from '../support/server.js';
import { UpstreamNode } from '../support/upstream-node.js';

const GAS = process.env['HEAVY'] === undefined ? 1_000_000n : 16_000_000n;
/** Gas of a transaction outside of its precompile calls. */
const REST_GAS = 100_000n;
/** Concurrent batches while the program executes. */
const READERS = 4;
const SENDER = toHex(ACCOUNTS[0]!);
const skip = LOADED_NATIVE_PRECOMPILES.bls === null ? LOADED_NATIVE_PRECOMPILES.reason : false;

const REFERENCE: TransactionExecutorDeps = {
  createEngine: engineFactory({ mode: 'off', counters: new KernelCounters().buffer }),
};
const run = precompileRunner(RULES.at(1, 1n), NATIVE_FIRST_PRECOMPILES);

/** The input that takes the most CPU time per gas. Which one it is does not affect what is tested. */
async function worst({ number, inputs }: Subject): Promise<{ readonly input: Uint8Array; readonly gas: bigint }> {
  const found: { input: Uint8Array; gas: bigint; usPerGas: number }[] = [];
  for (const input of inputs) {
    const start = process.cpuUsage();
    const { gas, error } = await run(number, input, GAS);
    const { user, system } = process.cpuUsage(start);
    if (error === null && gas <= GAS / 4n) found.push({ input, gas, usPerGas: (user + system) / Number(gas) });
  }
  return found.toSorted((a, b) => b.usPerGas - a.usPerGas)[0]!;
}

/** Sender and contract after a block. */
function stateOf({ number, state }: MadeBlock): string {
  const { nonce, balance } = state.account(ACCOUNTS[0]!)!;
  const calls = toHex(state.storage(REPEATER, toBytes(0n, 32)));
  return [toQuantity(number), toQuantity(nonce), toQuantity(balance), calls].join();
}

/** Empty blocks, followed by one block per precompile. */
async function makeChain(): Promise<MadeBlock[]> {
  const root = genesis();
  const chain = [root, await makeBlock(root, [])];
  for (const subject of SUBJECTS) {
    const { input, gas } = await worst(subject);
    const words = [BigInt(subject.number), gas + gas / 32n + REST_GAS];
    const action = { from: 0, to: REPEATER, words, data: input, gasLimit: GAS };
    const made = await makeBlock(chain.at(-1)!, [action], 0, REFERENCE);
    const { status, gasUsed } = made.block.transactions[0]!.receipt;
    assert.ok(status === 1 && gasUsed > GAS / 2n, subject.name);
    chain.push(made);
  }
  return chain;
}

describe('blocks full of a precompile', { skip }, () => {
  let node: UpstreamNode;
  let server: Server;
  let head: MadeBlock;
  let waiting: MadeBlock[];

  before(async () => {
    const [root, first, ...others] = await makeChain();
    [head, waiting] = [first!, others];
    node = await UpstreamNode.start({ chainId: RULES.chain.chainId, blocks: [root!, first!] });
    server = await Server.start('--workers', '2', '--upstream', node.url, '--upstream-ws', node.wsUrl);
    await until(async () => (await requested()) === stateOf(head), 'the head is visible');
  });
  after(async () => {
    await server.stop();
    await node.close();
  });

  async function requested(): Promise<string> {
    const calls = [
      ['eth_blockNumber'],
      ['eth_getTransactionCount', SENDER, 'latest'],
      ['eth_getBalance', SENDER, 'latest'],
      ['eth_getStorageAt', toHex(REPEATER), '0x0', 'latest'],
    ].map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }));
    const { status, text } = await server.post(JSON.stringify(calls));
    assert.equal(status, 200);
    return (JSON.parse(text) as { result: string }[]).map(({ result }) => result).join();
  }

  for (const { name } of SUBJECTS) {
    test(name, async (context) => {
      const made = waiting.shift()!;
      const known = [stateOf(head), stateOf(made)];
      await requested();
      const start = performance.now();
      let answers = 0;
      node.push(made);
      await until(async () => {
        const all = await Promise.all(Array.from({ length: READERS }, requested));
        for (const answer of all) assert.ok(known.includes(answer), `${answer} is none of ${known.join(' and ')}`);
        answers += all.length;
        return all.every((answer) => answer === known[1]);
      }, 'the block is visible');
      const ms = Math.round(performance.now() - start);
      context.diagnostic(`${name}: visible after ${ms} ms, ${answers} batches answered meanwhile`);
      head = made;
    });
  }

  test('are executed, or aborted at their deadline, without a header mismatch', async () => {
    // The publisher reports its counters twice a second. The program starts below the head, which it executes as well.
    const blocks = SUBJECTS.length + 1;
    const counts = ['blocks_executed_total', 'blocks_given_up_total'];
    await until(async () => {
      const [executed = NaN, aborted = NaN] = await Promise.all(counts.map((name) => metric(server, name)));
      return executed + aborted === blocks;
    });
    assert.equal(await metric(server, 'mismatches_total'), 0);
  });
});
