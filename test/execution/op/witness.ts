// The four OP Sepolia blocks of the shared data: the contents of a block, and the state it needs, from its witness.
import { readFileSync } from 'node:fs';
import { createMPT } from '@ethereumjs/mpt';
import { RLP, type NestedUint8Array } from '@ethereumjs/rlp';
import { MapDB, bytesToUnprefixedHex } from '@ethereumjs/util';
import type { BlockPlan } from '../../../src/execution/block/block-executor.js';
import type { StateChanges } from '../../../src/state/state-diff.js';
import { keccak256 } from '../../../src/lib/bytes/keccak-wasm.js';
import { decodeHeader, encodeHeader, type Header } from '../../../src/chain/block/header.js';
import { nextBaseFeeOnChain } from '../../../src/chain/base-fee.js';
import type { ChainDescription } from '../../../src/chain/chain-description.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { toBigInt } from '../../../src/lib/bytes/big-endian.js';
import type { AccountState, StateView } from '../../../src/state/views/state-view.js';
import { sharedData } from '../../support/shared-data.js';

export const FIRST = 26_207_960;
export const LAST = 26_207_963;

interface WitnessFile {
  readonly rollup_config: unknown;
  readonly parent_header: Readonly<Record<string, string>>;
  readonly executing_payload: {
    readonly timestamp: string;
    readonly prevRandao: string;
    readonly suggestedFeeRecipient: string;
    readonly parentBeaconBlockRoot: string;
    readonly transactions: readonly string[];
    readonly gasLimit: string;
    readonly eip1559Params: string;
  };
  readonly expected_block_hash: string;
  readonly preimages: Readonly<Record<string, string>>;
}

export interface WitnessBlock {
  readonly number: number;
  readonly rollupConfig: string;
  readonly parent: Header;
  readonly transactions: readonly Uint8Array[];
  readonly hash: string;
  readonly preimages: ReadonlyMap<string, Uint8Array>;
  plan(chain: ChainDescription): BlockPlan;
}

export function witnessBlock(number: number): WitnessBlock {
  const text = readFileSync(sharedData(`op-sepolia/block-${number}.witness.json`), 'utf8');
  const file = JSON.parse(text) as WitnessFile;
  const payload = file.executing_payload;
  const parent = headerOf(file.parent_header);
  return {
    number,
    rollupConfig: JSON.stringify(file.rollup_config),
    parent,
    transactions: payload.transactions.map(fromHex),
    hash: file.expected_block_hash,
    preimages: new Map(Object.entries(file.preimages).map(([hash, data]) => [hash, fromHex(data)])),
    plan: (chain) => ({
      env: {
        number,
        timestamp: BigInt(payload.timestamp),
        gasLimit: BigInt(payload.gasLimit),
        baseFeePerGas: nextBaseFeeOnChain(chain, parent),
        coinbase: fromHex(payload.suggestedFeeRecipient),
        prevRandao: fromHex(payload.prevRandao),
        difficulty: 0n,
        excessBlobGas: 0n,
        parentBeaconBlockRoot: fromHex(payload.parentBeaconBlockRoot),
      },
      parentHash: keccak256(encodeHeader(parent)),
      extraData: fromHex(`00${payload.eip1559Params.slice(2)}`),
      withdrawals: [],
      work: null,
    }),
  };
}

function headerOf(json: Readonly<Record<string, string>>): Header {
  const bytes = (name: string): Uint8Array => fromHex(json[name]!);
  const number = (name: string): bigint => BigInt(json[name]!);
  return {
    parentHash: bytes('parentHash'),
    unclesHash: bytes('sha3Uncles'),
    coinbase: bytes('miner'),
    stateRoot: bytes('stateRoot'),
    transactionsRoot: bytes('transactionsRoot'),
    receiptsRoot: bytes('receiptsRoot'),
    logsBloom: bytes('logsBloom'),
    difficulty: number('difficulty'),
    number: Number(number('number')),
    gasLimit: number('gasLimit'),
    gasUsed: number('gasUsed'),
    timestamp: number('timestamp'),
    extraData: bytes('extraData'),
    mixHash: bytes('mixHash'),
    nonce: bytes('nonce'),
    baseFeePerGas: number('baseFeePerGas'),
    withdrawalsRoot: bytes('withdrawalsRoot'),
    blobGasUsed: number('blobGasUsed'),
    excessBlobGas: number('excessBlobGas'),
    parentBeaconBlockRoot: bytes('parentBeaconBlockRoot'),
    requestsHash: null,
  };
}

