// Reads state at a block's hash. Missing keys are collected, merged and requested in batches.
//
// An account is read by its balance, nonce and code, not by eth_getProof. Every node reads these three from its flat
// state within microseconds, and one round trip is enough. A proof takes the node some milliseconds, many nodes refuse
// it or offer it only for the newest blocks, and the code would need a second round trip. The drawback is that the code
// is transferred whenever the account is read. But an account is read again only after it was evicted from the table.
import { randomBytes } from 'node:crypto';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import { toHex } from '../../lib/bytes/hex.js';
import { toBytes } from '../../lib/bytes/big-endian.js';
import type { AccountChange, CodeChange, SlotChange } from '../../state/state-diff.js';
import type { MissingKeys } from '../../state/views/miss-recording-view.js';
import { EMPTY_CODE_HASH } from '../../state/views/state-view.js';
import { UpstreamError } from '../transport/upstream-error.js';
import { parseBytes, parseQuantity } from './json-values.js';
import type { JsonRpcClient, UpstreamRequest } from '../transport/json-rpc-client.js';
import type { RpcAnswer } from '../transport/parse-rpc-response.js';
import type { UpstreamStats } from '../transport/upstream-stats.js';
import type { RefusedRead, FetchedState } from '../upstream.js';

/** An account with its code, as it was read from the node. */
interface AccountRead {
  readonly change: AccountChange;
  readonly code: Uint8Array;
}

type Read<T> = T | UpstreamError;

const REQUESTS_PER_ACCOUNT = 3;
const INVALID_PARAMS = -32602;

/** The keys that are requested in one event-loop tick, to be read at one block (the anchor). */
class ReadBatch {
  readonly accounts = new Map<string, Uint8Array>();
  readonly slots = new Map<string, MissingKeys['slots'][number]>();
  readonly accountReads = new Map<string, Read<AccountRead>>();
  readonly slotReads = new Map<string, Read<SlotChange>>();
  /** Resolves when `accountReads` and `slotReads` have a value or an error for every key. */
  readonly settled: Promise<void>;

  constructor(send: (batch: ReadBatch) => Promise<void>) {
    // Sent after this event-loop tick, not in a microtask: requests of other threads that arrive as messages within the
    // tick can still join the batch.
    this.settled = new Promise<void>((resolve) => setImmediate(resolve)).then(() => send(this));
  }
}

/**
 * Unfinished reads at one anchor block. `batches` has the batch of each key; `gathering` is the batch that is not sent
 * yet, to which keys can be added.
 */
interface Unsettled {
  readonly batches: Map<string, ReadBatch>;
  gathering: ReadBatch | null;
}

/**
 * Reads state. Concurrent requests for the same key at the same block (the anchor) are merged. The first batch also
 * verifies that the node supports block hashes as parameters (EIP-1898).
 */
export class BatchedStateReader {
  readonly #rpc: JsonRpcClient;
  readonly #stats: UpstreamStats;
  /**
   * Unfinished reads, by the hash of their anchor block. An entry is removed when its last read is finished.
   */
  readonly #unsettled = new Map<string, Unsettled>();
  /** Whether the node really reads state at the requested block hash. If it does not, the error for all reads. */
  #hashes: 'unproven' | 'honoured' | UpstreamError = 'unproven';

  constructor(rpc: JsonRpcClient, stats: UpstreamStats) {
    this.#rpc = rpc;
    this.#stats = stats;
  }

  /** Reads the values of `keys` after the block with hash `anchor`. Never rejects. */
  async read(anchor: Uint8Array, keys: MissingKeys): Promise<FetchedState> {
    const accounts = new Map(keys.accounts.map((address) => [toHex(address), address]));
    const slots = new Map(keys.slots.map((want) => [toHex(want.address) + toHex(want.slot), want]));
    if (accounts.size + slots.size === 0) return { accounts: [], slots: [], codes: [], refused: [] };
    const batches = new Map<string, ReadBatch>();
    for (const [key, address] of accounts)
      batches.set(
        key,
        this.#join(anchor, key, ({ accounts: wanted }) => wanted.set(key, address)),
      );
    for (const [key, want] of slots)
      batches.set(
        key,
        this.#join(anchor, key, ({ slots: wanted }) => wanted.set(key, want)),
      );
    await Promise.all([...new Set(batches.values())].map(({ settled }) => settled));
    const refused: RefusedRead[] = [];
    const accountReads = [...accounts].flatMap(([key, address]) => {
      return valueOrRefusal(batches.get(key)!.accountReads.get(key)!, { address, slot: null }, refused);
    });
    const slotReads = [...slots].flatMap(([key, want]) => {
      return valueOrRefusal(batches.get(key)!.slotReads.get(key)!, want, refused);
    });
    const changes = accountReads.map(({ change }) => change);
    return { accounts: changes, slots: slotReads, codes: codesOf(accountReads), refused };
  }

  /** Returns the batch that reads a key. If no unfinished batch contains the key, `enter` adds it to the next batch. */
  #join(anchor: Uint8Array, key: string, enter: (batch: ReadBatch) => void): ReadBatch {
    const id = toHex(anchor);
    const unsettled = this.#unsettled.get(id) ?? { batches: new Map<string, ReadBatch>(), gathering: null };
    this.#unsettled.set(id, unsettled);
    const known = unsettled.batches.get(key);
    if (known !== undefined) {
      this.#stats.merged++;
      return known;
    }
    const batch = (unsettled.gathering ??= new ReadBatch((started) => this.#send(id, started)));
    unsettled.batches.set(key, batch);
    enter(batch);
    return batch;
  }

  async #send(id: string, batch: ReadBatch): Promise<void> {
    const unsettled = this.#unsettled.get(id)!;
    unsettled.gathering = null;
    await this.#fetch(id, batch);
    for (const key of [...batch.accounts.keys(), ...batch.slots.keys()]) unsettled.batches.delete(key);
    if (unsettled.batches.size === 0) this.#unsettled.delete(id);
  }

