// Bundles case by case: their block environment, why they are rejected, and their limits.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createTx } from '@ethereumjs/tx';
import { createAddressFromPrivateKey } from '@ethereumjs/util';
import { encodeHeader, type Header } from '../../../src/chain/block/header.js';
import { headerForEnv } from '../../support/header-for-env.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { toBigInt } from '../../../src/lib/bytes/big-endian.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { EncodedRlp, encodeRlp } from '../../../src/lib/bytes/encode-rlp.js';
import type { BlockEnv } from '../../../src/state/state-diff.js';
import { withoutSidecar } from '../../../src/transaction/split-blob-sidecar.js';
import type { BlockOverride, Bundle, Job, JobOutcome } from '../../../src/transaction/evm-job.js';
import { assemble } from '../../support/assembler.js';
import { blockEnv, chainAt, job, runOn } from '../../support/jobs.js';
import { bytes, MemoryView } from '../../support/memory-view.js';

const KEY = new Uint8Array(32).fill(1);
const SENDER = createAddressFromPrivateKey(KEY).bytes;
const RECEIVER = `0x${'22'.repeat(20)}`;
const CODE = `0x${'c0'.repeat(20)}`;
const ENV = blockEnv({ baseFeePerGas: 1000n });
const NUMBER = BigInt(ENV.number);
/** Returns time, number, gas limit, base fee, fee recipient and parent hash. */
const ENVIRONMENT = assemble(
  'TIMESTAMP; PUSH 0; MSTORE; NUMBER; PUSH 32; MSTORE; GASLIMIT; PUSH 64; MSTORE; BASEFEE; PUSH 96; MSTORE',
  'COINBASE; PUSH 128; MSTORE; PUSH 1; NUMBER; SUB; BLOCKHASH; PUSH 160; MSTORE; PUSH 192; PUSH 0; RETURN',
);
const REVERTS = assemble('PUSH 0; PUSH 0; REVERT');
const LOOP = assemble('LABEL again; REF again; JUMP');
const BLOB_HASH = `0x01${'11'.repeat(31)}`;

const { common } = createChainRules(chainAt('prague')).at(ENV.number, ENV.timestamp);

function signed(fields: object): Uint8Array {
  const fees = { maxPriorityFeePerGas: 2n, maxFeePerGas: 100_000n };
  const all = { type: 2, chainId: 1337n, nonce: 0n, gasLimit: 200_000n, to: RECEIVER, ...fees, ...fields };
  return createTx(all as Parameters<typeof createTx>[0], { common })
    .sign(KEY)
    .serialize();
}

function blobTransaction(count: number, nonce = 0n): Uint8Array {
  const hashes = Array.from({ length: count }, () => BLOB_HASH);
  return signed({ type: 3, blobVersionedHashes: hashes, maxFeePerBlobGas: 100n, nonce });
}

function world(code = '0x00'): MemoryView {
  const view = new MemoryView().put(SENDER, { balance: 10n ** 18n }).put(CODE, { code });
  view.setBlockHash(ENV.number, new Uint8Array(32).fill(0xbb));
  return view;
}

interface BundleJob {
  readonly override?: BlockOverride;
  readonly header?: Partial<Header>;
  readonly bundle?: Partial<Bundle>;
  readonly changes?: Partial<Job>;
}

function jobOf(transactions: readonly Uint8Array[], { override, header, bundle, changes }: BundleJob = {}): Job {
  const parent = { ...headerForEnv(ENV, new Uint8Array(32).fill(0xaa)), requestsHash: new Uint8Array(32), ...header };
  const parentHeader = encodeHeader(parent);
  const plain = { isPreConfirmed: false, withStateDiff: false, isMetered: false };
  const whole = { parentHeader, transactions, ...plain, ...bundle };
  return job({}, { kind: 'bundle', blockOverride: { number: NUMBER, ...override }, bundle: whole, ...changes });
}

function textOf(outcome: JobOutcome): string {
  return outcome.kind === 'failure' ? `${outcome.error}: ${outcome.message}` : outcome.kind;
}

interface BundleJson {
  readonly stateBlockNumber: number;
  readonly results: readonly { readonly value?: string; readonly gasUsed: number; readonly coinbaseDiff: string }[];
}

function toldOf(outcome: JobOutcome): BundleJson {
  assert.equal(textOf(outcome), 'json');
  return JSON.parse((outcome as { text: string }).text) as BundleJson;
}

