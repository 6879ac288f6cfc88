// eth_estimateGas: a table of cases, and its error messages.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RLP } from '@ethereumjs/rlp';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import type { Job, JobOutcome } from '../../../src/transaction/evm-job.js';
import type { BlockEnv } from '../../../src/state/state-diff.js';
import type { EvmEngine } from '../../../src/evm/evm-engine.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { JobRunner } from '../../../src/execution/call/job-runner.js';
import { assemble } from '../../support/assembler.js';
import { candidateEngine, referenceEngine } from '../../support/programs/engines.js';
import { blockEnv, chainAt, estimateOn, job, leastOn, runOn, type CallText } from '../../support/jobs.js';
import { signedDelegation } from '../../support/authorization.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { bytes, MemoryView } from '../../support/memory-view.js';

const ETHER = 10n ** 18n;
const SENDER = '0x1000000000000000000000000000000000000001';
const OTHER = '0x2000000000000000000000000000000000000002';
const CONTRACT = '0xc000000000000000000000000000000000000003';
const LOOP = '0x5b600056';

/** Reverts unless GASPRICE >= BASEFEE and, with a price, GASPRICE is above 4 wei: go-ethereum's own test contract. */
const BASE_FEE_CHECKER =
  '0x6080604052348015600f57600080fd5b50483a1015601c57600080fd5b60003a111560315760004811603057600080fd5b5b603f80603e6000396000f3fe6080604052600080fdfea264697066735822122060729c2cee02b10748fae5200f1c9da4661963354973d9154c13a8e9ce9dee1564736f6c63430008130033';

/** Codes that call OTHER, ignore its failure and return whether it succeeded, by what they do with their gas. */
const ANSWER = 'PUSH 0; MSTORE; PUSH 32; PUSH 0; RETURN';
const ZEROS = 'PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 0';
const READS_GAS: Readonly<Record<string, string>> = {
  'passes on all but 2500 gas': `${ZEROS}; PUSH ${OTHER}; PUSH 2500; GAS; SUB; CALL; ${ANSWER}`,
  'passes on half of its gas': `${ZEROS}; PUSH ${OTHER}; GAS; PUSH 1; SHR; CALL; ${ANSWER}`,
  'measures and logs its gas': `GAS; ${ZEROS}; PUSH ${OTHER}; GAS; CALL; PUSH 0; MSTORE; GAS; SWAP1; SUB; PUSH 32; MSTORE; PUSH 32; PUSH 32; LOG0; PUSH 32; PUSH 0; RETURN`,
  'reads its gas before': `GAS; POP; ${ZEROS}; PUSH ${OTHER}; GAS; CALL; ${ANSWER}`,
};

/** Codes that make as many calls as their gas allows, and the smallest gas limit with which they succeed. */
const CALLS_WHILE_GAS_LASTS: Readonly<Record<string, readonly [code: string, least: number]>> = {
  'calls in a loop without effect': [
    `LABEL again; ${ZEROS}; PUSH ${OTHER}; PUSH 5000; CALL; POP; PUSH 30000; GAS; GT; REF again; JUMPI; PUSH 7; PUSH 1; SSTORE`,
    45_751,
  ],
  'counts its calls': [
    `LABEL again; PUSH 0; SLOAD; PUSH 1; ADD; PUSH 0; SSTORE; ${ZEROS}; PUSH ${OTHER}; PUSH 5000; CALL; POP; PUSH 40000; GAS; GT; REF again; JUMPI`,
    45_757,
  ],
  'calls itself with half of its gas': [
    `PUSH 20000; GAS; LT; REF end; JUMPI; PUSH 0; PUSH 0; LOG0; ${ZEROS}; ADDRESS; GAS; PUSH 1; SHR; CALL; POP; LABEL end; STOP`,
    21_022,
  ],
};

function state(): MemoryView {
  return new MemoryView().put(SENDER, { balance: ETHER });
}

function estimate(
  call: CallText,
  changes: Partial<Job> = {},
  view: MemoryView = state(),
  env: BlockEnv = blockEnv(),
): Promise<number | string> {
  return estimateOn('prague', job({ from: SENDER, ...call }, changes), view, env);
}

function creation(fork: string, prices: CallText): Promise<number | string> {
  return estimateOn(fork, job({ from: SENDER, data: BASE_FEE_CHECKER, ...prices }), state());
}

