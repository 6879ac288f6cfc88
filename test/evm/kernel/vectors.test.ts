// Vectors of the EIPs and the yellow paper, computed by hand, because two engines that agree may share a misreading.
// Each vector runs on both.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import type { AppliedMessage, EvmMessage } from '../../../src/evm/evm-engine.js';
import { KernelEngine } from '../../../src/evm/kernel/kernel-engine.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { JournaledState } from '../../../src/evm/journal/journaled-state.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import { assemble } from '../../support/assembler.js';
import { blockEnv, chainAt } from '../../support/jobs.js';
import { bytes, MemoryView, type MemoryAccount } from '../../support/memory-view.js';
import { plainContext, plainMessage } from '../../support/message.js';
import { applyMessage, type MakeEngine } from '../../support/programs/compare.js';
import { referenceEngine } from '../../support/programs/engines.js';

const SENDER = bytes('5e', 20);
const TARGET = bytes('c0', 20);
const OTHER = '0x00000000000000000000000000000000000000ca';
const THIRD = '0x00000000000000000000000000000000000000cb';
const MAX = 2n ** 256n - 1n;
/** Hash of every block. */
const BLOCK_HASH = 0x1234n;

const kernelAlone: MakeEngine = (rules, state) =>
  new KernelEngine({
    rules,
    state,
    onFallback: (reason) => assert.fail(`fell back to the reference: ${reason}`),
  });

interface Setting {
  readonly fork?: string;
  readonly accounts?: Readonly<Record<string, MemoryAccount>>;
  readonly message?: Partial<EvmMessage>;
  readonly self?: MemoryAccount;
  readonly gas?: bigint;
  readonly slotNumber?: bigint;
}

interface Seen extends AppliedMessage {
  readonly state: JournaledState;
}

const blockHash = (): Uint8Array => toBytes(BLOCK_HASH, 32);

/** Runs `code` as the called contract, on this kind of engine. */
async function runOn(make: MakeEngine, code: string, setting: Setting): Promise<Seen> {
  const { fork = 'osaka', accounts = {}, message, self = {}, gas = 10_000_000n, slotNumber = 0n } = setting;
  const view = new MemoryView().put(SENDER, { nonce: 1n, balance: 1000n });
  view.put(message?.to ?? TARGET, { nonce: 1n, ...self, code });
  for (const [address, account] of Object.entries(accounts)) view.put(address, account);
  const state = new JournaledState(view);
  const engine = make(createChainRules(chainAt(fork)).at(1, 1), state);
  const whole = plainMessage({ caller: SENDER, to: TARGET, ...message });
  const context = plainContext({ blockHash, env: blockEnv({ slotNumber }) });
  return { ...(await applyMessage(engine, state, whole, context, gas)), state };
}

/** Runs on both engines and lets `check` examine each. */
async function both(code: string, setting: Setting, check: (seen: Seen) => void): Promise<void> {
  for (const make of [kernelAlone, referenceEngine]) check(await runOn(make, code, setting));
}

function vector(name: string, code: string, setting: Setting, check: (seen: Seen) => void): void {
  void test(name, () => both(code, setting, check));
}

/** Expects this gas used, and `need` as the minimum gas limit if that differs. */
function costs(name: string, code: string, gas: number, need = gas, setting: Setting = {}): void {
  vector(name, code, setting, (seen) => {
    assert.equal(seen.status, 'success');
    assert.deepEqual([Number(seen.gasUsed), Number(seen.need)], [gas, need]);
    assert.equal(seen.gasSensitive, false);
  });
}

/** Expects the code to leave this word on the stack. */
function gives(name: string, code: string, word: bigint, setting: Setting = {}): void {
  const answer = `${code}; PUSH 0; MSTORE; PUSH 32; PUSH 0; RETURN`;
  vector(name, assemble(answer), setting, ({ returnData }) => {
    assert.equal(toHex(returnData), toHex(toBytes(word, 32)));
  });
}