async function environmentOf(more: BundleJob, env: BlockEnv = ENV): Promise<bigint[]> {
  const outcome = await runOn('prague', jobOf([signed({ to: CODE })], more), world(ENVIRONMENT), env);
  const { value } = toldOf(outcome).results[0]!;
  return Array.from({ length: 6 }, (_, word) =>
    toBigInt(Buffer.from(value!.slice(2), 'hex').subarray(32 * word, 32 * word + 32)),
  );
}

void describe('the environment of a bundle', () => {
  const [time, limit, coinbase] = [ENV.timestamp, ENV.gasLimit, toBigInt(ENV.coinbase)];
  const hash = toBigInt(new Uint8Array(32).fill(0xbb));

  void test('in the same block is that of the state block', async () => {
    assert.deepEqual(await environmentOf({}), [time, NUMBER, limit, 1000n, coinbase, 0n]);
  });

  void test('in the next or a later block is derived from that of the state block', async () => {
    const next = { override: { number: NUMBER + 1n } };
    assert.deepEqual(await environmentOf(next), [time + 1n, NUMBER + 1n, limit, 875n, coinbase, hash]);
    const full = { ...next, header: { gasUsed: ENV.gasLimit } };
    assert.deepEqual(await environmentOf(full), [time + 1n, NUMBER + 1n, limit, 1125n, coinbase, hash]);
    const later = { override: { number: NUMBER + 5n } };
    assert.deepEqual(await environmentOf(later), [time + 1n, NUMBER + 5n, limit, 875n, coinbase, 0n]);
  });

  void test('keeps the base fee after a block whose gas is not final', async () => {
    const open = { override: { number: NUMBER + 1n }, bundle: { isPreConfirmed: true } };
    assert.deepEqual(await environmentOf(open), [time + 1n, NUMBER + 1n, limit, 1000n, coinbase, hash]);
  });

  void test('has the requested overrides', async () => {
    const feeRecipient = bytes('fe', 20);
    const all = { number: NUMBER + 1n, time: 5n, gasLimit: 1_000_000n, baseFeePerGas: 3n, feeRecipient };
    assert.deepEqual(await environmentOf({ override: all }), [5n, NUMBER + 1n, 1_000_000n, 3n, 0xfen, hash]);
  });
});

async function refusal(transactions: readonly Uint8Array[], more: BundleJob = {}, fork = 'prague'): Promise<string> {
  return textOf(await runOn(fork, jobOf(transactions, more), world(LOOP), ENV));
}

void describe('a bundle is refused', () => {
  void test('if its gas limits exceed the block or the gas cap', async () => {
    const two = [signed({}), signed({ nonce: 1n })];
    const text = /^execution: err: gas limit reached; txhash 0x[0-9a-f]{64}$/;
    assert.equal(await refusal(two, { override: { gasLimit: 221_000n } }), 'json');
    assert.match(await refusal(two, { override: { gasLimit: 220_999n } }), text);
    assert.equal(await refusal(two, { changes: { gasCap: 221_000n } }), 'json');
    assert.match(await refusal(two, { changes: { gasCap: 220_999n } }), text);
  });

  void test('before London', async () => {
    assert.equal(await refusal([signed({})], {}, 'berlin'), 'execution: bundles are run from London on');
  });

  void test('at its timeout, between two transactions and within one', async () => {
    const endless = signed({ to: CODE, gasLimit: 16_000_000n });
    assert.equal(
      await refusal([signed({})], { changes: { timeoutMs: -1 } }),
      'timeout: execution aborted (timeout = -1ms)',
    );
    const brief = { changes: { timeoutMs: 1, gasCap: 10n ** 12n }, override: { gasLimit: 10n ** 12n } };
    const many = Array.from({ length: 60 }, (_, nonce) =>
      signed({ to: CODE, gasLimit: 16_000_000n, nonce: BigInt(nonce) }),
    );
    assert.equal(await refusal([endless, ...many.slice(1)], brief), 'timeout: execution aborted (timeout = 1ms)');
  });

  void test('if it has more blobs than a block may hold, or their fee is too low', async () => {
    const nine = [blobTransaction(6), blobTransaction(3, 1n)];
    assert.equal(await refusal(nine), 'json');
    assert.match(await refusal([...nine, blobTransaction(1, 2n)]), /^execution: err: blob gas limit reached; txhash/);
    const expensive = { override: { number: NUMBER + 1n }, header: { excessBlobGas: 10n ** 8n } };
    assert.match(await refusal([blobTransaction(1)], expensive), /max fee per blob gas less than block blob gas fee/);
  });
});

