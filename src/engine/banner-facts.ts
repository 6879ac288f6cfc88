// Collects what the banner shows, from the configuration and the running engine.
import { chainName, forkDataFreshnessOf } from '../chain/known-chains.js';
import type { BannerFacts, DevChainFacts, BannerEndpoint } from '../cli/banner.js';
import { readsFromUpstream, isDevChain, type Config } from '../config/config.js';
import type { ServingInfo } from './engine-context.js';
import {
  DEV_ACCOUNT_ADDRESSES,
  DEV_GOLD_TOKEN,
  DEV_PRIVATE_KEYS,
  DEV_MNEMONIC,
  DEV_SWAP_POOL,
  DEV_SILVER_TOKEN,
} from '../feed/dev/accounts-and-contract-addresses.js';
import { toHex } from '../lib/bytes/hex.js';
import { redactAddress } from '../upstream/transport/redact-secrets.js';
import { checksumAddress } from '../transaction/checksum-address.js';

const TOOLS_ON = '--dev-tools is on: revert code 3, default block pending, receipts with their block';
const TOOLS_OFF = '--dev-tools lets scripts for anvil, hardhat or geth --dev run as they are';

/** Collects the contents of the banner, with the dev chain's accounts and contracts if it is the configured chain. */
export function collectBannerFacts(config: Config, serving: ServingInfo, version: string): BannerFacts {
  return {
    version,
    chain: `${kindOf(config, serving)}, chain id ${serving.chain.chainId}${knownText(config, serving)}`,
    endpoints: [...serving.endpoints, ...statusPage(serving)],
    live: liveFacts(config),
    dataFolder: folderText(config, serving),
    dev: isDevChain(config) ? devFacts(config, serving) : null,
  };
}

function statusPage({ endpoints: [http] }: ServingInfo): readonly BannerEndpoint[] {
  return http === undefined ? [] : [{ name: 'Status page', address: `${http.address}/` }];
}

function kindOf({ upstream, genesis, follow }: Config, { chain }: ServingInfo): string {
  const name = chainName(chain.chainId);
  if (follow !== undefined) return `replica of a chain${name === null ? '' : ` ${name}`}`;
  if (upstream !== undefined) return `live chain${name === null ? '' : ` ${name}`}`;
  return genesis === undefined ? 'dev chain' : `imported chain of ${genesis}`;
}

/**
 * Lists the addresses that a live chain or a replica depends on, without secrets, and the methods passed through to the
 * node.
 */
function liveFacts(config: Config): readonly BannerEndpoint[] {
  const { upstream, feed, follow, 'upstream-ws': heads } = config;
  if (!readsFromUpstream(config)) return [];
  return [
    ...[follow].flatMap(placed('Executor')),
    ...[upstream].flatMap(placed('Node')),
    ...[heads].flatMap(placed('Heads')),
    ...feed.flatMap(placed('Feed')),
    { name: 'Passes on', address: passedOnText(config) },
  ];
}

function placed(name: string): (address: string | undefined) => BannerEndpoint[] {
  return (address) => (address === undefined ? [] : [{ name, address: redactAddress(address) }]);
}

function passedOnText({ passthrough, 'passthrough-methods': methods }: Config): string {
  return passthrough ? methods.join(', ') : 'nothing, no transactions either; --passthrough does';
}

/**
 * Names the last fork that this program knows for the chain id. An operator who knows of a later fork then sees that it
 * is missing.
 */
function knownText({ upstream, genesis }: Config, { chain }: ServingInfo): string {
  const known = upstream === undefined || genesis !== undefined ? null : forkDataFreshnessOf(chain.chainId);
  return known === null ? '' : `, known up to ${known.last ?? 'its first fork'} (read ${known.on})`;
}

/** Returns the folder of the archive for the banner; `null` on a live chain, which stores nothing. */
function folderText(config: Config, { dataDir }: ServingInfo): string | null {
  if (readsFromUpstream(config)) return null;
  return config['data-dir'] === undefined ? `${dataDir} (temporary: removed at the end)` : dataDir;
}

function devFacts(config: Config, { balanceOf }: ServingInfo): DevChainFacts {
  const traffic = config['dev-traffic'] === 0 ? 'no traffic' : `traffic of ${config['dev-traffic']} transactions/s`;
  return {
    mnemonic: DEV_MNEMONIC,
    pace: `every 2 s, increments every 200 ms, ${traffic}`,
    tools: config['dev-tools'] ? TOOLS_ON : TOOLS_OFF,
    contracts: [
      { name: 'Gold (GLD)', address: toHex(DEV_GOLD_TOKEN) },
      { name: 'Silver (SLV)', address: toHex(DEV_SILVER_TOKEN) },
      { name: 'Pool', address: toHex(DEV_SWAP_POOL) },
    ],
    accounts: DEV_ACCOUNT_ADDRESSES.map((address, index) => {
      return { address: checksumAddress(address), key: DEV_PRIVATE_KEYS[index]!, balance: balanceOf(address) };
    }),
  };
}