interface Account extends AccountState {
  readonly storageRoot: Uint8Array;
}

/** The state before the block, read from the trie nodes of its witness. Anything that is not in there is an error. */
export class WitnessView implements StateView {
  private readonly block: WitnessBlock;

  constructor(block: WitnessBlock) {
    this.block = block;
  }

  account(address: Uint8Array): AccountState | null {
    const account = this.leaf(address);
    return account && { nonce: account.nonce, balance: account.balance, codeHash: account.codeHash };
  }

  /** The account with its storage root. */
  leaf(address: Uint8Array): Account | null {
    const leaf = this.find(this.block.parent.stateRoot, keccak256(address));
    if (leaf === null) return null;
    const [nonce, balance, storageRoot, codeHash] = RLP.decode(leaf) as Uint8Array[];
    return { nonce: toBigInt(nonce!), balance: toBigInt(balance!), storageRoot: storageRoot!, codeHash: codeHash! };
  }

  code(codeHash: Uint8Array): Uint8Array {
    return this.preimage(codeHash);
  }

  storage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    const account = this.leaf(address);
    const leaf = account === null ? null : this.find(account.storageRoot, keccak256(slot));
    const word = new Uint8Array(32);
    const value = leaf === null ? new Uint8Array(0) : (RLP.decode(leaf) as Uint8Array);
    word.set(value, 32 - value.length);
    return word;
  }

  blockHash(number: number): Uint8Array | null {
    let header = this.block.parent;
    if (number > header.number) return null;
    while (header.number > number) header = decodeHeader(this.preimage(header.parentHash));
    return keccak256(encodeHeader(header));
  }

  /** The value at the end of the path; `null` if the trie proves that there is none. */
  private find(root: Uint8Array, key: Uint8Array): Uint8Array | null {
    if (toHex(root) === EMPTY_ROOT) return null;
    let path = Buffer.from(key).toString('hex');
    let node = RLP.decode(this.preimage(root)) as NestedUint8Array;
    for (;;) {
      let next: Uint8Array | NestedUint8Array;
      if (node.length === 17) {
        next = node[Number.parseInt(path[0]!, 16)]!;
        path = path.slice(1);
      } else {
        const flagged = Buffer.from(node[0] as Uint8Array).toString('hex');
        const part = flagged.slice(Number.parseInt(flagged[0]!, 16) % 2 === 1 ? 1 : 2);
        if (!path.startsWith(part)) return null;
        path = path.slice(part.length);
        if (path.length === 0) return node[1] as Uint8Array;
        next = node[1]!;
      }
      if (next.length === 0) return null;
      node = (next instanceof Uint8Array ? RLP.decode(this.preimage(next)) : next) as NestedUint8Array;
    }
  }

  private preimage(hash: Uint8Array): Uint8Array {
    const data = this.block.preimages.get(toHex(hash));
    if (data === undefined) throw new Error(`the witness of block ${this.block.number} lacks ${toHex(hash)}`);
    return data;
  }
}

const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';

/** The state root after `changes`, computed by the library's tries on the witness's nodes. */
export async function rootAfter(block: WitnessBlock, changes: StateChanges): Promise<Uint8Array> {
  const view = new WitnessView(block);
  const db = new MapDB<string, string>();
  for (const [hash, data] of block.preimages) await db.put(hash.slice(2), bytesToUnprefixedHex(data));
  const state = await createMPT({ db, root: block.parent.stateRoot, useKeyHashing: true });
  const addresses = new Set([...changes.accounts, ...changes.slots].map(({ address }) => toHex(address)));
  for (const text of addresses) {
    const address = fromHex(text);
    const old = view.leaf(address);
    const root = old?.storageRoot ?? fromHex(EMPTY_ROOT);
    const storage = await createMPT({ db, root, useKeyHashing: true });
    for (const { slot, value } of changes.slots.filter((change) => toHex(change.address) === text)) {
      const first = value.findIndex((byte) => byte !== 0);
      if (first < 0) await storage.del(slot);
      else await storage.put(slot, RLP.encode(value.subarray(first)));
    }
    const change = changes.accounts.find((each) => toHex(each.address) === text);
    const account = change === undefined ? old : change.account;
    if (account === null) await state.del(address);
    else await state.put(address, RLP.encode([account.nonce, account.balance, storage.root(), account.codeHash]));
  }
  return state.root();
}
