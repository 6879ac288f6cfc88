// Methods that describe the chain and what is served of it. Runs on main.
import { forkConfigs } from '../../chain/fork-config.js';
import { decodeHeader } from '../../chain/header.js';
import { toHex, toQuantity } from '../../lib/hex.js';
import { keccak256 } from '../../lib/keccak.js';
import type { Run } from './method.js';

/** `[]`: the forks of the chain at its newest block (EIP-7910); those of a live chain are the upstream node's to know. */
export const config: Run = (args, { blocks, pinned }, { chain, backing }) => {
  if (backing !== null) return { forward: args.all };
  const genesisHash = keccak256(blocks.header(0)!);
  return JSON.stringify(forkConfigs(chain, genesisHash, decodeHeader(blocks.header(pinned.record.heads.latest)!)));
};

/** `[]`: how many other nodes there are to talk to: those of the upstream node, here none. */
export const peerCount: Run = (args, _readView, { backing }) => {
  return backing === null ? `"${toQuantity(0)}"` : { forward: args.all };
};

/** `[bytes]`: their keccak-256. */
export const sha3: Run = (args) => {
  const bytes = args.bytes(0);
  return args.failure ?? `"${toHex(keccak256(bytes))}"`;
};

const FROM_GENESIS = { disabled: false, oldestBlock: '0x0' };

/** `[]`: what can be asked, from which block on. Of a live chain it is what the upstream node has: it is asked for what is older. */
export const capabilities: Run = (args, { blocks, pinned }, { backing }) => {
  if (backing !== null) return { forward: args.all };
  const { latest } = pinned.record.heads;
  return JSON.stringify({
    head: { number: toQuantity(latest), hash: toHex(keccak256(blocks.header(latest)!)) },
    state: FROM_GENESIS,
    tx: FROM_GENESIS,
    logs: FROM_GENESIS,
    receipts: FROM_GENESIS,
    blocks: FROM_GENESIS,
    stateproofs: { disabled: true },
  });
};
