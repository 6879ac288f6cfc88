// Every limit of the kernel: a message that exceeds it falls back to the reference engine, and the kernel runs the next
// message. The kernel is compiled for this test with small limits and few epochs.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EvmMessage } from '../../../src/evm/evm-engine.js';
import { KernelEngine, type FallbackReason } from '../../../src/evm/kernel/kernel-engine.js';
import { writeKernelSources } from '../../../src/evm/kernel/generate-sources.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { JournaledState } from '../../../src/evm/journal/journaled-state.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import { compileKernel } from '../../fuzz/compile-kernel.js';
import { explain, fuzz } from '../../fuzz/fuzzer.js';
import { changeKernel, type KernelChange } from '../../fuzz/kernel-sources.js';
import { assemble } from '../../support/assembler.js';
import { chainAt } from '../../support/jobs.js';
import { EMPTY_CODE_HASH } from '../../../src/state/views/state-view.js';
import { bytes, MemoryView } from '../../support/memory-view.js';
import { plainContext, plainMessage } from '../../support/message.js';
import {
  applyMessage,
  changesText,
  effects,
  EnginePair,
  text,
  type MakeEngine,
} from '../../support/programs/compare.js';
import { EAGER, referenceEngine } from '../../support/programs/engines.js';
import { rounds } from '../../support/rounds.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const SMALL: readonly KernelChange[] = [
  { place: 'shared/memory-layout.ACCOUNTS_MAX', find: '1 << 17', replace: '24' },
  { place: 'shared/memory-layout.SLOTS_MAX', find: '1 << 18', replace: '16' },
  { place: 'shared/memory-layout.TRANSIENT_MAX', find: '1 << 18', replace: '8' },
  { place: 'shared/memory-layout.JOURNAL_MAX', find: '1 << 20', replace: '64' },
  { place: 'shared/memory-layout.LOGS_END', find: '248 * MIB', replace: 'LOGS + KIB' },
  { place: 'shared/memory-layout.MEMORY', find: '482 * MIB', replace: '738 * MIB - 64 * KIB' },
  { place: 'shared/memory-layout.RETURN_DATA_MAX', find: '32 << 20', replace: '1024' },
  { place: 'shared/memory-layout.CODES_END', find: '482 * MIB', replace: 'CODES + 32 * KIB' },
  { place: 'shared/memory-layout.INPUT_MAX', find: '8 << 20', replace: '1024' },
  { place: 'shared/memory-layout.BLOBS_MAX', find: '256', replace: '4' },
  { place: 'shared/memory-layout.KECCAK_CACHE_BITS', find: '12', replace: '1' },
  { place: 'state/accounts.messageEpoch', find: '1', replace: '0xffff_fff0' },
  // After a restart, only epochs that were used before follow.
  { place: 'state/accounts.restartEpochs', find: '0', replace: '0xffff_ffef' },
  // A planted bug, to test what happens on one.
  { place: 'interpreter.PC', find: 'control.PC', replace: 'if (codeLength == 1) unreachable(); control.PC' },
];

process.env['MUTATED_KERNEL'] = await compileSmall();
await import('../../fuzz/mutated-kernel.js');

function compileSmall(): Promise<string> {
  const folder = temporaryFolder();
  writeKernelSources(folder);
  for (const change of SMALL) changeKernel(folder, change);
  return compileKernel(folder);
}

const fallen: FallbackReason[] = [];
const smallKernel: MakeEngine = (rules, state) =>
  new KernelEngine({
    rules,
    state,
    onFallback: (reason) => fallen.push(reason),
    compile: EAGER,
  });
const SENDER = bytes('5e', 20);
const TARGET = bytes('c0', 20);
const RULES = createChainRules(chainAt('osaka')).at(1, 1);
const states = [new JournaledState(new MemoryView()), new JournaledState(new MemoryView())] as const;
const ENGINES = [referenceEngine(RULES, states[0]), smallKernel(RULES, states[1])] as const;

/** Runs `code` on both engines and compares the outcomes; returns the reason if the kernel fell back. */
async function run(
  code: string,
  changes: Partial<EvmMessage> = {},
  others: readonly string[] = [],
  prepare: (state: JournaledState) => void = () => undefined,
): Promise<string> {
  const view = new MemoryView()
    .put(SENDER, { nonce: 1n, balance: 1000n })
    .put(TARGET, { nonce: 1n, balance: 9n, code });
  for (const [i, other] of others.entries()) view.put(toBytes(BigInt(0x1000 + i), 20), { nonce: 1n, code: other });
  fallen.length = 0;
  const seen: unknown[] = [];
  for (const [i, state] of states.entries()) {
    state.reset(view);
    prepare(state);
    const message: EvmMessage = { ...MESSAGE, ...changes };
    const applied = await applyMessage(ENGINES[i]!, state, message, CONTEXT, 100_000_000n);
    seen.push({ ...text(applied), ...effects(applied), ...changesText(state.changes()) });
  }
  assert.deepEqual(seen[1], seen[0]);
  return fallen.join(' ');
}

const MESSAGE = plainMessage({ caller: SENDER, to: TARGET });
const CONTEXT = plainContext();

