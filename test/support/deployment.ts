// Deploys and calls contracts in process, on a state of its own.
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import type { ExecutionContext, EvmMessage } from '../../src/evm/evm-engine.js';
import { ReferenceEngine } from '../../src/evm/reference/reference-engine.js';
import { createChainRules } from '../../src/evm/reference/fork-rules.js';
import { JournaledState } from '../../src/evm/journal/journaled-state.js';
import type { StateChanges } from '../../src/state/state-diff.js';
import { fromHex, toHex } from '../../src/lib/bytes/hex.js';
import { encodeRlp } from '../../src/lib/bytes/encode-rlp.js';
import { EMPTY_CODE_HASH } from '../../src/state/views/state-view.js';
import { blockEnv, chainAt } from './jobs.js';
import { MemoryView } from './memory-view.js';
import { plainMessage } from './message.js';

const GAS = 30_000_000n;
const FIRST_TIMESTAMP = 1_600_000_000;
const SECONDS_BETWEEN = 12;

/** Executes transactions without fees under Osaka's rules, 12 s apart. Addresses are `0x` hex. */
export class Deployment {
  readonly #state = new JournaledState(new MemoryView());
  readonly #engine = new ReferenceEngine({ rules: createChainRules(chainAt('osaka')).at(0, 0), state: this.#state });
  #timestamp = FIRST_TIMESTAMP;

  /** Creates an account without code. */
  account(address: string, balance: bigint): void {
    this.#state.setAccount(fromHex(address), { nonce: 0n, balance, codeHash: EMPTY_CODE_HASH });
  }

  /** Sets the code of an address without running anything. */
  code(address: string, code: Uint8Array): void {
    this.#state.setCode(fromHex(address), code);
  }

  codeOf(address: string): Uint8Array {
    return this.#state.codeOf(fromHex(address));
  }

  /** Creates a contract and returns its address. Throws if the constructor fails. */
  async create(from: string, creationCode: string): Promise<string> {
    const nonce = this.#state.accountOf(fromHex(from))?.nonce ?? 0n;
    await this.#run(from, null, 0n, creationCode);
    return toHex(keccak256(encodeRlp([fromHex(from), nonce])).subarray(12));
  }

  /** Returns what the call returned. Throws if it fails. */
  async send(from: string, to: string, data: string, value = 0n): Promise<Uint8Array> {
    return this.#run(from, to, value, data);
  }

  /** Every account, slot and code. To be called once, at the end. */
  contents(): StateChanges {
    return this.#state.changes();
  }

  async #run(from: string, to: string | null, value: bigint, data: string): Promise<Uint8Array> {
    const caller = fromHex(from);
    const { nonce, ...rest } = this.#state.accountOf(caller)!;
    this.#state.setAccount(caller, { ...rest, nonce: nonce + 1n });
    const message = messageOf(caller, to === null ? null : fromHex(to), value, fromHex(data));
    this.#timestamp += SECONDS_BETWEEN;
    const run = await this.#engine.apply(message, contextAt(this.#timestamp), GAS);
    this.#state.beginTransaction();
    if (run.status === 'success') return run.returnData;
    throw new Error(`${run.status}: ${run.error?.text ?? Buffer.from(run.returnData).toString('latin1')}`);
  }
}

/** A message without fees, access list and blobs. */
export function messageOf(caller: Uint8Array, to: Uint8Array | null, value: bigint, data: Uint8Array): EvmMessage {
  return plainMessage({ caller, to, value, data });
}

/** The context of a block at `timestamp`, without a deadline. */
export function contextAt(timestamp: number): ExecutionContext {
  return {
    env: blockEnv({ timestamp: BigInt(timestamp), baseFeePerGas: 0n }),
    blobBaseFee: 0n,
    precompileMoves: [],
    blockHash: () => null,
    deadline: Infinity,
  };
}
