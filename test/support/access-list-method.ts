// `eth_createAccessList` for a test node: runs the call on the node's own state and lists what it reads.
import { decodeHeader, blockEnvOfHeader } from '../../src/chain/block/header.js';
import type { ChainRules } from '../../src/evm/reference/fork-rules.js';
import { JobRunner } from '../../src/execution/call/job-runner.js';
import { fromHex, toHex } from '../../src/lib/bytes/hex.js';
import type { StateView } from '../../src/state/views/state-view.js';
import type { CallRequest, Job } from '../../src/transaction/evm-job.js';
import { EXECUTOR } from './engine.js';
import type { Json } from './node-json.js';
import { UNLIMITED_MS } from './patience.js';
import type { NodeBlock, UpstreamNode } from './upstream-node.js';

/** Makes `node` serve the method for the given blocks, which are keyed by hash (`0x` hex). */
export function offerAccessLists(node: UpstreamNode, rules: ChainRules, blocks: ReadonlyMap<string, NodeBlock>): void {
  const { createEngine } = EXECUTOR;
  const runner = new JobRunner(createEngine === undefined ? { rules } : { rules, createEngine });
  const listOf = async ([call, at]: readonly unknown[]): Promise<Json> => {
    const { header, state } = blocks.get((at as { blockHash: string }).blockHash)!;
    const noted = new NotingView(state);
    await runner.runJob(jobOf(call as Readonly<Record<string, string>>), noted, blockEnvOfHeader(decodeHeader(header)));
    return { accessList: noted.list, gasUsed: '0x0' };
  };
  // Requests run one at a time, because a runner can only run one job at a time.
  let last: Promise<unknown> = Promise.resolve();
  node.methods.set('eth_createAccessList', (params) => {
    const list = last.then(() => listOf(params));
    last = list;
    return list;
  });
}

/** Records every account and slot that is read. */
class NotingView implements StateView {
  readonly #view: StateView;
  readonly #slots = new Map<string, Set<string>>();

  constructor(view: StateView) {
    this.#view = view;
  }

  get list(): Json {
    return [...this.#slots].map(([address, slots]) => ({ address, storageKeys: [...slots] }));
  }

  account(address: Uint8Array): ReturnType<StateView['account']> {
    this.#of(address);
    return this.#view.account(address);
  }

  code(codeHash: Uint8Array): Uint8Array {
    return this.#view.code(codeHash);
  }

  storage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    this.#of(address).add(toHex(slot));
    return this.#view.storage(address, slot);
  }

  blockHash(number: number): Uint8Array | null {
    return this.#view.blockHash(number);
  }

  #of(address: Uint8Array): Set<string> {
    const key = toHex(address);
    const slots = this.#slots.get(key) ?? new Set();
    this.#slots.set(key, slots);
    return slots;
  }
}

function jobOf({ from, to, gas, value, input, data }: Readonly<Record<string, string>>): Job {
  const call: CallRequest = {
    from: fromHex(from ?? `0x${'00'.repeat(20)}`),
    to: to === undefined ? null : fromHex(to),
    gas: gas === undefined ? null : BigInt(gas),
    gasPrice: null,
    maxFeePerGas: null,
    maxPriorityFeePerGas: null,
    maxFeePerBlobGas: null,
    value: BigInt(value ?? 0),
    data: fromHex(input ?? data ?? '0x'),
    accessList: null,
    blobVersionedHashes: null,
    authorizationList: null,
  };
  const position = { kind: 'version', version: 0 } as const;
  return {
    kind: 'call',
    position,
    call,
    stateOverride: [],
    blockOverride: null,
    gasCap: 50_000_000n,
    timeoutMs: UNLIMITED_MS,
  };
}
