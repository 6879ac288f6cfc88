// A Cancun header of an empty block with the given environment.
import { buildHeader } from '../../src/chain/block/build-header.js';
import type { Header } from '../../src/chain/block/header.js';
import { forksUpTo } from '../../src/chain/active-forks.js';
import { EMPTY_TRIE_ROOT } from '../../src/chain/trie.js';
import type { BlockEnv } from '../../src/state/state-diff.js';

const ZERO_WORD = new Uint8Array(32);

export function headerForEnv(env: BlockEnv, parentHash: Uint8Array): Header {
  return buildHeader(env, forksUpTo('cancun'), {
    parentHash,
    extraData: new Uint8Array(0),
    stateRoot: ZERO_WORD,
    transactionsRoot: EMPTY_TRIE_ROOT,
    receiptsRoot: EMPTY_TRIE_ROOT,
    logsBloom: new Uint8Array(256),
    gasUsed: 0n,
    blobGasUsed: 0n,
    withdrawalsRoot: EMPTY_TRIE_ROOT,
    requestsHash: ZERO_WORD,
    blockAccessListHash: ZERO_WORD,
  });
}
