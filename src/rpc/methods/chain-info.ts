// Methods that describe the chain and which of its data is available, and methods that revert the dev chain.
import { forkConfigs } from '../../chain/eth-config.js';
import { decodeHeader } from '../../chain/block/header.js';
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import { rpcError } from '../../rpc-errors.js';
import { LIMITS } from '../../limits/index.js';
import type { PublisherHost } from '../../publisher/publisher-host.js';
import { isError } from '../answer/call-result.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import type { MethodFunctionByName, BackingNodeDeps } from '../call/method-types.js';
import type { DevSigner } from '../call/dev-signer.js';
import type { ChainDescription } from '../../chain/chain-description.js';

export interface ChainInfoDeps extends BackingNodeDeps {
  readonly chain: ChainDescription;
  readonly clientVersion: string;
  /** Has the dev chain's prefunded accounts; `null` on other chains. */
  readonly signer: Pick<DevSigner, 'accounts'> | null;
  /** Takes snapshots of the dev chain and reverts the chain to them; `null` on other chains. */
  readonly snapshots: Pick<PublisherHost, 'ask'> | null;
}

export const chainInfoMethods = {
  /**
   * `[]`: returns the chain's fork configurations at its newest block (EIP-7910). On a live chain, the request is
   * forwarded to the upstream node.
   */
  eth_config: (args, { blocks, pinned }, { chain, backing }) => {
    if (backing !== null) return { forward: args.all };
    const genesisHash = keccak256(blocks.header(0)!);
    return JSON.stringify(forkConfigs(chain, genesisHash, decodeHeader(blocks.header(pinned.record.heads.latest)!)));
  },

  /** `[]`: returns the upstream node's number of peers, or 0 without a node. */
  net_peerCount: (args, _readView, { backing }) => {
    return backing === null ? `"${toQuantity(0)}"` : { forward: args.all };
  },

  /** `[bytes]`: returns the Keccak-256 hash of the bytes. */
  web3_sha3: (args) => {
    const bytes = args.bytes(0);
    return args.failure ?? `"${toHex(keccak256(bytes))}"`;
  },

  /** `[]`: returns the oldest block for which each kind of data is available. Forwarded to the node on a live chain. */
  eth_capabilities: (args, { blocks, pinned }, { backing }) => {
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
  },

  /** `[]`: returns the chain id for which signatures are valid. */
  eth_chainId: (_args, _readView, { chain }) => `"${toQuantity(chain.chainId)}"`,

  /** `[]`: returns the chain id in decimal. */
  net_version: (_args, _readView, { chain }) => `"${chain.chainId}"`,

  /** `[]`: returns name and version of this program. */
  web3_clientVersion: (_args, _readView, deps) => JSON.stringify(deps.clientVersion),

  /** `[]`: returns the chain's prefunded accounts. */
  eth_accounts: (_args, _readView, { signer }) => JSON.stringify((signer?.accounts ?? []).map(toHex)),

  /** `[]`: takes a snapshot of the pre-confirmed state, and returns the snapshot's id. */
  evm_snapshot: async (_args, _readView, { snapshots }) => {
    const id = await snapshots!.ask({ kind: 'snapshot' });
    return isError(id) ? id : `"${toQuantity(Number(id))}"`;
  },

  /** `[id]`: reverts the chain to a snapshot. Returns true, or false if there is no snapshot with this id. */
  evm_revert: async (args, _readView, { snapshots }) => {
    const id = args.quantity(args.required(0), 64, { index: 0 });
    if (args.failure) return args.failure;
    const went = await snapshots!.ask({ kind: 'revert', snapshot: Number(id) });
    const tooOld = `snapshot ${toQuantity(id)} is more than ${LIMITS.blocksKeptMax} blocks old`;
    return went === 'null' ? rpcError('stateNotKept', tooOld) : went;
  },

  net_listening: () => 'true',
  eth_syncing: () => 'false',
} satisfies MethodFunctionByName<ChainInfoDeps>;

const FROM_GENESIS = { disabled: false, oldestBlock: '0x0' };
