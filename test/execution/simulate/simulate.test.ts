// Simulated blocks on kernel, reference and both: what a block leaves for the next one, headers, ether transfers,
// missing state. Errors are in test/io/simulate.io, and go-ethereum's own responses in the execution API's
// conversations.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { JobRunner } from '../../../src/execution/call/job-runner.js';
import { runWithMissingState } from '../../../src/execution/call/find-missing-keys.js';
import { StateTrie } from '../../../src/chain/state-root.js';
import { encodeHeader, type Header } from '../../../src/chain/block/header.js';
import { WITHDRAWAL_QUEUE_ADDRESS } from '../../../src/chain/block/execution-requests.js';
import { BEACON_ROOTS_ADDRESS } from '../../../src/chain/block-start-system-contracts.js';
import { keccak256 } from '../../../src/lib/bytes/keccak-wasm.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import type { CallsInBlock, Job, JobOutcome, SimulationParams } from '../../../src/transaction/evm-job.js';
import { assemble as assembled } from '../../support/assembler.js';
import { blockEnv, callRequest, chainAt, job } from '../../support/jobs.js';
import { bytes, MemoryView } from '../../support/memory-view.js';
import { simulatedParent } from '../../support/simulated-parent.js';
import { candidateEngine, referenceEngine } from '../../support/programs/engines.js';
import { l1BlockStorage, opChainAt } from '../op/blocks.js';
import { L1_BLOCK_ADDRESS } from '../../../src/chain/op/predeploys.js';
import { coldView } from '../cold-view.js';

function assemble(text: string): Uint8Array {
  return bytes(assembled(text), 0);
}

const SENDER = 'aa'.repeat(20);
const COUNTER = 'c1'.repeat(20);
const PAYER = 'c2'.repeat(20);
const OTHER = 'bb'.repeat(20);
/** Adds one to slot 0 and returns it. */
const COUNT = assemble('PUSH 0; SLOAD; PUSH 1; ADD; DUP1; PUSH 0; SSTORE; PUSH 0; MSTORE; PUSH 32; PUSH 0; RETURN');
/** Returns the hash of the parent block. */
const PARENT_HASH = assemble('PUSH 1; NUMBER; SUB; BLOCKHASH; PUSH 0; MSTORE; PUSH 32; PUSH 0; RETURN');
const ENV = blockEnv();

function state(): MemoryView {
  return new MemoryView()
    .put(SENDER, { balance: 10n ** 18n })
    .put(COUNTER, { nonce: 1n, code: COUNT, storage: { '0': 4n } });
}

/** The view as lists, from which tries are built. */
function contents(view: MemoryView): { accounts: never[]; slots: never[] } {
  const accounts = [SENDER, COUNTER].map((address) => ({
    address: bytes(address, 20),
    account: view.account(bytes(address, 20)),
  }));
  const slot = new Uint8Array(32);
  const slots = [{ address: bytes(COUNTER, 20), slot, value: view.storage(bytes(COUNTER, 20), slot) }];
  return { accounts, slots } as unknown as { accounts: never[]; slots: never[] };
}

function block(calls: CallsInBlock['calls'], more: Partial<CallsInBlock> = {}): CallsInBlock {
  return { stateOverride: [], blockOverride: null, calls, ...more };
}

function simulated(blocks: readonly CallsInBlock[], header: Header, more: Partial<SimulationParams> = {}): Job {
  const options = { traceTransfers: false, validation: false, returnFullTransactions: false, isPreConfirmed: false };
  return {
    ...job({}),
    kind: 'simulate',
    blocks,
    simulation: { parentHeader: encodeHeader(header), ...options, ...more },
  };
}

interface BlockJson {
  readonly [field: string]: unknown;
  readonly hash: string;
  readonly calls: readonly { readonly [field: string]: unknown; readonly logs: readonly Record<string, unknown>[] }[];
}

function blocksOf(outcome: JobOutcome): BlockJson[] {
  assert.equal(outcome.kind, 'json', JSON.stringify(outcome));
  return JSON.parse((outcome as { text: string }).text) as BlockJson[];
}

const word = (value: number): string => `0x${value.toString(16).padStart(64, '0')}`;

