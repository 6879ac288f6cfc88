// A service over any table, or over its own table with one contract and one block. Runs on the main thread, and in a
// benchmark on threads of its own.
import { keccak256 } from '../../src/lib/bytes/keccak-wasm.js';
import { blockEnvOfHeader } from '../../src/chain/block/header.js';
import { DEV_CHAIN, devGenesisBlock } from '../../src/feed/dev/genesis.js';
import { UsageLedger } from '../../src/fairness/usage-ledger.js';
import { TimeSlicer } from '../../src/fairness/time-slicer.js';
import { LIMITS } from '../../src/limits/index.js';
import { AnswerMemory } from '../../src/rpc/answer/answer-memory-budget.js';
import { CurrentView } from '../../src/rpc/view/current-table-view.js';
import { createBodyDecoder } from '../../src/rpc/decode/body-decoder.js';
import type { RequestLatency } from '../../src/rpc/answer/request-latency.js';
import type { RpcMethod } from '../../src/rpc/call/method-types.js';
import { createServedMethods, type MethodDeps } from '../../src/rpc/methods/method-functions.js';
import { JsonRpcService } from '../../src/rpc/json-rpc-service.js';
import type { CompleteBlockSource } from '../../src/rpc/view/stored-blocks.js';
import { loadPlainReads } from '../../src/rpc/reads/native-plain-reads.js';
import { TableWriter } from '../../src/state/table/writer.js';
import { LATEST_BLOCK } from '../../src/rpc/view/block-param-types.js';

function unexpected(name: string, fault: unknown): never {
  throw new Error(name, { cause: fault });
}

export const CONTRACT = new Uint8Array(20).fill(7);
export const CODE = new Uint8Array(24_576).fill(0x5b);

export interface Served {
  readonly service: JsonRpcService;
  readonly memory: AnswerMemory;
  /** Publishes a version in which the contract has this nonce. */
  readonly publish: (nonce: bigint) => void;
}

export interface ServedDeps {
  /** Methods in addition to the table of methods. */
  readonly methods?: readonly RpcMethod[];
  readonly slices?: TimeSlicer;
  readonly latency?: RequestLatency;
}

/** A service over a table that `publish` updates. */
export function serveTable(deps: ServedDeps = {}): Served {
  const { block, header } = devGenesisBlock(new Uint8Array(32), 1);
  const hash = keccak256(CODE);
  const table = TableWriter.create({ complete: true });
  const publish = (nonce: bigint): void => {
    table.publish({
      coordinates: { block: 0, index: Number(nonce), hash: block.hash, parentHash: header.parentHash },
      env: blockEnvOfHeader(header),
      heads: { latest: 0, safe: null, finalized: null },
      accounts: [{ address: CONTRACT, account: { nonce, balance: 0n, codeHash: hash } }],
      slots: [],
      codes: [{ hash, bytes: CODE }],
    });
  };
  publish(1n);
  return { ...serviceOver(table.buffer, deps), publish };
}

/** No request here needs blocks or the dependencies of other methods. */
export function serviceOver(buffer: SharedArrayBuffer, served: ServedDeps = {}): Pick<Served, 'service' | 'memory'> {
  const memory = new AnswerMemory();
  const current = new CurrentView(buffer, {} as CompleteBlockSource, loadPlainReads(1000).open);
  return { service: serviceOn(current, { ...served, memory }), memory };
}

const TERMS = { backing: null, revertErrorCode: 3, defaultBlock: LATEST_BLOCK, onFault: unexpected };

/** A service over the state and blocks of `current`; `methods` are added to the table of methods. */
export function serviceOn(
  current: CurrentView,
  { methods = [], terms = TERMS, ...others }: Partial<ConstructorParameters<typeof JsonRpcService>[0]>,
): JsonRpcService {
  const parts = { ...terms, chain: DEV_CHAIN, sending: {} } as unknown as MethodDeps;
  return new JsonRpcService({
    callsMax: 1000,
    passesOn: () => false,
    decoder: createBodyDecoder(),
    sending: null,
    methods: [...createServedMethods(parts), ...methods],
    terms,
    readView: () => current.get(),
    memory: new AnswerMemory(),
    slices: new TimeSlicer(LIMITS.mainSliceMs),
    ledger: new UsageLedger(),
    latency: null,
    ...others,
  });
}
