// The reason why code halts, in go-ethereum's words: errors of its gas functions, and opcodes of other forks. The
// expected messages were produced by a go-ethereum.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createChainRules } from '../../src/evm/reference/fork-rules.js';
import { JobRunner } from '../../src/execution/call/job-runner.js';
import { intrinsicAndFloorGas } from '../../src/transaction/intrinsic-gas.js';
import { blockEnv, callRequest, chainAt, job, type CallText } from '../support/jobs.js';
import { MemoryView } from '../support/memory-view.js';
import { candidateEngine, referenceEngine } from '../support/programs/engines.js';

const SENDER = '0x1000000000000000000000000000000000000001';
const CONTRACT = '0x00000000000000000000000000000000000000aa';

type Case = readonly [code: string, gas: number, text: string];

/** Codes, their gas beyond the intrinsic gas, and the expected message. */
const CODES: readonly Case[] = [
  ['0x5f5f55', 2304, 'out of gas'],
  ['0x60015f55', 2400, 'out of gas'],
  ['0x5f6802000000000000000052', 100_000, 'gas uint64 overflow'],
  ['0x5f6502000000000052', 100_000, 'out of gas'],
  ['0x5f6502000000000052', 8, 'out of gas'],
  ['0x5f64ffffffffff51', 100_000, 'out of gas'],
  ['0x5f641fffffffe051', 100_000, 'out of gas'],
  ['0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff51', 6, 'gas uint64 overflow'],
  ['0x60015f5f3e', 100_000, 'return data out of bounds'],
  ['0x60015f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff3e', 100_000, 'gas uint64 overflow'],
  ['0x60015f650200000000003e', 100_000, 'return data out of bounds'],
  ['0x5f60015f3e', 100_000, 'return data out of bounds'],
  ['0x6200c0015f5ff0', 100_000, 'out of gas'],
  ['0x6200c0015f5ff0', 31_000, 'out of gas'],
  ['0x6200c0015f5ff0', 32_007, 'out of gas'],
  ['0x5f6200c0015f5ff5', 100_000, 'out of gas'],
  ['0x650200000000005f5ff0', 100_000, 'out of gas'],
  ['0x680200000000000000005f5ff0', 100_000, 'gas uint64 overflow'],
  ['0x6200c0005f5ff0', 33_000, 'out of gas'],
  ['0x5f5f5f5f5f60bb5af1', 120, 'out of gas'],
  ['0x5f5f5f5f5f60bb5af1', 200, 'out of gas'],
  ['0x5f5f5f5f5f60bb5af1', 2614, 'out of gas'],
  ['0x5f5f5f5f600160bb5af1', 3000, 'out of gas'],
  ['0x5f5f5f5f600160bb5af1', 9000, 'out of gas'],
  ['0x5f5f5f5f60bb5afa', 150, 'out of gas'],
  ['0x5f5f5f5f60bb5af4', 2000, 'out of gas'],
  ['0x5f5f650200000000005f5f60bb5af1', 100_000, 'out of gas'],
  ['0x5f5f650200000000005f5f60bb5af1', 1000, 'out of gas'],
  ['0x620fffff5f5f5f5f60bb5af1', 20_000, 'out of gas'],
  ['0x60bbff', 5000, 'out of gas'],
  ['0x60bbff', 6000, 'out of gas'],
  ['0x60bbff', 7603, 'out of gas'],
  ['0x60bbff', 7602, 'out of gas'],
  ['0x60bb31', 1000, 'out of gas'],
  ['0x5f54', 1000, 'out of gas'],
  ['0x5f5f5f60bb3c', 50, 'out of gas'],
  ['0x5f5f5f60bb3c', 1000, 'out of gas'],
  ['0x650200000000005f5f60bb3c', 1000, 'out of gas'],
  ['0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff600a0a', 100, 'out of gas'],
  ['0x650200000000005fa0', 100, 'out of gas'],
  ['0x650200000000005ff3', 100_000, 'out of gas'],
  ['0x68ffffffffffffffffff5ffd', 100_000, 'gas uint64 overflow'],
  ['0x6502000000000060005e', 100, 'stack underflow (2 <=> 3)'],
  ['0x655000000000005f205f', 100_000, 'out of gas'],
  ['0x655000000000005f20', 20, 'out of gas'],
  ['0x5b5f600056', 100_000, 'stack limit reached 1024 (1023)'],
  ['0x01', 100, 'stack underflow (0 <=> 2)'],
  ['0x600456', 100, 'invalid jump destination'],
  ['0x5f5ff3', 3, 'out of gas'],
  ['0x5f', 1, 'out of gas'],
];