for (const [name, createEngine] of [
  ['kernel', candidateEngine],
  ['reference', referenceEngine],
] as const) {
  void describe(`simulated blocks on the ${name}`, () => {
    const runner = new JobRunner({ rules: createChainRules(chainAt('prague')), createEngine });

    async function run(
      blocks: readonly CallsInBlock[],
      more: Partial<SimulationParams> = {},
      requested: Partial<Job> = {},
    ): Promise<JobOutcome> {
      const view = state();
      const trie = new StateTrie();
      trie.apply(contents(view));
      const header = simulatedParent(trie.root());
      return runner.runJob({ ...simulated(blocks, header, more), ...requested }, view, ENV, () => contents(view));
    }

    void test('a call sees the changes of those before it, also in the next block', async () => {
      const count = callRequest({ from: SENDER, to: COUNTER });
      const first = block([count, count]);
      const second = block([count, callRequest({ from: SENDER, to: OTHER })], {
        stateOverride: [{ address: bytes(OTHER, 20), code: PARENT_HASH }],
        blockOverride: { number: BigInt(ENV.number + 3) },
      });
      const blocks = blocksOf(await run([first, second]));
      assert.deepEqual(
        blocks.map(({ number, timestamp }) => [Number(number), Number(timestamp) - Number(ENV.timestamp)]),
        [1, 2, 3].map((i) => [ENV.number + i, 12 * i]),
      );
      assert.deepEqual(
        blocks.map(({ calls }) => calls.map(({ returnData }) => returnData)),
        [[word(5), word(6)], [], [word(7), blocks[1]!.hash]],
      );
      assert.deepEqual([blocks[1]!['parentHash'], blocks[2]!['parentHash']], [blocks[0]!.hash, blocks[1]!.hash]);
    });

    void test('BLOCKHASH returns overridden hashes in their block only', async () => {
      const requests = [callRequest({ from: SENDER, to: OTHER })];
      const stateOverride = [{ address: bytes(OTHER, 20), code: PARENT_HASH }];
      const said = fromHex(word(0xabc));
      const first = block(requests, { stateOverride, blockOverride: { blockHash: [[BigInt(ENV.number), said]] } });
      const blocks = blocksOf(await run([first, block(requests)]));
      const answers = blocks.map(({ calls }) => calls[0]!['returnData']);
      assert.deepEqual(answers, [toHex(said), blocks[0]!.hash]);
    });

    void test('code reads the fees of its block even if its call pays none', async () => {
      const code = assemble('BASEFEE; PUSH 0; MSTORE; BLOBBASEFEE; PUSH 32; MSTORE; PUSH 64; PUSH 0; RETURN');
      const stateOverride = [{ address: bytes(OTHER, 20), code }];
      const blobs = { blobVersionedHashes: [`01${'00'.repeat(31)}`] };
      const requested = [callRequest({ from: SENDER, to: OTHER }), callRequest({ from: SENDER, to: OTHER, ...blobs })];
      const feesOf = async (blockOverride: CallsInBlock['blockOverride'], validation: boolean): Promise<unknown[]> => {
        const made = blocksOf(await run([block(requested, { stateOverride, blockOverride })], { validation }));
        return made[0]!.calls.map(({ returnData }) => returnData);
      };
      const fees = `${word(100)}${word(9).slice(2)}`;
      assert.deepEqual(await feesOf({ baseFeePerGas: 100n, blobBaseFee: 9n }, false), [fees, fees]);
      const free = `${word(0)}${word(1).slice(2)}`;
      assert.deepEqual(await feesOf(null, false), [free, free]);
    });

    void test('a sender with the highest nonce has no valid transaction', async () => {
      const stateOverride = [{ address: bytes(SENDER, 20), nonce: 2n ** 64n - 1n }];
      const requested = block([callRequest({ from: SENDER, to: OTHER, maxFeePerGas: 10n ** 9n })], { stateOverride });
      const outcome = await run([requested], { validation: true });
      assert.ok(outcome.kind === 'failure');
      assert.equal(outcome.error, 'invalidTransaction');
      assert.match(
        outcome.message,
        /^err: nonce has max value: address 0x[0-9A-Fa-f]{40}, nonce: 18446744073709551615 /,
      );
    });

    void test('the state root includes the changes', async () => {
      const [made] = blocksOf(await run([block([callRequest({ from: SENDER, to: OTHER, value: 7n })])]));
      const trie = new StateTrie();
      const view = state();
      trie.apply(contents(view));
      const codeHash = view.account(bytes(SENDER, 20))!.codeHash;
      const changed = [
        { address: bytes(SENDER, 20), account: { nonce: 1n, balance: 10n ** 18n - 7n, codeHash } },
        { address: bytes(OTHER, 20), account: { nonce: 0n, balance: 7n, codeHash } },
      ];
      trie.apply({ accounts: changed, slots: [] });
      assert.equal(made!['stateRoot'], toHex(trie.root()));
    });

    void test('roots are zero without the whole state, and after a pre-confirmed block', async () => {
      const view = state();
      const header = simulatedParent(new Uint8Array(32));
      const requested = simulated([block([])], header, { isPreConfirmed: true, validation: true });
      const [made] = blocksOf(await runner.runJob(requested, view, ENV));
      assert.deepEqual([made!['stateRoot'], made!['parentHash']], [word(0), word(0)]);
      assert.equal(made!['baseFeePerGas'], '0x3e8', 'its gas is not final: the base fee stays');
      const [confirmed] = blocksOf(
        await runner.runJob(simulated([block([])], header, { validation: true }), view, ENV),
      );
      assert.equal(confirmed!['parentHash'], toHex(keccak256(encodeHeader(header))));
      assert.equal(confirmed!['baseFeePerGas'], '0x465', 'a full block raises it by an eighth');
    });

    void test('CALLCODE and DELEGATECALL, which transfer no ether, log no transfer', async () => {
      const callcodes = [`PUSH 0x${OTHER}`, 'ADDRESS']
        .map((to) => `PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 2; ${to}; PUSH 3000; CALLCODE`)
        .join('; ');
      const delegatecall = `PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 0x${OTHER}; GAS; DELEGATECALL`;
      const code = assemble(`${callcodes}; ${delegatecall}; PUSH 0; PUSH 0; LOG0`);
      const stateOverride = [{ address: bytes(PAYER, 20), code }];
      const requested = block([callRequest({ from: SENDER, to: PAYER, value: 5n })], { stateOverride });
      const { logs } = blocksOf(await run([requested], { traceTransfers: true }))[0]!.calls[0]!;
      assert.deepEqual(
        logs.map(({ topics, logIndex }) => [(topics as string[]).length, logIndex]),
        [
          [3, '0x0'],
          [0, '0x1'],
        ],
      );
    });

    void test('transfers of ether are logged, and reverted logs still count in the numbering', async () => {
      const pays = assemble(
        `PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 2; PUSH 0x${OTHER}; PUSH 30000; CALL; PUSH 0x${OTHER}; SELFDESTRUCT`,
      );
      const reverts = assemble('PUSH 0; PUSH 0; LOG0; PUSH 0; PUSH 0; REVERT');
      const blocks = [
        block(
          [callRequest({ from: SENDER, to: PAYER, value: 1n }), callRequest({ from: SENDER, to: PAYER, value: 5n })],
          { stateOverride: [{ address: bytes(PAYER, 20), code: reverts }] },
        ),
        block([callRequest({ from: SENDER, to: PAYER, value: 5n })], {
          stateOverride: [{ address: bytes(PAYER, 20), code: pays }],
        }),
      ];
      const [first, second] = blocksOf(await run(blocks, { traceTransfers: true }));
      assert.deepEqual(
        first!.calls.map(({ logs, status }) => [logs.length, status]),
        [
          [0, '0x0'],
          [0, '0x0'],
        ],
      );
      const logs = second!.calls[0]!.logs;
      assert.deepEqual(
        logs.map(({ topics, data, logIndex }) => [
          ...(topics as string[]).slice(1).map((topic) => topic.slice(26)),
          Number(data),
          logIndex,
        ]),
        [
          [SENDER, PAYER, 5, '0x0'],
          [PAYER, OTHER, 2, '0x1'],
          [PAYER, OTHER, 3, '0x2'],
        ],
      );
      assert.equal(second!['logsBloom'], `0x${'00'.repeat(256)}`, 'no contract has logged');
      const untraced = blocksOf(await run([blocks[1]!]));
      assert.deepEqual(untraced[0]!.calls[0]!.logs, []);
    });

    void test('withdrawals are credited', async () => {
      const withdrawals = [{ index: 1n, validatorIndex: 2n, address: bytes(OTHER, 20), amount: 3n }];
      const balance = assemble(`PUSH 0x${OTHER}; BALANCE; PUSH 0; MSTORE; PUSH 32; PUSH 0; RETURN`);
      const stateOverride = [{ address: bytes(COUNTER, 20), code: balance }];
      const calls = block([callRequest({ from: SENDER, to: COUNTER })], { stateOverride });
      const [first, second] = blocksOf(await run([block([], { blockOverride: { withdrawals } }), calls]));
      assert.deepEqual(first!['withdrawals'], [
        { index: '0x1', validatorIndex: '0x2', address: `0x${OTHER}`, amount: '0x3' },
      ]);
      assert.equal(second!.calls[0]!['returnData'], word(3_000_000_000));
    });

    void test('a call with a gas price pays its tip to the fee recipient', async () => {
      const paid = callRequest({
        from: SENDER,
        to: OTHER,
        gas: 21_000n,
        maxFeePerGas: 2000n,
        maxPriorityFeePerGas: 3n,
      });
      const balance = assemble('COINBASE; BALANCE; PUSH 0; MSTORE; PUSH 32; PUSH 0; RETURN');
      const stateOverride = [{ address: bytes(COUNTER, 20), code: balance }];
      const calls = callRequest({ from: SENDER, to: COUNTER, maxFeePerGas: 2000n });
      const [made] = blocksOf(await run([block([paid, calls], { stateOverride })], { validation: true }));
      assert.equal(made!.calls[1]!['returnData'], word(3 * 21_000));
    });

    void test('code that does not end is aborted, and the next job runs', async () => {
      const stateOverride = [{ address: bytes(OTHER, 20), code: assemble('LABEL again; REF again; JUMP') }];
      const endless = block([callRequest({ from: SENDER, to: OTHER })], { stateOverride });
      const outcome = await run([endless], {}, { timeoutMs: 1 });
      assert.equal(outcome.kind === 'failure' && outcome.error, 'timeout');
      const [made] = blocksOf(await run([block([callRequest({ from: SENDER, to: COUNTER })])]));
      assert.equal(made!.calls[0]!['returnData'], word(5));
    });

    for (const [which, address] of [
      ['begins', BEACON_ROOTS_ADDRESS],
      ['ends', WITHDRAWAL_QUEUE_ADDRESS],
    ] as const) {
      void test(`an endless system call with which a block ${which} is aborted`, async () => {
        const stateOverride = [{ address, code: assemble('LABEL again; REF again; JUMP') }];
        const outcome = await run([block([], { stateOverride })], {}, { timeoutMs: 1 });
        assert.equal(outcome.kind === 'failure' && outcome.error, 'timeout');
      });
    }

    for (const kind of ['simulate', 'callMany'] as const) {
      void test(`missing state is reported in as few rounds as possible, then ${kind} runs`, async () => {
        const partial = coldView(state());
        const calls = [callRequest({ from: SENDER, to: COUNTER }), callRequest({ from: OTHER, to: COUNTER })];
        const header = simulatedParent(new Uint8Array(32));
        const requested: Job = { ...simulated([block(calls)], header, { isPreConfirmed: true }), kind };
        let rounds = 0;
        let outcome = await runWithMissingState(runner, requested, { view: partial.view, env: ENV });
        for (; outcome.kind === 'missing'; rounds++) {
          partial.learn(outcome);
          outcome = await runWithMissingState(runner, requested, { view: partial.view, env: ENV });
        }
        assert.ok(rounds <= 3, `${rounds} rounds`);
        const whole = await runner.runJob(requested, state(), ENV);
        assert.deepEqual(outcome, whole);
      });
    }
  });
}

