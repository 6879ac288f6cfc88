// The validated configuration, and the options of the engine's components that are derived from it.
import type { z } from 'zod';
import type { NatsOptions, DevChainOptions, ChainSourceOptions, LiveOptions } from '../feed/chain-source-options.js';
import type { SETTINGS, SettingName } from './settings.table.js';

/** The validated configuration, by flag name. */
export type Config = { readonly [Name in SettingName]: z.output<(typeof SETTINGS)[Name]['schema']> };

/** True if blocks and old state are read from an upstream node, in which case there is no archive. */
export function readsFromUpstream({ upstream, follow }: Config): boolean {
  return upstream !== undefined || follow !== undefined;
}

/** Options of the NATS server to which state versions are published for replicas; `null` if they are not published. */
export function natsPublishOptions(config: Config): NatsOptions | null {
  return config.publish === undefined ? null : busOptions(config, config.publish);
}

function busOptions(config: Config, address: string): NatsOptions {
  return { url: address, credsFile: config['nats-creds'] ?? null, caFile: config['nats-ca'] ?? null };
}

/** True if the chain is the dev chain, because no other one is configured. */
export function isDevChain(config: Config): boolean {
  return chainSourceOptions(config).kind === 'dev';
}

/** Settings for details of responses in which clients' expectations differ. */
interface ResponseConventions {
  /** JSON-RPC error code for a revert. */
  readonly revertErrorCode: number;
  /** The block that a call without a block parameter uses. */
  readonly defaultBlock: { readonly kind: 'latest' | 'pending' };
  /**
   * When a transaction's receipt and block are returned: once it is pre-confirmed, or once it is in a canonical block.
   */
  readonly receipts: 'preconfirmed' | 'confirmed';
}

/** Returns the configured response conventions. `--dev-tools` sets all of them to what development tools expect. */
export function responseConventions(config: Config): ResponseConventions {
  if (config['dev-tools']) return { revertErrorCode: 3, defaultBlock: { kind: 'pending' }, receipts: 'confirmed' };
  const { 'revert-error-code': revertErrorCode, 'default-block': kind, receipts } = config;
  return { revertErrorCode, defaultBlock: { kind }, receipts };
}

export function chainSourceOptions(config: Config): ChainSourceOptions {
  const { genesis, chain, upstream, follow } = config;
  if (follow !== undefined) {
    return { kind: 'replica', bus: busOptions(config, follow), upstreamUrl: upstream ?? null };
  }
  if (upstream !== undefined) return liveOptions(config, upstream);
  if (genesis !== undefined) return { kind: 'import', genesisFile: genesis, chainFile: chain ?? null };
  return devOptions(config);
}

function devOptions(config: Config): DevChainOptions {
  const feedPort = config['dev-feed-port'];
  const followers = feedPort === undefined ? {} : { feedPort };
  return { kind: 'dev', trafficTps: config['dev-traffic'], fork: config['dev-fork'], ...followers };
}

function liveOptions(config: Config, upstreamUrl: string): LiveOptions {
  return {
    kind: 'live',
    upstreamUrl,
    upstreamWsUrl: config['upstream-ws'] ?? null,
    feedUrls: config.feed,
    feedFormat: config['feed-format'],
    rules: config.rules,
    followBy: config['follow-by'],
    diffSample: config['diff-sample'],
    nonEvmAccounts: config.foreign,
    genesisFile: config.genesis ?? null,
    keysDir: config['data-dir'] ?? null,
    recordFile: config.record ?? null,
    replay: config.replay === undefined ? null : { file: config.replay, speed: config.speed },
  };
}