const INIT_CODES: readonly Case[] = [
  ['0x60ef5f5360015ff3', 100_000, 'invalid code: must not begin with 0xef'],
  ['0x6160015ff3', 10_000_000, 'max code size exceeded: code size 24577 limit 24576'],
  ['0x6160005ff3', 100_000, 'contract creation code storage out of gas'],
  ['0x6160015ff3', 100_000, 'contract creation code storage out of gas'],
  ['0x60ef5f536160015ff3', 100_000, 'invalid code: must not begin with 0xef'],
  ['0x60ef5f536160015ff3', 10_000_000, 'invalid code: must not begin with 0xef'],
  ['0x6160005ff3', 4_903_000, 'contract creation code storage out of gas'],
];

/** Bytes that are not instructions in Osaka, with their names in the messages. */
const UNDEFINED: Readonly<Record<number, string>> = {
  0x4b: 'SLOTNUM',
  0xe6: 'DUPN',
  0xe7: 'SWAPN',
  0xe8: 'EXCHANGE',
  0xe9: 'opcode 0xe9 not defined',
  0xeb: 'opcode 0xeb not defined',
  0xed: 'opcode 0xed not defined',
  0xef: 'opcode 0xef not defined',
  0xf6: 'opcode 0xf6 not defined',
  0xfc: 'opcode 0xfc not defined',
  0xfe: 'INVALID',
  0x0c: 'opcode 0xc not defined',
  0x21: 'opcode 0x21 not defined',
  0x4c: 'opcode 0x4c not defined',
  0xa5: 'opcode 0xa5 not defined',
  0xb0: 'opcode 0xb0 not defined',
  0xc0: 'opcode 0xc0 not defined',
};

for (const [name, createEngine] of [
  ['kernel', candidateEngine],
  ['reference', referenceEngine],
] as const) {
  void describe(`the ${name} reports the halts of go-ethereum`, () => {
    const rules = createChainRules(chainAt('osaka'));
    const runner = new JobRunner({ rules, createEngine });
    const textOf = async (call: CallText, gas: number, code: string): Promise<string> => {
      const view = new MemoryView().put(SENDER, { balance: 1n }).put(CONTRACT, { balance: 1n, code });
      const { intrinsicGas: before } = intrinsicAndFloorGas(callRequest(call), rules.at(100, 1_700_000_000).common);
      const requested = job({ from: SENDER, ...call, gas: before + BigInt(gas) }, { kind: 'call' });
      const outcome = await runner.runJob(requested, view, blockEnv());
      return outcome.kind === 'failure' ? outcome.message : outcome.kind;
    };

    for (const [code, gas, text] of CODES)
      void test(`code ${code} with ${gas} gas halts with: ${text}`, async () => {
        assert.equal(await textOf({ to: CONTRACT }, gas, code), text);
      });
    for (const [data, gas, text] of INIT_CODES)
      void test(`init code ${data} with ${gas} gas halts with: ${text}`, async () => {
        assert.equal(await textOf({ data }, gas, '0x'), text);
      });
    void test('opcodes of later forks are reported by name', async () => {
      for (const [opcode, text] of Object.entries(UNDEFINED)) {
        const code = `0x${Number(opcode).toString(16).padStart(2, '0')}`;
        assert.equal(await textOf({ to: CONTRACT }, 1000, code), `invalid opcode: ${text}`);
      }
    });
  });
}