function repeat(times: number, line: (i: number) => string): string {
  return assemble(Array.from({ length: times }, (_, i) => line(i)).join('; '));
}

const address = (i: number): string => `0x${(0x1000 + i).toString(16).padStart(40, '0')}`;
const calls = (i: number): string => `PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH ${address(i)}; GAS; CALL; POP`;
const creates = (init: string): string =>
  `PUSH 0x${init}; PUSH 0; MSTORE; PUSH ${init.length / 2}; PUSH ${32 - init.length / 2}; PUSH 0; CREATE; POP`;
/** Logs the slots of mapping entries, for pairs of key and mapping slot. */
const mappingEntries = (pairs: readonly (readonly [key: string | number, slot: string | number])[]): string =>
  pairs
    .map(([key, slot]) => `PUSH ${key}; PUSH 0; MSTORE; PUSH ${slot}; PUSH 32; MSTORE; PUSH 64; PUSH 0; KECCAK256`)
    .map((line) => `${line}; PUSH 0; PUSH 0; LOG1`)
    .join('; ');
/** Code of many JUMPDESTs, each of which starts a basic block. */
const long = (i: number, length: number): string => `0x60${(i + 16).toString(16)}50${'5b'.repeat(length)}`;

interface Bound {
  readonly within: () => Promise<string>;
  readonly beyond: () => Promise<string>;
  readonly reason?: FallbackReason;
}

const accessTo = (count: number, slots = 0): Partial<EvmMessage> => ({
  accessList: Array.from({ length: count }, (_, i) => ({
    address: bytes(address(i), 20),
    slots: Array.from({ length: slots }, (__, k) => toBytes(BigInt(k), 32)),
  })),
});

const BOUNDS: Readonly<Record<string, Bound>> = {
  accounts: {
    within: () => run(repeat(16, (i) => `PUSH ${address(i)}; BALANCE; POP`)),
    beyond: () => run(repeat(30, (i) => `PUSH ${address(i)}; BALANCE; POP`)),
  },
  'accounts of an access list': {
    within: () => run('0x', accessTo(16)),
    beyond: () => run('0x', accessTo(30)),
  },
  'accounts written before': {
    within: () => run('0x', {}, [], (state) => writeAccounts(state, 16)),
    beyond: () => run('0x', {}, [], (state) => writeAccounts(state, 30)),
  },
  'slots written before': {
    within: () => run('0x5f54', {}, [], (state) => writeSlots(state, 15)),
    beyond: () => run('0x5f54', {}, [], (state) => writeSlots(state, 17)),
  },
  slots: {
    within: () => run(repeat(16, (i) => `PUSH ${i}; SLOAD; POP`)),
    beyond: () => run(repeat(17, (i) => `PUSH ${i}; SLOAD; POP`)),
  },
  'slots of an access list': {
    within: () => run('0x', accessTo(2, 8)),
    beyond: () => run('0x', accessTo(3, 8)),
  },
  'slots written': {
    within: () => run(repeat(16, (i) => `PUSH 7; PUSH ${i}; SSTORE`)),
    beyond: () => run(repeat(17, (i) => `PUSH 7; PUSH ${i}; SSTORE`)),
  },
  'transient storage': {
    within: () => run(repeat(8, (i) => `PUSH 7; PUSH ${i}; TSTORE`)),
    beyond: () => run(repeat(9, (i) => `PUSH 7; PUSH ${i}; TSTORE`)),
  },
  // Two entries for sender and receiver, one for the slot.
  journal: {
    within: () => run(repeat(55, (i) => `PUSH ${i + 1}; PUSH 0; SSTORE`)),
    beyond: () => run(repeat(70, (i) => `PUSH ${i + 1}; PUSH 0; SSTORE`)),
  },
  'journal of transient storage': {
    within: () => run(repeat(55, (i) => `PUSH ${i + 1}; PUSH 0; TSTORE`)),
    beyond: () => run(repeat(70, (i) => `PUSH ${i + 1}; PUSH 0; TSTORE`)),
  },
  'journal, then a failure': {
    within: () => run(`${repeat(55, (i) => `PUSH ${i + 1}; PUSH 0; SSTORE`)}fe`),
    beyond: () => run(`${repeat(70, (i) => `PUSH ${i + 1}; PUSH 0; SSTORE`)}fe`),
  },
  logs: {
    within: () => run(assemble('PUSH 1; PUSH 900; PUSH 0; LOG1')),
    beyond: () => run(assemble('PUSH 1; PUSH 1020; PUSH 0; LOG1')),
  },
  memory: {
    within: () => run(assemble('PUSH 65504; MLOAD')),
    beyond: () => run(assemble('PUSH 65505; MLOAD')),
  },
  'memory of several call frames': {
    within: () => run(assemble('PUSH 40000; MLOAD', calls(0)), {}, [assemble('PUSH 20000; MLOAD')]),
    beyond: () => run(assemble('PUSH 40000; MLOAD', calls(0)), {}, [assemble('PUSH 30000; MLOAD')]),
  },
  'memory of a call': {
    within: () => run(assemble('PUSH 60000; PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 0x1000; GAS; CALL')),
    beyond: () => run(assemble('PUSH 70000; PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 0x1000; GAS; CALL')),
  },
  'return data': {
    within: () => run(assemble('PUSH 1024; PUSH 0; RETURN')),
    beyond: () => run(assemble('PUSH 1025; PUSH 0; RETURN')),
  },
  'return data of a revert': {
    within: () => run(assemble('PUSH 1024; PUSH 0; REVERT')),
    beyond: () => run(assemble('PUSH 1025; PUSH 0; REVERT')),
  },
  'return data of a precompile': {
    within: () => run(assemble('PUSH 0; PUSH 0; PUSH 1024; PUSH 0; PUSH 4; GAS; STATICCALL')),
    beyond: () => run(assemble('PUSH 0; PUSH 0; PUSH 1025; PUSH 0; PUSH 4; GAS; STATICCALL')),
  },
  'codes, decoded': {
    within: () => run(repeat(2, calls), {}, [long(0, 100), long(1, 100)]),
    beyond: () =>
      run(
        repeat(6, calls),
        {},
        Array.from({ length: 6 }, (_, i) => long(i, 400)),
      ),
  },
  'a code': {
    within: () => run('0x00'),
    beyond: () => run(`0x00${'5b'.repeat(33_000)}`),
  },
  'a created code': {
    within: () => run(assemble(creates('6103e85ff3'))),
    beyond: () =>
      run(repeat(40, (i) => creates(`6103e8${(0x60).toString(16)}${(i + 1).toString(16).padStart(2, '0')}f3`))),
  },
  input: {
    within: () => run('0x36', { data: new Uint8Array(1024) }),
    beyond: () => run('0x36', { data: new Uint8Array(1025) }),
    reason: 'bounds',
  },
  blobs: {
    within: () => run(assemble('PUSH 3; BLOBHASH'), { blobVersionedHashes: blobs(4) }),
    beyond: () => run(assemble('PUSH 4; BLOBHASH'), { blobVersionedHashes: blobs(5) }),
    reason: 'bounds',
  },
  'a trap': {
    within: () => run('0x5800'),
    beyond: () => run('0x58'),
    reason: 'trap',
  },
};

