// Methods that describe the chain and what is served of it, and those that take the dev chain back. Runs on main.
import { forkConfigs } from '../../chain/fork-config.js';
import { decodeHeader } from '../../chain/block/header.js';
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import { rpcError } from '../../errors.js';
import { LIMITS } from '../../limits/index.js';
import type { PublisherHost } from '../../publisher/host.js';
import { isError } from '../answer/call-result.js';
import { keccak256 } from '../../lib/bytes/keccak.js';
import type { Run, BackingPart } from '../call/method.js';
import type { ChainDescription } from '../../chain/spec.js';

/** Parts of methods that describe the chain. */
export interface ChainParts extends BackingPart {
  readonly chain: ChainDescription;
  readonly clientVersion: string;
  /** Accounts that the chain was made with for its users, 20 bytes each. */
  readonly accounts: readonly Uint8Array[];
  /** The dev chain's; `null` on other chains. */
  readonly snapshots: Pick<PublisherHost, 'ask'> | null;
}

/** `[]`: the forks of the chain at its newest block (EIP-7910); those of a live chain are the upstream node's to know. */
export const config: Run<ChainParts> = (args, { blocks, pinned }, { chain, backing }) => {
  if (backing !== null) return { forward: args.all };
  const genesisHash = keccak256(blocks.header(0)!);
  return JSON.stringify(forkConfigs(chain, genesisHash, decodeHeader(blocks.header(pinned.record.heads.latest)!)));
};

/** `[]`: how many other nodes there are to talk to: those of the upstream node, here none. */
export const peerCount: Run<BackingPart> = (args, _readView, { backing }) => {
  return backing === null ? `"${toQuantity(0)}"` : { forward: args.all };
};

/** `[bytes]`: their keccak-256. */
export const sha3: Run = (args) => {
  const bytes = args.bytes(0);
  return args.failure ?? `"${toHex(keccak256(bytes))}"`;
};

const FROM_GENESIS = { disabled: false, oldestBlock: '0x0' };

/** `[]`: what can be asked, from which block on. Of a live chain it is what the upstream node has: it is asked for what is older. */
export const capabilities: Run<BackingPart> = (args, { blocks, pinned }, { backing }) => {
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

/** `[]`: the number that signatures are for. */
export const chainId: Run<ChainParts> = (_args, _readView, { chain }) => `"${toQuantity(chain.chainId)}"`;

/** `[]`: the same number in decimal. */
export const netVersion: Run<ChainParts> = (_args, _readView, { chain }) => `"${chain.chainId}"`;

/** `[]`: name and version of this program. */
export const clientVersion: Run<ChainParts> = (_args, _readView, parts) => JSON.stringify(parts.clientVersion);

/** `[]`: the accounts that the chain was made with for its users. */
export const accounts: Run<ChainParts> = (_args, _readView, parts) => JSON.stringify(parts.accounts.map(toHex));

/** `[]`: id of a snapshot of what is pre-confirmed. */
export const snapshot: Run<ChainParts> = async (_args, _readView, { snapshots }) => {
  const taken = await snapshots!.ask({ kind: 'snapshot' });
  return isError(taken) ? taken : `"${toQuantity(Number(taken))}"`;
};

/** `[id]`: true once the chain is what it was at the snapshot; false where there is none with this id. */
export const revert: Run<ChainParts> = async (args, _readView, { snapshots }) => {
  const id = args.quantity(args.required(0), 64, { index: 0 });
  if (args.failure) return args.failure;
  const went = await snapshots!.ask({ kind: 'revert', snapshot: Number(id) });
  const tooOld = `snapshot ${toQuantity(id)} lies more than ${LIMITS.blocksKeptMax} blocks back`;
  return went === 'null' ? rpcError('stateNotKept', tooOld) : went;
};