void describe('the estimate of', () => {
  void test('a value transfer is 21000', async () => {
    assert.equal(await estimate({ to: OTHER, value: 1000n }), 21000);
  });

  void test('an empty object is that of a creation', async () => {
    assert.equal(await estimateOn('prague', job({}), state()), 53000);
  });

  void test('a creation that checks the base fee is found with a gas price and without', async () => {
    // EIP-3860 (Shanghai) adds two gas for each of the four words of init code.
    for (const [fork, words] of [
      ['london', 0],
      ['prague', 8],
    ] as const) {
      assert.equal(await creation(fork, {}), 67595 + words);
      assert.equal(await creation(fork, { gasPrice: 0n }), 67595 + words);
      assert.equal(await creation(fork, { gasPrice: 10n ** 9n }), 67617 + words);
      assert.equal(await creation(fork, { maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 1n }), 67617 + words);
    }
  });

  void test('a call with a block gas limit override stays below that limit', async () => {
    const outcome = await estimate({ data: BASE_FEE_CHECKER }, { blockOverride: { gasLimit: 50000n } });
    assert.equal(outcome, 'gas required exceeds allowance (50000)');
  });

  void test('a transfer with one blob has the gas of a transfer', async () => {
    const blobVersionedHashes = [`0x01${'22'.repeat(31)}`];
    assert.equal(await estimate({ to: OTHER, value: 1n, blobVersionedHashes, maxFeePerBlobGas: 1n }), 21000);
    assert.equal(await estimate({ to: OTHER, value: 1n, blobVersionedHashes }), 21000);
  });

  void test('a transfer with an account that delegates to no code is 21000', async () => {
    const code = `0xef0100${OTHER.slice(2)}`;
    assert.equal(await estimate({ to: CONTRACT }, {}, state().put(CONTRACT, { code })), 21000);
    assert.equal(await estimate({ to: OTHER }, {}, state().put(SENDER, { code, balance: ETHER })), 21000);
  });

  void test('a transfer with one authorization includes its cost', async () => {
    assert.equal(await estimate({ to: OTHER, value: 1n, authorizationList: [signedDelegation(OTHER, 7n)] }), 46000);
  });

  void test('call data is the floor of EIP-7623', async () => {
    assert.equal(await estimate({ to: OTHER, data: `0x${'00'.repeat(100)}` }), 22000);
  });

  void test('an endless loop exceeds the allowance, whichever limit that is', async () => {
    const view = state().put(CONTRACT, { code: LOOP });
    const run = (gas?: bigint): Promise<number | string> =>
      estimate(
        { to: CONTRACT, ...(gas === undefined ? {} : { gas }) },
        { gasCap: 500_000n },
        view,
        blockEnv({ gasLimit: 200_000n }),
      );
    assert.equal(await run(), 'gas required exceeds allowance (200000)');
    assert.equal(await run(300_000n), 'gas required exceeds allowance (300000)');
    assert.equal(await run(3_000_000n), 'gas required exceeds allowance (500000)');
  });

  void test('a call is bounded by the gas that the balance can pay for', async () => {
    const view = new MemoryView().put(SENDER, { balance: 0x100000000000n }).put(CONTRACT, { code: '0x00' });
    const call = { to: CONTRACT, gasPrice: 50n * 10n ** 9n };
    assert.equal(await estimate(call, {}, view), 'gas required exceeds allowance (351)');
  });

  void test('a call with a gas limit below 21000 ignores that limit', async () => {
    assert.equal(await estimate({ to: OTHER, gas: 0x3e8n }), 21000);
    assert.equal(await estimate({ to: CONTRACT, gas: 0x3e8n }, {}, state().put(CONTRACT, { code: '0x00' })), 21000);
  });

  void test('a recursion that ends by depth or gas is found', async () => {
    const view = state().put(CONTRACT, { code: '0x5f5f5f5f5f305af1' });
    const gas = await estimate({ to: CONTRACT }, {}, view, blockEnv({ gasLimit: 1_000_000n }));
    assert.equal(typeof gas, 'number');
  });

  void test('a sender with code, a wrong nonce or a full block is not refused', async () => {
    const view = new MemoryView().put(SENDER, { balance: ETHER, code: '0x00', nonce: 77n });
    assert.equal(await estimate({ to: OTHER, value: 1n }, {}, view), 21000);
  });
});

