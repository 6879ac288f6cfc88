// The contract set in a shared table, with other accounts and slots, and jobs as an estimator runs them. Runs in
// benches.
import { randomFillSync } from 'node:crypto';
import { AbiCoder, keccak256 } from 'ethers';
import type { Job, JobOutcome } from '../../src/transaction/evm-job.js';
import type { JobRunner } from '../../src/execution/call/job-runner.js';
import { fromHex, toHex } from '../../src/lib/bytes/hex.js';
import { toBytes } from '../../src/lib/bytes/big-endian.js';
import { StateResolver } from '../../src/pool/threads/job-base-state.js';
import type { AccountChange, SlotChange, StateDiff } from '../../src/state/state-diff.js';
import { TableWriter } from '../../src/state/table/writer.js';
import { EMPTY_CODE_HASH } from '../../src/state/views/state-view.js';
import { callAt, type CallTemplate, type ContractSet } from '../../test/support/contract-set.js';
import { blockEnv, job, type CallText } from '../../test/support/jobs.js';

const CHUNK = 100_000;
const HOLDERS_MAX = 50_000;
const FIRST_TIMESTAMP = 1_700_000_000;
const ETHER = 10n ** 18n;

type Contents = Pick<StateDiff, 'accounts' | 'slots' | 'codes'>;

const NOTHING: Contents = { accounts: [], slots: [], codes: [] };

/** Versions with the contract set in them; every publication is a block. */
export class SetTable {
  readonly set: ContractSet;
  /** Some of the filler accounts; they own gold. */
  readonly holders: readonly string[];
  readonly #writer: TableWriter;
  readonly #resolver = new StateResolver(null);
  #version = 0;
  #block = 0;

  /** `fill`: number of accounts, and of slots of the gold token, in addition to the set's. */
  constructor(set: ContractSet, fill = 0) {
    this.set = set;
    this.#writer = TableWriter.create({ accounts: fill + 1000, slots: fill + HOLDERS_MAX + 1000 });
    this.publish(set.state);
    const gold = fromHex(set.gold);
    for (let done = 0; done < fill; done += CHUNK) {
      const count = Math.min(CHUNK, fill - done);
      this.publish({ ...NOTHING, accounts: randomAccounts(count), slots: randomSlots(gold, count) });
    }
    const holders = randomAccounts(Math.min(fill, HOLDERS_MAX));
    this.publish({ ...NOTHING, accounts: holders, slots: holders.map(({ address }) => balance(gold, address)) });
    this.holders = holders.map(({ address }) => toHex(address));
  }

  get buffer(): SharedArrayBuffer {
    return this.#writer.buffer;
  }

  get version(): number {
    return this.#version;
  }

  publish(contents: Contents): void {
    const block = this.#block++;
    const coordinates = {
      block,
      index: 0,
      hash: toBytes(BigInt(block + 1), 32),
      parentHash: toBytes(BigInt(block), 32),
    };
    const env = blockEnv({ number: block, timestamp: BigInt(FIRST_TIMESTAMP + block) });
    const heads = { latest: block, safe: null, finalized: null };
    this.#version = this.#writer.publish({ coordinates, env, heads, ...contents });
  }

  /** Publishes a version that changes one holder's balance and one slot of the gold token. */
  publishSmall(): void {
    const gold = fromHex(this.set.gold);
    this.publish({ ...NOTHING, accounts: randomAccounts(1), slots: randomSlots(gold, 1) });
  }

  /** Runs a job at the newest version, as an estimator does. Throws unless the outcome is gas. */
  async run(runner: JobRunner, requested: Job): Promise<void> {
    const { view, env } = this.#resolver.at(
      { kind: 'version', version: this.#version },
      { generation: this.#writer.generation, buffer: this.buffer },
    )!;
    requireGas(await runner.runJob(requested, view, env));
  }
}

/** `count` different estimates of one kind. */
export function jobsOf(template: CallTemplate, count: number): Job[] {
  return Array.from({ length: count }, (_, index) => job(callAt(template, index + 1)));
}

/** Estimates between holders, each with different ones. */
export function holderJobs({ holders, set }: SetTable, kind: 'plain transfer' | 'ERC-20 transfer'): Job[] {
  const [from, to] = [shuffled(holders), shuffled(holders)];
  const transfer = set.calls.find(({ name }) => name === 'ERC-20 transfer')!;
  return holders.map((_, index) => {
    const plain: CallText = { from: from[index]!, to: to[index]!, value: 1n };
    return job(kind === 'plain transfer' ? plain : tokenTransfer(transfer, from[index]!, to[index]!));
  });
}

export function requireGas(outcome: JobOutcome): void {
  if (outcome.kind !== 'gas') throw new Error(`an estimate ended in ${outcome.kind}`);
}

function tokenTransfer(template: CallTemplate, from: string, to: string): CallText {
  const call = callAt(template, 1);
  const data = String(call.data);
  return { ...call, from, data: `${data.slice(0, 34)}${to.slice(2)}${data.slice(74)}` };
}

function shuffled(list: readonly string[]): string[] {
  return list
    .map((value) => [Math.random(), value] as const)
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value);
}

function randomAccounts(count: number): AccountChange[] {
  const bytes = randomFillSync(new Uint8Array(20 * count));
  const account = { nonce: 1n, balance: ETHER, codeHash: EMPTY_CODE_HASH };
  return Array.from({ length: count }, (_, index) => ({ address: bytes.slice(20 * index, 20 * index + 20), account }));
}

function randomSlots(address: Uint8Array, count: number): SlotChange[] {
  const bytes = randomFillSync(new Uint8Array(32 * count));
  const value = toBytes(ETHER, 32);
  return Array.from({ length: count }, (_, index) => ({
    address,
    slot: bytes.slice(32 * index, 32 * index + 32),
    value,
  }));
}

/** OpenZeppelin's ERC20 keeps balances in the mapping at slot 0. */
function balance(token: Uint8Array, holder: Uint8Array): SlotChange {
  const slot = keccak256(AbiCoder.defaultAbiCoder().encode(['address', 'uint256'], [toHex(holder), 0]));
  return { address: token, slot: fromHex(slot), value: toBytes(ETHER, 32) };
}
