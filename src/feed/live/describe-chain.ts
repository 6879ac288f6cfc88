// Which chain a live feed follows and by which rules: from a file, by its id, or as the node says (EIP-7910). Runs on the
// publisher.
import { readFileSync } from 'node:fs';
import type { BlobSchedule, ChainDescription, ForkActivation } from '../../chain/spec.js';
import { knownChain } from '../../chain/known.js';
import { parseGenesis } from '../../execution/block/genesis.js';
import { parseRollupConfig } from '../../chain/op/rollup-config.js';
import { fromHex } from '../../lib/hex.js';
import { StartError } from '../../start-error.js';
import { UpstreamError, type Upstream } from '../../upstream/upstream.js';
import { DEV_CHAIN } from '../dev/genesis.js';
import type { LiveOptions } from '../options.js';

type Node = Pick<Upstream, 'chainId' | 'request'>;

/** Rejects with StartError: exit code 1 where the node does not answer, 2 where the rules are not known. */
export async function describeChain(options: LiveOptions, upstream: Node): Promise<ChainDescription> {
  const chainId = await idOf(upstream);
  const chain =
    options.genesisFile === null ? await knownTo(chainId, options, upstream) : fromFile(options.genesisFile);
  if (chain.chainId !== chainId) {
    throw new StartError(
      `the upstream's chain has id ${chainId}, that of ${options.genesisFile} has ${chain.chainId}`,
      2,
    );
  }
  if (options.rules === 'op-stack' && chain.op === null) throw noRules(chainId, 'no OP-Stack rules');
  return chain;
}

async function idOf(upstream: Node): Promise<bigint> {
  try {
    return await upstream.chainId();
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    throw new StartError(`the upstream's chain id cannot be read: ${error.message}`, 1);
  }
}

function fromFile(file: string): ChainDescription {
  const text = read(file);
  return /"l2_chain_id"/.test(text) ? parseRollupConfig(file, text) : parseGenesis(file, text).chain;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${(error as Error).message}`, 2);
  }
}

async function knownTo(chainId: bigint, { rules }: LiveOptions, upstream: Node): Promise<ChainDescription> {
  const known = chainId === DEV_CHAIN.chainId ? DEV_CHAIN : knownChain(chainId);
  if (known !== null && (rules === 'auto' || (rules === 'op-stack') === (known.op !== null))) return known;
  if (rules === 'op-stack') throw noRules(chainId, 'no OP-Stack rules');
  const config = await upstream.request('eth_config', []).catch(onlyRefused);
  const chain = config === null ? null : chainOfConfig(chainId, config as ForkConfigs);
  if (chain === null) throw noRules(chainId, 'no rules, and the upstream has no eth_config');
  return chain;
}

function noRules(chainId: bigint, what: string): StartError {
  return new StartError(`${what} are known for the chain with id ${chainId}: give --genesis`, 2);
}

function onlyRefused(error: unknown): null {
  if (error instanceof UpstreamError && error.kind !== 'closed') return null;
  throw error;
}

/** EIP-7910's answer, as far as it is used. `last`: the last fork that is planned, which may be the next one. */
interface ForkConfigs {
  readonly current?: ForkConfig | null;
  readonly next?: ForkConfig | null;
  readonly last?: ForkConfig | null;
}

interface ForkConfig {
  readonly activationTime: number;
  readonly blobSchedule?: BlobSchedule | null;
  readonly precompiles?: Readonly<Record<string, string>>;
  readonly systemContracts?: Readonly<Record<string, string>>;
}

/** Forks by a precompile that came with them, the newest first. */
const MARKS: readonly (readonly [precompile: RegExp, fork: string])[] = [
  [/^P256VERIFY$/, 'osaka'],
  [/^BLS12_/, 'prague'],
  [/^KZG/, 'cancun'],
];
/** Names for forks that change blobs alone (EIP-7892), in the order in which they come. */
const BLOB_ONLY = ['bpo1', 'bpo2'] as const;
/** Precompiles of Osaka and before: 0x01 to 0x11, and P256VERIFY at 0x100. */
const PRECOMPILE = /^0x0*(0?[1-9a-f]|1[01]|100)$/i;
/** System contracts up to Osaka, by the names of EIP-7910. */
const SYSTEM_CONTRACT = /^(BEACON_ROOTS|HISTORY_STORAGE|DEPOSIT_CONTRACT|WITHDRAWAL_REQUEST|CONSOLIDATION_REQUEST)_/;

/**
 * The fork at hand, as if it had been there from the start, and those to come; `null` where it is not known. Throws
 * StartError for a fork that is beyond what is known here: it must not be taken for the one before it.
 */
function chainOfConfig(chainId: bigint, { current, next, last }: ForkConfigs): ChainDescription | null {
  const name = current ? forkOf(current) : null;
  if (name === null || !current) return null;
  const forks: ForkActivation[] = [{ name, block: 0, timestamp: null }];
  const blobSchedule: Record<string, BlobSchedule> = current.blobSchedule ? { [name]: current.blobSchedule } : {};
  let before = current;
  for (const config of [next, last]) {
    if (!config || config.activationTime <= before.activationTime) continue;
    const later = forkAfter(before, config, forks);
    forks.push({ name: later, block: null, timestamp: config.activationTime });
    if (config.blobSchedule) blobSchedule[later] = config.blobSchedule;
    before = config;
  }
  const deposits = current.systemContracts?.['DEPOSIT_CONTRACT_ADDRESS'];
  const depositContract = deposits === undefined ? null : fromHex(deposits);
  return { chainId, forks, blobSchedule, depositContract, transactionGasCap: true, op: null };
}

/** The name of a fork to come: a known one, or one that changes blobs alone. */
function forkAfter(before: ForkConfig, config: ForkConfig, forks: readonly ForkActivation[]): string {
  const name = forkOf(config);
  if (name === null) throw unknownFork(config);
  if (name !== forkOf(before)) return name;
  // What changes neither precompiles nor blobs changes something that is not known here.
  if (JSON.stringify(config.blobSchedule) === JSON.stringify(before.blobSchedule)) throw unknownFork(config);
  return BLOB_ONLY.find((later) => forks.every((fork) => fork.name !== later))!;
}

function forkOf(config: ForkConfig): string | null {
  const { precompiles = {}, systemContracts = {} } = config;
  const isKnown =
    Object.values(precompiles).every((address) => PRECOMPILE.test(address)) &&
    Object.keys(systemContracts).every((name) => SYSTEM_CONTRACT.test(name));
  if (!isKnown) throw unknownFork(config);
  const names = Object.keys(precompiles);
  return MARKS.find(([mark]) => names.some((name) => mark.test(name)))?.[1] ?? null;
}

function unknownFork({ activationTime }: ForkConfig): StartError {
  const from = activationTime === 0 ? 'from the beginning' : `from timestamp ${activationTime} on`;
  return new StartError(`the upstream's eth_config has a fork that is not known here, ${from}: give --genesis`, 2);
}