  async #fetch(id: string, { accounts, slots, accountReads, slotReads }: ReadBatch): Promise<void> {
    const at = { blockHash: id };
    const isProbing = this.#hashes === 'unproven';
    const requests = [
      ...(isProbing ? [probe()] : []),
      ...[...accounts.values()].flatMap((address) => accountRequests(address, at)),
      ...[...slots.values()].map((want) => slotRequest(want, at)),
    ];
    const answers = await this.#rpc.batch(requests);
    if (isProbing) this.#checkProbe(answers[0]!);
    let next = isProbing ? 1 : 0;
    for (const [key, address] of accounts) {
      const mine = answers.slice(next, (next += REQUESTS_PER_ACCOUNT));
      accountReads.set(key, this.#check(mine) ?? attempt(() => accountOf(address, mine)));
    }
    for (const [key, want] of slots) {
      const mine = answers.slice(next, ++next);
      slotReads.set(key, this.#check(mine) ?? attempt(() => slotOf(want, mine[0]!)));
    }
  }

  /** Returns the reason why these responses are unusable; `null` if they are usable. */
  #check(answers: readonly RpcAnswer[]): UpstreamError | null {
    if (this.#hashes instanceof UpstreamError) return this.#hashes;
    const bad = answers.find((answer) => !answer.ok);
    if (bad === undefined || bad.ok) return null;
    return bad.error.rpc?.code === INVALID_PARAMS ? notUnderstood(bad.error) : bad.error;
  }

  /**
   * Handles the response to the probe. A node that does not know EIP-1898 may ignore the requested block hash and read
   * at its newest block, without an error. To find this out, the first batch also requests state at a block hash that
   * does not exist. If the node returns a value for it, it cannot be used.
   */
  #checkProbe(answer: RpcAnswer): void {
    if (answer.ok && typeof answer.result === 'string') {
      const text =
        'the upstream node does not read state at block hashes (EIP-1898): it answers for a hash that no block has';
      this.#hashes = new UpstreamError('refused', text);
    } else if (!answer.ok && answer.error.rpc !== null && answer.error.rpc.code !== INVALID_PARAMS)
      this.#hashes = 'honoured';
  }
}

function probe(): UpstreamRequest {
  return { method: 'eth_getBalance', params: [toHex(new Uint8Array(20)), { blockHash: toHex(randomBytes(32)) }] };
}

function accountRequests(address: Uint8Array, at: unknown): UpstreamRequest[] {
  const params = [toHex(address), at];
  return [
    { method: 'eth_getBalance', params },
    { method: 'eth_getTransactionCount', params },
    { method: 'eth_getCode', params },
  ];
}

function slotRequest({ address, slot }: MissingKeys['slots'][number], at: unknown): UpstreamRequest {
  return { method: 'eth_getStorageAt', params: [toHex(address), toHex(slot), at] };
}

function accountOf(address: Uint8Array, answers: readonly RpcAnswer[]): AccountRead {
  const balance = parseQuantity(resultOf(answers[0]!), 'eth_getBalance');
  const nonce = parseQuantity(resultOf(answers[1]!), 'eth_getTransactionCount');
  const code = parseBytes(resultOf(answers[2]!), 'eth_getCode', null);
  if (balance === 0n && nonce === 0n && code.length === 0) return { change: { address, account: null }, code };
  const codeHash = code.length === 0 ? EMPTY_CODE_HASH : keccak256(code);
  return { change: { address, account: { nonce, balance, codeHash } }, code };
}

/** Decodes a slot's word. Some nodes write all 32 bytes, others leave out leading zeros. */
function slotOf({ address, slot }: MissingKeys['slots'][number], answer: RpcAnswer): SlotChange {
  return { address, slot, value: toBytes(parseQuantity(resultOf(answer), 'eth_getStorageAt'), 32) };
}

function resultOf(answer: RpcAnswer): unknown {
  return answer.ok ? answer.result : undefined;
}

/** Returns the codes of the accounts, each code once. */
function codesOf(accounts: readonly AccountRead[]): CodeChange[] {
  const codes = new Map<string, CodeChange>();
  for (const { change, code } of accounts)
    if (change.account !== null && code.length > 0)
      codes.set(toHex(change.account.codeHash), { hash: change.account.codeHash, bytes: code });
  return [...codes.values()];
}

function notUnderstood({ rpc }: UpstreamError): UpstreamError {
  const text = `the upstream node does not understand block hashes in state reads (EIP-1898): ${rpc?.message ?? ''}`;
  return new UpstreamError('refused', text, rpc);
}

/**
 * Returns the result of `read`. Returns an UpstreamError instead of throwing it, because it concerns only the callers
 * that wait for this key, not the whole batch.
 */
function attempt<T>(read: () => T): Read<T> {
  try {
    return read();
  } catch (error) {
    if (error instanceof UpstreamError) return error;
    throw error;
  }
}

/** Returns a list with the value. For an error the list is empty, and the error is added to `refused`. */
function valueOrRefusal<T>(read: Read<T>, key: Omit<RefusedRead, 'error'>, refused: RefusedRead[]): T[] {
  if (!(read instanceof UpstreamError)) return [read];
  refused.push({ address: key.address, slot: key.slot, error: read });
  return [];
}