void test('the sidecar of a blob transaction is ignored, and its blob gas is paid for', async () => {
  const raw = blobTransaction(1);
  const wrapped = encodeRlp([new EncodedRlp(raw.slice(1)), ...[1, 2, 3].map(() => [new Uint8Array(4)])], 3);
  assert.deepEqual(withoutSidecar(wrapped), raw);
  const diffed = jobOf([withoutSidecar(wrapped)], { bundle: { withStateDiff: true } });
  const reported = toldOf(await runOn('prague', diffed, world(), ENV)) as unknown as {
    results: [{ gasUsed: number; stateDiff: Record<'pre' | 'post', Record<string, { balance: string }>> }];
  };
  const [{ gasUsed, stateDiff }] = reported.results;
  const paid = BigInt(stateDiff.pre[toHex(SENDER)]!.balance) - BigInt(stateDiff.post[toHex(SENDER)]!.balance);
  assert.equal(paid, BigInt(gasUsed) * 1002n + 131_072n);
});

void test('a bundle whose results or state diffs do not fit a response ends in an error', async () => {
  const code = assemble(`PUSH ${2 ** 20}; PUSH 0; RETURN`);
  const long = Array.from({ length: 5 }, (_, nonce) =>
    signed({ to: CODE, nonce: BigInt(nonce), gasLimit: 5_000_000n }),
  );
  assert.equal(textOf(await runOn('prague', jobOf(long.slice(0, 3)), world(code), ENV)), 'json');
  assert.equal(textOf(await runOn('prague', jobOf(long), world(code), ENV)), 'responseTooLarge: response too large');
  // A contract that pays each of these accounts, which are in its code.
  const targets = Array.from({ length: 200 }, (_, index) => 0xdd00 + index);
  const pays = targets.map((to) => `PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 1; PUSH ${to}; GAS; CALL; POP`).join('; ');
  const view = world(assemble(pays)).put(SENDER, { balance: 10n ** 18n });
  for (const target of targets) view.put(target.toString(16), { code: `0x00${'11'.repeat(24_575)}`, balance: 1n });
  const all = signed({ to: CODE, value: 200n, gasLimit: 16_000_000n });
  const withDiff = jobOf([all], { bundle: { withStateDiff: true } });
  assert.equal(textOf(await runOn('prague', jobOf([all]), view, ENV)), 'json');
  assert.equal(textOf(await runOn('prague', withDiff, view, ENV)), 'responseTooLarge: response too large');
});

interface Metered extends Readonly<Record<string, unknown>> {
  readonly results: readonly Readonly<Record<string, unknown>>[];
}

/** The fee recipient's gain at a gas price of 100,000 wei. */
function gains(gas: unknown): object {
  const fees = `0x${(BigInt(gas as number) * 100_000n).toString(16)}`;
  return { coinbaseDiff: fees, ethSentToCoinbase: '0x0', gasFees: fees };
}

void test('a metered bundle uses the same gas as an unmetered one, pays its maximum fees, and its times add up', async () => {
  const transactions = [signed({ value: 7n }), signed({ to: CODE, nonce: 1n }), signed({ to: null, nonce: 2n })];
  const answer = async (isMetered: boolean): Promise<Metered> => {
    const outcome = await runOn('prague', jobOf(transactions, { bundle: { isMetered } }), world(REVERTS), ENV);
    return toldOf(outcome) as unknown as Metered;
  };
  const plain = await answer(false);
  const metered = await answer(true);
  const times = metered.results.map(({ executionTimeUs }) => executionTimeUs as number);
  assert.ok(times.every((time) => Number.isSafeInteger(time) && time >= 0));
  const { results, ...totals } = metered;
  assert.deepEqual(totals, {
    ...gains(plain['totalGasUsed']),
    bundleGasPrice: '0x186a0',
    bundleHash: plain['bundleHash'],
    stateBlockNumber: plain['stateBlockNumber'],
    totalGasUsed: plain['totalGasUsed'],
    totalExecutionTimeUs: times.reduce((sum, time) => sum + time),
    stateRootTimeUs: 0,
  });
  for (const [index, { fromAddress, gasUsed, toAddress, txHash }] of plain.results.entries()) {
    const same = { fromAddress, gasUsed, toAddress, txHash, gasPrice: '0x186a0', value: index === 0 ? '0x7' : '0x0' };
    assert.deepEqual(results[index], { ...same, ...gains(gasUsed), executionTimeUs: times[index] });
  }
});