void test('an OP-Stack block has the extra data of its parent and its data footprint, from which the next base fee follows', async () => {
  const runner = new JobRunner({ rules: createChainRules(opChainAt('jovian')), createEngine: candidateEngine });
  const storage = l1BlockStorage({ scalar: 0n, constant: 0n, footprint: 1000n });
  const view = state().put(toHex(L1_BLOCK_ADDRESS), { nonce: 1n, storage });
  // Version 1, denominator 50, elasticity 6, minimum base fee 10.
  const extraData = fromHex('0x010000003200000006000000000000000a');
  const header = { ...simulatedParent(new Uint8Array(32)), extraData, gasUsed: 0n };
  const noise = Buffer.concat(Array.from({ length: 1000 }, (_, i) => keccak256(Uint8Array.of(i >> 8, i & 255))));
  const call = callRequest({ from: SENDER, to: OTHER, data: noise, maxFeePerGas: 10n ** 6n });
  const outcome = await runner.runJob(
    simulated([block([call]), block([])], header, { validation: true }),
    view,
    ENV,
    () => null,
  );
  const [first, second] = blocksOf(outcome);
  assert.deepEqual([first!['extraData'], second!['extraData']], [toHex(extraData), toHex(extraData)]);
  // FastLZ cannot compress 32,000 bytes of noise: a little over 0.8365 bytes per byte.
  const used = Number(first!['blobGasUsed']);
  assert.ok(used > 26_700_000 && used < 28_500_000, `${used}`);
  const fee = Number(first!['baseFeePerGas']);
  const target = Math.floor(Number(first!['gasLimit']) / 6);
  assert.equal(Number(second!['baseFeePerGas']), fee + Math.floor(Math.floor((fee * (used - target)) / target) / 50));
});
