// The parent header of simulated blocks in tests: a full block in the environment of `blockEnv`.
import { EMPTY_UNCLES_HASH, type Header } from '../../src/chain/block/header.js';
import { EMPTY_TRIE_ROOT } from '../../src/chain/trie.js';
import { blockEnv } from './jobs.js';

const ENV = blockEnv();

/** A parent with this state root. */
export function simulatedParent(stateRoot: Uint8Array): Header {
  return {
    parentHash: new Uint8Array(32),
    unclesHash: EMPTY_UNCLES_HASH,
    coinbase: ENV.coinbase,
    stateRoot,
    transactionsRoot: EMPTY_TRIE_ROOT,
    receiptsRoot: EMPTY_TRIE_ROOT,
    logsBloom: new Uint8Array(256),
    difficulty: 0n,
    number: ENV.number,
    gasLimit: ENV.gasLimit,
    gasUsed: ENV.gasLimit,
    timestamp: ENV.timestamp,
    extraData: new Uint8Array(0),
    mixHash: ENV.prevRandao,
    nonce: new Uint8Array(8),
    baseFeePerGas: 1000n,
    withdrawalsRoot: EMPTY_TRIE_ROOT,
    blobGasUsed: 0n,
    excessBlobGas: 0n,
    parentBeaconBlockRoot: new Uint8Array(32),
    requestsHash: new Uint8Array(32),
  };
}
