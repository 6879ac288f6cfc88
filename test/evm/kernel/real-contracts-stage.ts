// A small chain on two engines: every transaction runs on both, each on its own state, and must have the same results.
import assert from 'node:assert/strict';
import { JobRunner } from '../../../src/execution/call/job-runner.js';
import type { AppliedMessage, EvmEngine, EvmMessage } from '../../../src/evm/evm-engine.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { JournaledState } from '../../../src/evm/journal/journaled-state.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { getCreateAddress } from 'ethers';
import { chainAt, job } from '../../support/jobs.js';
import { bytes, MemoryView, type MemoryAccount } from '../../support/memory-view.js';
import { plainContext, plainMessage } from '../../support/message.js';
import { applyMessage, changesText, effects, text, type MakeEngine } from '../../support/programs/compare.js';
import type { Artifact } from './real-contracts-artifacts.js';

/** A deployed contract. */
export interface Deployed {
  readonly address: string;
  readonly abi: Artifact['abi'];
}

/** A transaction; addresses and data as hex. `to: null` creates. */
export interface Sending {
  readonly from: string;
  readonly to: string | null;
  readonly data: string;
  readonly value?: bigint;
  readonly gas?: bigint;
}

type Expected = AppliedMessage['status'];

interface Side {
  readonly engine: EvmEngine;
  readonly state: JournaledState;
  readonly runner: JobRunner;
}

const GAS = 30_000_000n;

/** Two engines and their states; the state so far is also a view for estimates. */
export class Stage {
  private readonly view = new MemoryView();
  private readonly sides: readonly Side[];
  private readonly context = plainContext();

  constructor(fork: string, makers: readonly MakeEngine[], accounts: Readonly<Record<string, MemoryAccount>>) {
    const base = new MemoryView();
    for (const [address, account] of Object.entries(accounts)) {
      base.put(address, account);
      this.view.put(address, account);
    }
    const rules = createChainRules(chainAt(fork));
    this.sides = makers.map((make) => {
      const state = new JournaledState(base);
      return { state, engine: make(rules.at(1, 1), state), runner: new JobRunner({ rules, createEngine: make }) };
    });
  }

  /** Deploys with these constructor arguments. */
  async deploy(from: string, { abi, creationCode }: Artifact, args: readonly unknown[] = []): Promise<Deployed> {
    const address = getCreateAddress({ from, nonce: this.nonce(from) });
    const data = creationCode + abi.encodeDeploy([...args]).slice(2);
    await this.send({ from, to: null, data }, 'success');
    return { address, abi };
  }

  /** Calls a function and returns its decoded result. */
  async call(from: string, to: Deployed, name: string, args: readonly unknown[], value = 0n): Promise<unknown> {
    const data = to.abi.encodeFunctionData(name, [...args]);
    const { returnData } = await this.send({ from, to: to.address, data, value }, 'success');
    const result = to.abi.decodeFunctionResult(name, returnData);
    return result.length === 1 ? result[0] : result;
  }

  /** Calls a function that must revert. */
  async fails(from: string, to: Deployed, name: string, args: readonly unknown[], value = 0n): Promise<string> {
    const data = to.abi.encodeFunctionData(name, [...args]);
    const { returnData } = await this.send({ from, to: to.address, data, value }, 'revert');
    return Buffer.from(returnData).toString('latin1');
  }

  /** Estimates and then applies on both engines. */
  async send(sending: Sending, expected: Expected): Promise<AppliedMessage> {
    await this.estimate(sending);
    return this.apply(sending, expected);
  }

  /** Estimates on both engines; both must return the same gas or the same failure. */
  async estimate({ from, to, data, value = 0n }: Sending): Promise<void> {
    const call = { from, data, value, ...(to === null ? {} : { to }) };
    const [first, second] = await this.each(async ({ runner }) =>
      runner.runJob(job(call), this.view, this.context.env),
    );
    assert.deepEqual(second, first);
  }

  /** Increments the sender's nonce and applies the message. */
  async apply(sending: Sending, expected: Expected): Promise<AppliedMessage> {
    const message = messageOf(sending);
    const results = await this.each(async ({ engine, state }) => {
      raiseNonce(state, message.caller);
      const applied = await applyMessage(engine, state, message, this.context, sending.gas ?? GAS);
      const changes = state.changes();
      return { applied, changes, seen: { ...text(applied), ...effects(applied), ...changesText(changes) } };
    });
    const [first, second] = results;
    assert.deepEqual(second!.seen, first!.seen);
    assert.equal(first!.applied.status, expected, first!.applied.error?.text);
    this.follow(first!.changes);
    return first!.applied;
  }

  nonce(address: string): bigint {
    return this.view.account(bytes(address, 20))?.nonce ?? 0n;
  }

  balance(address: string): bigint {
    return this.view.account(bytes(address, 20))?.balance ?? 0n;
  }

  private async each<T>(query: (side: Side) => Promise<T>): Promise<T[]> {
    const answers: T[] = [];
    for (const part of this.sides) answers.push(await query(part));
    return answers;
  }

  private follow(changes: ReturnType<JournaledState['changes']>): void {
    for (const { address, account } of changes.accounts) this.view.set(address, account);
    for (const { address, slot, value } of changes.slots) this.view.setSlot(address, slot, value);
    for (const { hash, bytes: code } of changes.codes) this.view.setCode(hash, code);
  }
}

function raiseNonce(state: JournaledState, address: Uint8Array): void {
  const account = state.accountOf(address);
  if (account === null) throw new Error(`nobody at ${toHex(address)}`);
  state.setAccount(address, { ...account, nonce: account.nonce + 1n });
}

function messageOf({ from, to, data, value = 0n }: Sending): EvmMessage {
  return plainMessage({
    caller: bytes(from, 20),
    to: to === null ? null : bytes(to, 20),
    value,
    data: bytes(data, 0),
  });
}