const hex = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`;

// ---- SSTORE: the table of EIP-3529, whose slot is warm; and the same slot cold (EIP-2929) ----

const STORES: readonly (readonly [original: bigint, values: readonly number[], gas: number, refund: number])[] = [
  [0n, [0, 0], 212, 0],
  [0n, [0, 1], 20_112, 0],
  [0n, [1, 0], 20_112, 19_900],
  [0n, [1, 2], 20_112, 0],
  [0n, [1, 1], 20_112, 0],
  [1n, [0, 0], 3012, 4800],
  [1n, [0, 1], 3012, 2800],
  [1n, [0, 2], 3012, 0],
  [1n, [2, 0], 3012, 4800],
  [1n, [2, 3], 3012, 0],
  [1n, [2, 1], 3012, 2800],
  [1n, [2, 2], 3012, 0],
  [1n, [1, 0], 3012, 4800],
  [1n, [1, 2], 3012, 0],
  [1n, [1, 1], 212, 0],
  [0n, [1, 0, 1], 40_118, 19_900],
  [1n, [0, 1, 0], 5918, 7600],
];
for (const [original, values, gas, refund] of STORES) {
  const code = assemble(...values.map((value) => `PUSH ${value}; PUSH 0; SSTORE`));
  const self = { storage: { '0': original } };
  const warm = { accessList: [{ address: TARGET, slots: [new Uint8Array(32)] }] };
  for (const [cold, message] of [
    [0, warm],
    [2100, {}],
  ] as const) {
    vector(
      `SSTORE: ${original} -> ${values.join(' -> ')}, ${cold === 0 ? 'warm' : 'cold'}`,
      code,
      { self, message },
      (seen) => {
        assert.deepEqual([Number(seen.gasUsed), Number(seen.refund)], [gas + cold, refund]);
      },
    );
  }
}
// EIP-2200: more than 2300 gas must be left before the last SSTORE; 106 are used before it.
costs(
  'minimum gas of SSTORE includes the sentry',
  assemble('PUSH 1; PUSH 0; SSTORE; PUSH 1; PUSH 0; SSTORE'),
  2312,
  2206 + 6 + 2301,
  {
    self: { storage: { '0': 1n } },
  },
);

// Four PUSHes, a cold account, one word of memory, one word copied. After a miss the kernel runs again, and nothing may
// be warm then.
const COPY = assemble(`PUSH 2; PUSH 0; PUSH 0; PUSH ${OTHER}; EXTCODECOPY`);
costs('EXTCODECOPY of a cold account', COPY, 12 + 2600 + 3 + 3);
vector('EXTCODECOPY fails with one gas less', COPY, { gas: 2617n }, ({ status, error }) => {
  assert.deepEqual([status, error?.text], ['halt', 'out of gas']);
});

// ---- static prices ----

// 724 words: 3 * 724 + floor(724 ** 2 / 512) = 2172 + 1023; PUSH2, MLOAD: 6.
costs('memory of 724 words', assemble(`PUSH ${723 * 32}; MLOAD`), 3201);
// 725 words: 2175 + 1026.
costs('memory of 725 words', assemble(`PUSH ${724 * 32}; MLOAD`), 3207);
costs('memory touched at one byte', assemble('PUSH 0x1f; MLOAD'), 3 + 3 + 6);
for (const [exponent, gas] of [
  [0n, 10],
  [1n, 60],
  [255n, 60],
  [256n, 110],
  [2n ** 64n - 1n, 410],
  [2n ** 64n, 460],
  [MAX, 1610],
] as const)
  costs(`EXP by ${exponent}`, assemble(`PUSH ${hex(exponent)}; PUSH 3; EXP`), 6 + gas);
costs('KECCAK256 of 33 bytes', assemble('PUSH 33; PUSH 0; KECCAK256'), 6 + 30 + 2 * 6 + 2 * 3);
costs('LOG2 of 3 bytes', assemble('PUSH 1; PUSH 2; PUSH 3; PUSH 0; LOG2'), 12 + 375 * 3 + 8 * 3 + 3);
costs('MCOPY 0 32 32 of EIP-5656', assemble('PUSH 32; PUSH 32; PUSH 0; MCOPY'), 9 + 6 + 6);
costs('CLZ of EIP-7939', assemble('PUSH 1; CLZ'), 8);
costs(
  'BALANCE of itself, then of another twice',
  assemble(`ADDRESS; BALANCE; PUSH ${OTHER}; BALANCE; PUSH ${OTHER}; BALANCE`),
  2 + 100 + 3 + 2600 + 3 + 100,
);
costs('the coinbase is warm (EIP-3651)', assemble('COINBASE; BALANCE'), 102);
// PUSH0 SLOAD STOP as init code: the address is that of the sender's creation 0.
costs('what the access list names is warm in a contract that is new (EIP-2930)', '0x', 102, 102, {
  message: {
    to: null,
    data: bytes('5f5400', 3),
    accessList: [{ address: bytes('49faae066c10b15066535c73c6c2da8e4710dbde', 20), slots: [new Uint8Array(32)] }],
  },
});

// ---- words ----

for (const [word, zeros] of [
  [0n, 256n],
  [2n ** 255n, 0n],
  [MAX, 0n],
  [2n ** 254n, 1n],
  [2n ** 255n - 1n, 1n],
  [1n, 255n],
  [2n ** 64n, 191n],
] as const)
  gives(`CLZ ${hex(word)}`, `PUSH ${hex(word)}; CLZ`, zeros);
gives('SIGNEXTEND 0 0x80', 'PUSH 0x80; PUSH 0; SIGNEXTEND', MAX - 0x7fn);
gives('SIGNEXTEND 0 0x17f', 'PUSH 0x17f; PUSH 0; SIGNEXTEND', 0x7fn);
gives('SIGNEXTEND 30', `PUSH ${hex(2n ** 247n)}; PUSH 30; SIGNEXTEND`, 2n ** 256n - 2n ** 247n);
gives('SAR of EIP-145: -1 by 255', `PUSH ${hex(MAX)}; PUSH 0xff; SAR`, MAX);
gives('SAR of EIP-145: the minimum by 256', `PUSH ${hex(2n ** 255n)}; PUSH 0x100; SAR`, MAX);
gives('SAR of EIP-145: the maximum by 254', `PUSH ${hex(2n ** 255n - 1n)}; PUSH 0xfe; SAR`, 1n);
gives('SHL of EIP-145: by 255', 'PUSH 1; PUSH 0xff; SHL', 2n ** 255n);
gives('SDIV of the minimum by -1', `PUSH ${hex(MAX)}; PUSH ${hex(2n ** 255n)}; SDIV`, 2n ** 255n);
gives('SMOD has the sign of the dividend', `PUSH 3; PUSH ${hex(MAX - 7n)}; SMOD`, MAX - 1n);
gives('ADDMOD does not wrap', `PUSH 10; PUSH ${hex(MAX)}; PUSH ${hex(MAX)}; ADDMOD`, (2n * MAX) % 10n);
gives('BYTE 31', 'PUSH 0x1234; PUSH 31; BYTE', 0x34n);
for (const length of [0, 1, 135, 136, 137, 271, 272, 273]) {
  const digest = BigInt(toHex(keccak256(new Uint8Array(length))));
  gives(`KECCAK256 of ${length} zeros`, `PUSH ${length}; PUSH 0; KECCAK256`, digest);
}

// The current block is number 100.
for (const [number, hash] of [
  [100n, 0n],
  [99n, BLOCK_HASH],
  [0n, BLOCK_HASH],
  [101n, 0n],
  [2n ** 64n - 1n, 0n],
  [2n ** 64n - 156n, 0n],
  [2n ** 64n + 99n, 0n],
] as const)
  gives(`BLOCKHASH ${hex(number)}`, `PUSH ${hex(number)}; BLOCKHASH`, hash);

// The examples of EIP-5656: 0 to 31 downwards, onto itself, overlapping in both directions.
const COUNT = Buffer.from(Array.from({ length: 32 }, (_, i) => i)).toString('hex');
for (const [to, from, length, before, after] of [
  [0, 0, 32, '01'.repeat(32), '01'.repeat(32)],
  [0, 1, 8, '000102030405060708', '010203040506070808'],
  [1, 0, 8, '000102030405060708', '000001020304050607'],
] as const) {
  const word = `0x${before.padEnd(64, '0')}`;
  gives(
    `MCOPY ${to} ${from} ${length}`,
    `PUSH ${word}; PUSH 0; MSTORE; PUSH ${length}; PUSH ${from}; PUSH ${to}; MCOPY; PUSH 0; MLOAD`,
    BigInt(`0x${after.padEnd(64, '0')}`),
  );
}
gives(
  'MCOPY 0 32 32',
  `PUSH 0x${COUNT}; PUSH 32; MSTORE; PUSH 32; PUSH 32; PUSH 0; MCOPY; PUSH 0; MLOAD`,
  BigInt(`0x${COUNT}`),
);

// ---- calls ----

/** A call without input and output; the success flag stays on the stack. */
function call(kind: string, gas: string, to: string, value = 0): string {
  const paid = kind === 'CALL' || kind === 'CALLCODE' ? `PUSH ${value};` : '';
  return `PUSH 0; PUSH 0; PUSH 0; PUSH 0; ${paid} PUSH ${to}; PUSH ${gas}; ${kind}`;
}

/** Seven PUSHes and a cold account. */
const BASE = 21 + 2600;
const rich = { balance: 10n };

// 9000 for value, 25000 for a new account; the unused stipend is returned.
costs(
  'CALL with value to an empty account',
  assemble(call('CALL', '0', OTHER, 1)),
  BASE + 34_000 - 2300,
  BASE + 34_000,
  { self: rich },
);
costs(
  'CALL with value to an existing account',
  assemble(call('CALL', '0', OTHER, 1)),
  BASE + 9000 - 2300,
  BASE + 9000,
  {
    self: rich,
    accounts: { [OTHER]: { nonce: 1n } },
  },
);
costs('CALL without value to an empty account', assemble(call('CALL', '0', OTHER)), BASE);
costs('CALLCODE with value', assemble(call('CALLCODE', '0', OTHER, 1)), BASE + 9000 - 2300, BASE + 9000, {
  self: rich,
});
costs('CALL that cannot be paid', assemble(call('CALL', '0', OTHER, 1)), BASE + 34_000 - 2300, BASE + 34_000);
costs('CALL twice', assemble(call('CALL', '0', OTHER), call('CALL', '0', OTHER)), BASE + 21 + 100);

/** A contract that uses exactly `gas`. */
const burner = (gas: number): MemoryAccount => ({ nonce: 1n, code: `0x${'5b'.repeat(gas)}` });
// The least R with R - floor(R / 64) >= M is M + floor((M - 1) / 63).
for (const [gas, inverse] of [
  [1, 1],
  [63, 63],
  [64, 65],
  [126, 127],
  [127, 129],
  [6300, 6399],
  [6301, 6401],
] as const)
  costs(
    `minimum gas of a call that uses ${gas}`,
    assemble(call('CALL', '0xffffff', OTHER)),
    BASE + gas,
    BASE + inverse,
    {
      accounts: { [OTHER]: burner(gas) },
    },
  );
costs(
  'minimum gas of a call with stipend: 100 more',
  assemble(call('CALL', '0xffff', OTHER, 1)),
  BASE + 9000 - 2300 + 2400,
  BASE + 9000 + 101,
  {
    self: rich,
    accounts: { [OTHER]: burner(2400) },
  },
);
costs('minimum gas of a call that halts with 1000', assemble(call('CALL', '1000', OTHER)), BASE + 1000, BASE + 1015, {
  accounts: { [OTHER]: { code: '0xfe' } },
});
costs(
  'minimum gas of two nested calls',
  assemble(call('CALL', '0xffffff', OTHER)),
  BASE + BASE + 1000,
  BASE + 3636 + 57,
  {
    // 2621 + 1015 in the middle frame; floor(3635 / 63) = 57 in the top frame.
    accounts: { [OTHER]: { code: assemble(call('CALL', '0xffffff', THIRD)) }, [THIRD]: burner(1000) },
  },
);
// Zero becomes non-zero: 97,920 state gas. The frame gets it back as it reverts, but it has needed it until then.
costs(
  'minimum gas of a call that reverts after it has paid state gas',
  assemble(call('CALL', '0xffffffff', OTHER)),
  15_133,
  114_799,
  {
    fork: 'amsterdam',
    accounts: { [OTHER]: { code: assemble('PUSH 1; PUSH 9; SSTORE; PUSH 0; PUSH 0; REVERT') } },
  },
);
costs('minimum gas of SHA-256 of nothing', assemble(call('STATICCALL', '0xffff', '2')), 18 + 100 + 60, 18 + 100 + 60);
vector(
  'a call that uses up all gas makes the run gas-sensitive',
  assemble(call('CALL', '0xffffffff', OTHER)),
  { accounts: { [OTHER]: { code: '0xfe' } } },
  (seen) => {
    assert.equal(seen.gasSensitive, true);
  },
);
vector('GAS makes the run gas-sensitive unless a call takes it', assemble('GAS; POP'), {}, (seen) =>
  assert.equal(seen.gasSensitive, true),
);

for (const [gas, outOfGas] of [
  [2n, true],
  [3n, false],
] as const)
  vector(`EXCHANGE with an immediate that is invalid and ${gas} gas`, '0xe861', { fork: 'amsterdam', gas }, (seen) =>
    assert.equal(seen.error?.outOfGas, outOfGas),
  );

// ---- EIP-7702 ----

const DELEGATION = `0xef0100${THIRD.slice(2)}`;
const delegating = { [OTHER]: { nonce: 1n, code: DELEGATION }, [THIRD]: burner(10) };
costs(
  'a delegation is another cold account',
  assemble(call('CALL', '0xffff', OTHER)),
  BASE + 2600 + 10,
  BASE + 2600 + 10,
  { accounts: delegating },
);
costs(
  'a delegation is warm the second time',
  assemble(call('CALL', '0xffff', OTHER), call('CALL', '0xffff', OTHER)),
  BASE + 2610 + 21 + 200 + 10,
  BASE + 2610 + 21 + 200 + 10,
  { accounts: delegating },
);
costs('before Prague a delegation is code', assemble(call('CALL', '100', OTHER)), BASE + 100, BASE + 101, {
  fork: 'cancun',
  accounts: delegating,
});
costs('code of a delegation is read without following it', assemble(`PUSH ${OTHER}; EXTCODESIZE`), 2603, 2603, {
  accounts: delegating,
});
gives('EXTCODESIZE of a delegation', `PUSH ${OTHER}; EXTCODESIZE`, 23n, { accounts: delegating });
gives('EXTCODEHASH of a delegation', `PUSH ${OTHER}; EXTCODEHASH`, BigInt(toHex(keccak256(bytes(DELEGATION, 0)))), {
  accounts: delegating,
});

// ---- creations ----

/** PUSH1 1 PUSH1 0 RETURN: a byte of zeros. */
const ONE_BYTE = '60016000f3';
const makeOne = (kind: string): string =>
  `PUSH 0x${ONE_BYTE}; PUSH 0; MSTORE; ${kind === 'CREATE2' ? 'PUSH 0;' : ''} PUSH 5; PUSH 27; PUSH 0; ${kind}`;
// MSTORE 12, three PUSHes, 32000 and one word of init code; inside, 209 including one byte of code: inv(209) = 212.
costs('CREATE of one byte', assemble(makeOne('CREATE')), 32_023 + 209, 32_023 + 212);
costs('CREATE of one byte before EIP-3860', assemble(makeOne('CREATE')), 32_021 + 209, 32_021 + 212, {
  fork: 'london',
});
costs('CREATE2 of one byte', assemble(makeOne('CREATE2')), 32_032 + 209, 32_032 + 212);
// 1536 words of memory cost 4608 + 4608; of init code, 3072.
costs('CREATE from 49152 bytes', assemble('PUSH 49152; PUSH 0; PUSH 0; CREATE'), 9 + 32_000 + 9216 + 3072);
vector('CREATE from 49153 bytes', assemble('PUSH 49153; PUSH 0; PUSH 0; CREATE'), {}, (seen) =>
  assert.equal(seen.status, 'halt'),
);
costs(
  'CREATE from 49153 bytes before EIP-3860',
  assemble('PUSH 49153; PUSH 0; PUSH 0; CREATE'),
  9 + 32_000 + 1537 * 3 + 4614,
  9 + 32_000 + 1537 * 3 + 4614,
  { fork: 'london' },
);

// EIP-1014: creator, salt, init code, address.
const BEEF = '0xdeadbeef00000000000000000000000000000000';
const ZERO = `0x${'00'.repeat(20)}`;
const LOW_BEEF = '0x00000000000000000000000000000000deadbeef';
const FEED = 0xfeed_0000_0000_0000_0000_0000_0000_0000_0000_0000n;
const CREATED: readonly (readonly [creator: string, salt: bigint, init: string, address: string])[] = [
  [ZERO, 0n, '00', '0x4d1a2e2bb4f88f0250f26ffff098b0b30b26bf38'],
  [BEEF, 0n, '00', '0xb928f69bb1d91cd65274e3c79d8986362984fda3'],
  [BEEF, FEED, '00', '0xd04116cdd17bebe565eb2422f2497e06cc1c9833'],
  [ZERO, 0n, 'deadbeef', '0x70f2b2914a2a4b783faefb75f459a580616fcb5e'],
  [LOW_BEEF, 0xcafebaben, 'deadbeef', '0x60f3f640a8508fc6a86d45df051962668e1e8ac7'],
  [LOW_BEEF, 0xcafebaben, 'deadbeef'.repeat(11), '0x1d8bfdc5d46dc4f61d6b6115972536ebe6a8854c'],
  [ZERO, 0n, '', '0xe33c0c7f7df4809055c3eba6c09cfe4baf1bd9e0'],
];
for (const [creator, salt, init, address] of CREATED) {
  const words = (init.match(/.{1,64}/g) ?? []).map(
    (word, i) => `PUSH 0x${word.padEnd(64, '0')}; PUSH ${i * 32}; MSTORE`,
  );
  const create = `PUSH ${hex(salt)}; PUSH ${init.length / 2}; PUSH 0; PUSH 0; CREATE2`;
  // 0xde is not an instruction: that creation fails, but its address becomes warm: SWAP1 BALANCE GAS cost 105.
  const fails = init.startsWith('de');
  const check = `PUSH ${address}; ${fails ? 'GAS; SWAP1; BALANCE; GAS; SWAP1; POP; SWAP1; SUB; SWAP1; POP' : 'POP'}`;
  const setting = { message: { to: bytes(creator, 20) } };
  gives(
    `CREATE2 by ${creator} with ${salt} of ${init}`,
    `${[...words, create].join('; ')}; ${check}`,
    fails ? 105n : BigInt(address),
    setting,
  );
}

// ---- EIP-6780, and the rules before it ----

const LEGACY = assemble(`PUSH ${OTHER}; SELFDESTRUCT`);
const OWN_HEIR = assemble('ADDRESS; SELFDESTRUCT');
vector(
  'SELFDESTRUCT moves an old contract’s balance and keeps the contract',
  LEGACY,
  { self: rich },
  ({ state, gasUsed, destroyed }) => {
    assert.deepEqual([state.accountOf(TARGET)!.balance, state.accountOf(bytes(OTHER, 20))!.balance], [0n, 10n]);
    assert.deepEqual([gasUsed, destroyed], [3n + 5000n + 2600n + 25_000n, []]);
  },
);
vector(
  'SELFDESTRUCT removes an old contract before Cancun',
  LEGACY,
  { self: rich, fork: 'shanghai' },
  ({ state, destroyed }) => {
    assert.equal(state.accountOf(TARGET), null);
    assert.equal(destroyed.length, 1);
  },
);
vector(
  'SELFDESTRUCT of an old contract to itself keeps its balance',
  OWN_HEIR,
  { self: rich },
  ({ state, gasUsed }) => {
    assert.deepEqual([state.accountOf(TARGET)!.balance, gasUsed], [10n, 5002n]);
  },
);
vector(
  'SELFDESTRUCT of an old contract to itself burns its balance before Cancun',
  OWN_HEIR,
  { self: rich, fork: 'shanghai' },
  ({ state }) => {
    assert.equal(state.accountOf(TARGET), null);
  },
);
vector('SELFDESTRUCT without balance creates no account for its beneficiary', LEGACY, {}, ({ gasUsed, state }) => {
  assert.deepEqual([gasUsed, state.accountOf(bytes(OTHER, 20))], [7603n, null]);
});
// Init code ADDRESS SELFDESTRUCT, with 3 wei.
vector(
  'SELFDESTRUCT to itself in init code burns the balance',
  assemble('PUSH 0x30ff; PUSH 0; MSTORE; PUSH 2; PUSH 30; PUSH 3; CREATE'),
  { self: rich },
  ({ state, destroyed }) => {
    assert.equal(state.accountOf(TARGET)!.balance, 7n);
    assert.equal(destroyed.length, 1);
    assert.equal(state.accountOf(destroyed[0]!), null);
  },
);

// ---- depth ----

// Every frame returns one more than the frame it called; the 1025th is not entered.
const DEPTH = 'PUSH 32; PUSH 0; PUSH 0; PUSH 0; PUSH 0; ADDRESS; GAS; CALL; POP; PUSH 0; MLOAD; PUSH 1; ADD';
gives('a call 1025 deep is not started', DEPTH, 1025n, { gas: 2n ** 40n });

// ---- EIP-161, and the exception of mainnet's block 2675119 ----

const REVERTS = assemble(call('CALL', '0xffff', '3'), call('CALL', '0xffff', THIRD), 'PUSH 0; PUSH 0; REVERT');
vector(
  'a reverted frame removes no empty account it touched, but RIPEMD-160’s',
  assemble(call('CALL', '0xfffff', OTHER)),
  { accounts: { [OTHER]: { nonce: 1n, code: REVERTS }, [THIRD]: {}, '3': {} } },
  ({ state }) => {
    assert.equal(state.accountOf(bytes('3', 20)), null);
    assert.notEqual(state.accountOf(bytes(THIRD, 20)), null);
  },
);
vector(
  'SELFDESTRUCT touches an empty beneficiary that exists',
  assemble(`PUSH ${THIRD}; SELFDESTRUCT`),
  { accounts: { [THIRD]: {} } },
  ({ state }) => {
    assert.equal(state.accountOf(bytes(THIRD, 20)), null);
  },
);

// ---- SELFDESTRUCT in other cases, and static frames (EIP-214) ----

gives('burned ether is gone at once', 'PUSH 0x30ff; PUSH 0; MSTORE; PUSH 2; PUSH 30; PUSH 3; CREATE; BALANCE', 0n, {
  self: rich,
});
for (const [kind, answer] of [
  ['CALL', 0n],
  ['CALLCODE', 1n],
] as const) {
  const inside = { ...rich, nonce: 1n, code: assemble(call(kind, '0', THIRD, 1)) };
  gives(`${kind} with value in a static frame`, call('STATICCALL', '0xffff', OTHER), answer, {
    accounts: { [OTHER]: inside },
  });
}

// ---- Amsterdam: the table of EIP-8038, with state gas of EIP-8037 ----

const SLOT = 97_920;
const ACCOUNT = 183_600;
const AMSTERDAM_STORES: readonly (readonly [
  original: bigint,
  values: readonly number[],
  gas: number,
  state: number,
  refund: number,
])[] = [
  [0n, [0, 0], 212, 0, 0],
  [0n, [0, 1], 10_212, SLOT, 0],
  [0n, [1, 0], 10_212, 0, 10_000],
  [0n, [1, 2], 10_212, SLOT, 0],
  [0n, [1, 0, 1], 20_318, SLOT, 10_000],
  [1n, [0, 0], 10_212, 0, 11_616],
  [1n, [0, 1], 10_212, 0, 10_000],
  [1n, [0, 2], 10_212, 0, 0],
  [1n, [2, 0], 10_212, 0, 11_616],
  [1n, [2, 1], 10_212, 0, 10_000],
  [1n, [1, 1], 212, 0, 0],
];
for (const [original, values, gas, state, refund] of AMSTERDAM_STORES) {
  const code = assemble(...values.map((value) => `PUSH ${value}; PUSH 0; SSTORE`));
  const self = { storage: { '0': original } };
  const warm = { accessList: [{ address: TARGET, slots: [new Uint8Array(32)] }] };
  for (const [cold, message] of [
    [0, warm],
    [2000, {}],
    [2000, { reservoir: 1_000_000n }],
    [2000, { reservoir: 50_000n }],
  ] as const) {
    const name = `SSTORE of EIP-8038: ${original} -> ${values.join(' -> ')}, ${cold} ${JSON.stringify(Object.keys(message))}`;
    vector(name, code, { fork: 'amsterdam', self, message }, (seen) => {
      const all = [Number(seen.gasUsed), Number(seen.stateGas), Number(seen.refund)];
      assert.deepEqual(all, [gas + cold + state, state, refund]);
    });
  }
}

/** Gas and state gas that the code uses, with or without a reservoir. */
function amsterdamCosts(name: string, code: string, gas: number, state: number, setting: Setting = {}): void {
  for (const reservoir of [0n, 100_000n, 10_000_000n])
    vector(
      `${name}, ${reservoir} in the reservoir`,
      code,
      { ...setting, fork: 'amsterdam', message: { ...setting.message, reservoir } },
      (seen) => {
        assert.equal(seen.status, 'success');
        assert.deepEqual([Number(seen.gasUsed), Number(seen.stateGas)], [gas + state, state]);
      },
    );
}

const RICH_SELF = { self: { balance: 5n } };
amsterdamCosts('BALANCE of another', assemble(`PUSH ${OTHER}; BALANCE`), 3003, 0);
amsterdamCosts('EXTCODESIZE reads twice', assemble(`PUSH ${OTHER}; EXTCODESIZE`), 3103, 0);
amsterdamCosts('EXTCODECOPY reads twice', assemble(`PUSH 0; PUSH 0; PUSH 0; PUSH ${OTHER}; EXTCODECOPY`), 3112, 0);
amsterdamCosts(
  'CALL with value to an account that does not exist',
  assemble(`PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 1; PUSH ${OTHER}; PUSH 0; CALL`),
  21 + 3000 + 9000,
  ACCOUNT,
  RICH_SELF,
);
amsterdamCosts(
  'CALL with value to an account that exists',
  assemble(`PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 1; PUSH ${OTHER}; PUSH 0; CALL`),
  21 + 3000 + 9000,
  0,
  { ...RICH_SELF, accounts: { [OTHER]: { balance: 1n } } },
);
amsterdamCosts(
  'CALL with more value than the balance pays for no account',
  assemble(`PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 6; PUSH ${OTHER}; PUSH 0; CALL`),
  21 + 3000 + 9000,
  0,
  RICH_SELF,
);
amsterdamCosts('CREATE of nothing', assemble('PUSH 0; PUSH 0; PUSH 0; CREATE'), 9 + 12_000, ACCOUNT);
amsterdamCosts('CREATE that cannot pay', assemble('PUSH 0; PUSH 0; PUSH 6; CREATE'), 9 + 12_000, 0, RICH_SELF);
amsterdamCosts(
  'CREATE of 32 bytes',
  assemble('PUSH 0x60206000f3; PUSH 0; MSTORE; PUSH 5; PUSH 27; PUSH 0; CREATE'),
  12 + 9 + 12_000 + 2 + 9 + 6,
  ACCOUNT + 32 * 1530,
);
amsterdamCosts(
  'SELFDESTRUCT to an account that does not exist',
  assemble(`PUSH ${OTHER}; SELFDESTRUCT`),
  3 + 5000 + 12_000,
  ACCOUNT,
  RICH_SELF,
);
amsterdamCosts('value to an account that does not exist', '0x', 0, ACCOUNT, {
  self: { nonce: 0n },
  message: { value: 1n },
});

vector(
  'without the gas for a new recipient nothing is started (EIP-2780)',
  '0x',
  {
    fork: 'amsterdam',
    self: { nonce: 0n },
    message: { value: 1n },
    gas: BigInt(ACCOUNT - 1),
  },
  (seen) => {
    assert.deepEqual([seen.status, seen.isEntryUnpaid, Number(seen.gasUsed)], ['halt', true, ACCOUNT - 1]);
  },
);

for (const [reservoir, left] of [
  [97_920n, 9_987_892n],
  [97_919n, 9_987_891n],
  [0n, 9_889_972n],
] as const)
  gives(`GAS sees no reservoir: ${reservoir}`, 'PUSH 1; PUSH 0; SSTORE; GAS', left, {
    fork: 'amsterdam',
    message: { reservoir },
  });
// EIP-8037: the callee clears a slot that its caller paid for from its gas; when the callee returns, the reservoir is
// credited.
gives(
  'GAS sees what a child was paid back',
  `PUSH 1; PUSH 0; SSTORE; PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH ${OTHER}; PUSH 100000; CALLCODE; POP; GAS`,
  10_000_000n - 15_237n,
  { fork: 'amsterdam', accounts: { [OTHER]: { code: assemble('PUSH 0; PUSH 0; SSTORE') } } },
);

// ---- EIP-8024, EIP-7843 ----

const PILE = Array.from({ length: 31 }, (_, i) => `PUSH ${i + 1}`).join(';');
for (const [code, word] of [
  ['DUPN 17', 15n],
  ['DUPN 31', 1n],
  ['SWAPN 17', 14n],
  ['SWAPN 30', 1n],
  ['EXCHANGE 1 2; POP', 29n],
  ['EXCHANGE 1 16; POP', 15n],
  ['EXCHANGE 1 29; POP', 2n],
  ['EXCHANGE 14 16; POP; POP; POP; POP; POP; POP; POP; POP; POP; POP; POP; POP; POP; POP', 15n],
] as const)
  gives(`${code} on 1 to 31`, `${PILE}; ${code}`, word, { fork: 'amsterdam' });
for (const [name, code] of [
  ['DUPN 0x5b', 'e65b'],
  ['DUPN 0x7f', 'e67f'],
  ['EXCHANGE 0x52', 'e852'],
  ['DUPN 32', assemble('DUPN 32').slice(2)],
  ['SWAPN 31', assemble('SWAPN 31').slice(2)],
  ['EXCHANGE 1 29 of 29 items', assemble('POP; POP; EXCHANGE 1 29').slice(2)],
] as const)
  vector(`${name} on 1 to 31 fails`, `${assemble(PILE)}${code}`, { fork: 'amsterdam' }, (seen) =>
    assert.equal(seen.status, 'halt'),
  );
vector('a JUMPDEST after DUPN is one', assemble('PUSH 4; JUMP; DUPN 236'), { fork: 'amsterdam' }, (seen) => {
  assert.equal(seen.status, 'success');
});
gives('SLOTNUM', 'SLOTNUM', 2n ** 64n - 1n, { fork: 'amsterdam', slotNumber: 2n ** 64n - 1n });

// ---- EIP-7708, EIP-8246 ----

const ETHER_LOG = `0x${'ff'.repeat(19)}fe`;
for (const [name, code, count] of [
  ['CALL', `PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 1; PUSH ${OTHER}; PUSH 0; CALL`, 1],
  ['CALL of itself', 'PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 1; ADDRESS; PUSH 0; CALL', 0],
  ['CALLCODE', `PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 1; PUSH ${OTHER}; PUSH 0; CALLCODE`, 0],
  ['CREATE', 'PUSH 0; PUSH 0; PUSH 1; CREATE', 1],
  ['SELFDESTRUCT', `PUSH ${OTHER}; SELFDESTRUCT`, 1],
  ['SELFDESTRUCT to itself', 'ADDRESS; SELFDESTRUCT', 0],
] as const)
  vector(
    `value is logged: ${name}`,
    assemble(code),
    { fork: 'amsterdam', ...RICH_SELF, message: { value: 2n } },
    (seen) => {
      assert.equal(seen.logs.length, 1 + count);
      for (const { address, topics } of seen.logs) assert.deepEqual([toHex(address), topics.length], [ETHER_LOG, 3]);
      assert.equal(toHex(seen.logs[0]!.topics[1]!), toHex(toBytes(BigInt(toHex(SENDER)), 32)));
      assert.equal(toHex(seen.logs[0]!.data), toHex(toBytes(2n, 32)));
    },
  );