void describe('estimates and their failures', () => {
  const big = 2n * ETHER;

  void test('value above the balance is refused', async () => {
    const funds = (n: bigint): string =>
      `failed with ${n} gas: insufficient funds for gas * price + value: address ${SENDER} have ${ETHER} want ${big}`;
    assert.equal(await estimate({ to: OTHER, value: big }), funds(30_000_000n));
    assert.equal(await estimate({ to: OTHER, value: big, gas: 22_000n }), funds(22_000n));
    assert.equal(await estimate({ to: OTHER, value: ETHER, gasPrice: 100n }), 'insufficient funds for transfer');
  });

  void test('contradictory fees are refused', async () => {
    assert.equal(
      await estimate({ to: OTHER, maxFeePerGas: 5n }),
      `failed with 30000000 gas: max fee per gas less than block base fee: address ${SENDER}, maxFeePerGas: 5, baseFee: 7`,
    );
    assert.equal(
      await estimate({ to: OTHER, maxFeePerGas: 5n, maxPriorityFeePerGas: 6n }),
      `failed with 30000000 gas: max priority fee per gas higher than max fee per gas: address ${SENDER}, maxPriorityFeePerGas: 6, maxFeePerGas: 5`,
    );
    assert.equal(
      await estimate({ to: OTHER, maxPriorityFeePerGas: 6n }),
      `failed with 30000000 gas: max priority fee per gas higher than max fee per gas: address ${SENDER}, maxPriorityFeePerGas: 6, maxFeePerGas: 0`,
    );
  });

  void test('malformed blob fields are refused', async () => {
    const blobVersionedHashes = [`0x01${'22'.repeat(31)}`];
    const env = blockEnv({ excessBlobGas: 100_000_000n });
    const low = await estimate({ to: OTHER, blobVersionedHashes, maxFeePerBlobGas: 1n }, {}, state(), env);
    assert.match(String(low), /max fee per blob gas less than block blob gas fee/);
    assert.match(
      String(await estimate({ to: OTHER, blobVersionedHashes: [] })),
      /blob transaction missing blob hashes/,
    );
    assert.match(String(await estimate({ blobVersionedHashes })), /blob transaction of type create/);
    assert.match(
      String(await estimate({ to: OTHER, blobVersionedHashes: ['0x02'.padEnd(66, '0')] })),
      /blob 0 has invalid hash version/,
    );
  });

  void test('malformed authorization lists are refused', async () => {
    assert.equal(
      await estimate({ to: OTHER, authorizationList: [] }),
      `failed with 30000000 gas: EIP-7702 transaction with empty auth list (sender ${SENDER})`,
    );
    assert.equal(
      await estimate({ authorizationList: [signedDelegation(OTHER, 0n)] }),
      `failed with 30000000 gas: EIP-7702 transaction cannot be used to create contract (sender ${SENDER})`,
    );
  });

  void test('a limit below the floor of EIP-7623 is refused', async () => {
    assert.equal(
      await estimate({ to: OTHER, data: `0x${'11'.repeat(100)}`, gas: 24_000n }),
      'failed with 24000 gas: insufficient gas for floor data gas cost: have 24000, want 25000',
    );
    assert.equal(
      await estimate({ to: OTHER, data: `0x${'11'.repeat(100)}`, gas: 21_500n }),
      'gas required exceeds allowance (21500)',
    );
  });

  void test('oversized init code is refused', async () => {
    const text = 'failed with 30000000 gas: max initcode size exceeded: code size 49153 limit 49152';
    assert.equal(await estimate({ data: new Uint8Array(49_153) }), text);
    // This is checked before funds and gas.
    assert.equal(await estimate({ data: new Uint8Array(49_153), value: 2n * ETHER }), text);
  });

  const HALTS: Readonly<Record<string, string>> = {
    '0xfe': 'invalid opcode: INVALID',
    '0x0c': 'invalid opcode: opcode 0xc not defined',
    '0xef00': 'invalid opcode: opcode 0xef not defined',
    '0x600456': 'invalid jump destination',
    '0x01': 'stack underflow (0 <=> 2)',
    '0x5f55': 'stack underflow (1 <=> 2)',
    '0x5ff1': 'stack underflow (1 <=> 7)',
    '0x5b5f600056': 'stack limit reached 1024 (1023)',
    '0x5f5b80600156': 'stack limit reached 1024 (1023)',
    '0x60015f5f3e': 'return data out of bounds',
    '0x60016801000000000000000052': 'gas uint64 overflow',
    '0x600164010000000052': 'gas required exceeds allowance (30000000)',
    '0x5f5ffd': 'execution reverted',
    '0x60ff6000526001601ffd': 'execution reverted',
  };
  for (const [code, text] of Object.entries(HALTS)) {
    void test(`code ${code} fails with: ${text}`, async () => {
      assert.equal(await estimate({ to: CONTRACT }, {}, state().put(CONTRACT, { code })), text);
    });
  }

  const CREATIONS: Readonly<Record<string, string>> = {
    '0x60ef5f5360015ff3': 'invalid code: must not begin with 0xef',
    '0x6160015ff3': 'max code size exceeded: code size 24577 limit 24576',
    '0x6160005ff3': 'contract creation code storage out of gas',
  };
  for (const [data, text] of Object.entries(CREATIONS)) {
    void test(`init code ${data} fails with: ${text}`, async () => {
      assert.equal(await estimate({ data, gas: data.includes('6160005f') ? 500_000n : 30_000_000n }), text);
    });
  }

  void test('a precompile that refuses its input uses up its gas', async () => {
    const precompile = `0x${'6'.padStart(40, '0')}`;
    assert.equal(await estimate({ to: precompile, data: '0x01' }), 'point not on curve');
    // STATICCALL with all gas to ECADD of (1, 1), ignoring its failure: the estimate is the minimum for success, not
    // the cap.
    const view = state().put(CONTRACT, { code: '0x60015f5260016020525f5f60805f60065afa5000' });
    const gas = await estimate({ to: CONTRACT }, {}, view);
    assert.ok(typeof gas === 'number' && gas < 22_000, String(gas));
  });

  void test('a callee that uses all of its gas gets the same gas at the estimate', async () => {
    const given = `PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH ${OTHER}; PUSH 100000; CALL; POP; STOP`;
    const view = state()
      .put(CONTRACT, { code: assemble(given) })
      .put(OTHER, { code: '0xfe' });
    assert.equal(await estimate({ to: CONTRACT }, {}, view), 125_208);
    // At the smallest limit that succeeds in any way, the callee gets 126 gas.
    const call = (gas: bigint): Promise<JobOutcome> =>
      runOn('prague', job({ from: SENDER, to: CONTRACT, gas }, { kind: 'call' }), view);
    assert.deepEqual([(await call(23_749n)).kind, (await call(23_748n)).kind], ['return', 'failure']);
    assert.equal(await leastOn('prague', job({ from: SENDER, to: CONTRACT }), view), 23_749);
  });

  void test('a static call with a fixed gas amount may get less in a minimum estimate', async () => {
    const given = `PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH ${OTHER}; PUSH 600000; STATICCALL; POP; STOP`;
    const view = state()
      .put(CONTRACT, { code: assemble(given) })
      .put(OTHER, { code: LOOP });
    const requested = job({ from: SENDER, to: CONTRACT });
    const [same, least] = [await estimateOn('prague', requested, view), await leastOn('prague', requested, view)];
    assert.ok(Number(same) > 600_000 && Number(least) < 30_000, `${same}, ${least}`);
  });

  void test('estimate and minimum estimate are equal for a plain transfer and for code that needs all of its gas', async () => {
    const view = state().put(CONTRACT, { code: assemble('PUSH 1; PUSH 0; SSTORE; STOP') });
    for (const to of [OTHER, CONTRACT]) {
      const requested = job({ from: SENDER, to });
      assert.equal(await leastOn('prague', requested, view), await estimateOn('prague', requested, view));
    }
  });

  for (const [name, make] of [
    ['kernel', candidateEngine],
    ['reference', referenceEngine],
  ] as const) {
    void test(`code that loops until its gas is used up runs once near the cap, on the ${name}`, async () => {
      const gasCap = 2_000_000n;
      const limits: bigint[] = [];
      const createEngine: typeof make = (rules, journal) => {
        const engine = make(rules, journal);
        const execute: EvmEngine['execute'] = (message, context, gasLimit) => {
          limits.push(gasLimit);
          return engine.execute(message, context, gasLimit);
        };
        return {
          execute,
          apply: engine.apply.bind(engine),
          readSet: engine.readSet.bind(engine),
          isPrecompile: engine.isPrecompile.bind(engine),
        };
      };
      const code = assemble('LABEL again; PUSH 30000; GAS; GT; REF again; JUMPI; PUSH 7; PUSH 1; SSTORE');
      const view = state().put(CONTRACT, { code });
      const runner = new JobRunner({ rules: createChainRules(chainAt('prague')), createEngine });
      const requested = job({ from: SENDER, to: CONTRACT }, { gasCap });
      const outcome = await runner.runJob(requested, view, blockEnv());
      assert.ok(outcome.kind === 'gas', outcome.kind);
      assert.ok(outcome.gas > 40_000n && outcome.gas < 60_000n, String(outcome.gas));
      assert.equal(limits.filter((limit) => limit > gasCap / 2n).length, 1);
      const worksAt = async (gas: bigint): Promise<string> =>
        (await runner.runJob(job({ from: SENDER, to: CONTRACT, gas }, { kind: 'call' }), view, blockEnv())).kind;
      assert.deepEqual([await worksAt(outcome.gas), await worksAt(outcome.gas - 1n)], ['return', 'failure']);
    });
  }

  for (const [what, around] of Object.entries(READS_GAS)) {
    void test(`a callee writes two slots at the estimate of a caller that ${what}`, async () => {
      const callee = assemble('PUSH 1; PUSH 0; SSTORE; PUSH 1; PUSH 1; SSTORE; STOP');
      const view = state()
        .put(CONTRACT, { code: assemble(around) })
        .put(OTHER, { code: callee });
      const result = async (gas: number): Promise<string> => {
        const requested = job({ from: SENDER, to: CONTRACT, gas: BigInt(gas) }, { kind: 'call' });
        const outcome = await runOn('prague', requested, view);
        return outcome.kind === 'return' ? toHex(outcome.data) : outcome.kind;
      };
      const gas = Number(await estimate({ to: CONTRACT }, {}, view));
      const worked = `0x${'1'.padStart(64, '0')}`;
      assert.equal(await result(gas), worked, String(gas));
      assert.notEqual(await result(gas - 1), worked, String(gas));
      // The smallest limit that succeeds in any way is lower: there the callee fails, which is ignored.
      const least = Number(await leastOn('prague', job({ from: SENDER, to: CONTRACT }), view));
      assert.ok(least < gas, `${least}, ${gas}`);
      assert.notEqual(await result(least), worked);
    });
  }

  for (const [what, [code, answer]] of Object.entries(CALLS_WHILE_GAS_LASTS)) {
    void test(`the estimate of code that ${what} is the least gas that works`, async () => {
      const view = state()
        .put(CONTRACT, { code: assemble(code) })
        .put(OTHER, { code: '0x00' });
      for (const call of [{}, { gasPrice: 10n ** 9n }]) {
        const requested = job({ from: SENDER, to: CONTRACT, ...call }, { gasCap: 16_000_000n });
        const gas = await estimateOn('osaka', requested, view);
        assert.equal(gas, answer);
        assert.equal(await leastOn('osaka', requested, view), gas);
      }
    });
  }

  void test('a callee that needs nearly all of the cap gets it', async () => {
    // Passes a 200th of its gas to a callee that writes two slots, some 46,000 gas.
    const code = `${ZEROS}; PUSH ${OTHER}; PUSH 200; GAS; DIV; CALL; ${ANSWER}`;
    const view = state()
      .put(CONTRACT, { code: assemble(code) })
      .put(OTHER, { code: assemble('PUSH 1; PUSH 0; SSTORE; PUSH 1; PUSH 1; SSTORE; STOP') });
    const gas = Number(await estimate({ to: CONTRACT }, { gasCap: 10_000_000n }, view));
    assert.ok(gas > 8_000_000 && gas < 9_500_000, `${gas}`);
  });

  void test('a creation at an address in use fails', async () => {
    const created = keccak256(RLP.encode([bytes(SENDER, 20), 0n])).subarray(12);
    const view = state().put(created, { nonce: 1n });
    assert.equal(await estimate({ data: '0x00' }, {}, view), 'contract address collision');
  });

  void test('a creation by a sender with the highest nonce is refused', async () => {
    const view = new MemoryView().put(SENDER, { balance: ETHER, nonce: 2n ** 64n - 1n });
    assert.equal(await estimate({ data: '0x00' }, {}, view), 'nonce uint64 overflow');
  });

  void test('an estimate that times out ends in an error, and the next one is answered', async () => {
    const view = state().put(CONTRACT, { code: LOOP });
    const gasCap = 10n ** 15n;
    const outcome = await estimate({ to: CONTRACT, gas: gasCap }, { gasCap, timeoutMs: 150 }, view);
    assert.equal(outcome, 'execution aborted (timeout = 150ms)');
    assert.equal(await estimate({ to: OTHER, value: 1n }), 21000);
  });
});