function writeAccounts(state: JournaledState, count: number): void {
  const account = { nonce: 1n, balance: 3n, codeHash: EMPTY_CODE_HASH };
  for (let i = 0; i < count; i++) state.setAccount(bytes(address(i), 20), account);
}

function writeSlots(state: JournaledState, count: number): void {
  for (let i = 0; i < count; i++) state.setStorage(TARGET, toBytes(BigInt(i), 32), toBytes(5n, 32));
}

function blobs(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, i) => new Uint8Array(32).fill(i + 1));
}

void describe('beyond a bound the message falls back, and the kernel runs the next one', () => {
  for (const [name, { within, beyond, reason = 'full' }] of Object.entries(BOUNDS)) {
    void test(name, async () => {
      assert.equal(await within(), '');
      assert.equal(await beyond(), reason);
      assert.equal(await within(), '', 'the kernel answers the next message');
    });
  }
});

void test('sixty messages have right results while epoch numbers wrap around', async () => {
  const code = assemble('PUSH 0; TLOAD; PUSH 0; SLOAD; ADD; PUSH 1; ADD; DUP1; PUSH 0; TSTORE; PUSH 0; SSTORE');
  const view = new MemoryView().put(SENDER, { nonce: 1n }).put(TARGET, { nonce: 1n, code });
  const stamped = Object.assign(view, { stamp: 1 });
  fallen.length = 0;
  for (let i = 0; i < 60; i++) {
    const results: string[] = [];
    for (const [k, state] of states.entries()) {
      state.reset(stamped);
      state.mark();
      results.push(JSON.stringify(text(await ENGINES[k]!.execute(MESSAGE, CONTEXT, 1_000_000n))));
      state.undoAll();
    }
    assert.equal(results[1], results[0]);
  }
  assert.deepEqual(fallen, []);
});

const SMALL_WORLDS = rounds(10);

void test('random worlds have right results in a kernel that is soon full', async () => {
  const pair = new EnginePair(referenceEngine, smallKernel);
  fallen.length = 0;
  const { counts, mismatches } = await fuzz(pair, 8_000_000, SMALL_WORLDS, 1);
  for (const seed of mismatches) assert.fail(await explain(pair, seed));
  assert.equal(counts.get('thrown'), undefined);
  assert.ok(fallen.filter((reason) => reason === 'full').length > SMALL_WORLDS * 0.4, String(fallen.length));
});

test('hashes of 64 bytes are right while they evict one another from the cache', async () => {
  const high = `0x01${'00'.repeat(31)}`;
  const values = [0, 1, 2, high];
  const pairs = values.flatMap((key) => values.map((slot) => [key, slot] as const));
  const requested = [...pairs, ...pairs.toReversed()].flatMap((pair) => [pair, pair]);
  // As many entries as fit.
  for (let i = 0; i < requested.length; i += 8)
    assert.equal(await run(assemble(mappingEntries(requested.slice(i, i + 8)))), '');
});
